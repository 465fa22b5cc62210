package ledger

// rec names recorded cases: the kind and how their ids begin.
func rec(kind string, prefixes ...string) []Recording {
	out := make([]Recording, len(prefixes))
	for i, p := range prefixes {
		out[i] = Recording{Kind: kind, Prefix: p}
	}
	return out
}

func join(lists ...[]Recording) []Recording {
	var out []Recording
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func src(names ...string) []string { return names }

// The rules, by number. Classes are those of Flink 2.2.1, of K those of Kafka 4.1,
// of F those of flink-connector-kafka 5.0.0-2.2.
var rules = []Rule{
	// Timestamps and generators.
	{ID: "EV-1.1", Kind: Recorded, Sources: src("Watermark", "WatermarkStrategy"), Recordings: rec("window", "T12-late-boundary-exact")},
	{ID: "EV-1.2", Kind: Recorded, Sources: src("BoundedOutOfOrdernessWatermarks", "AscendingTimestampsWatermarks"), Recordings: rec("splits", "rule-1.2-")},
	{ID: "EV-1.3", Kind: Recorded, Sources: src("TimestampsAndWatermarksOperator", "SourceOutputWithWatermarks", "pipeline.auto-watermark-interval"), Recordings: join(rec("splits", "rule-1.3-", "T13-"), rec("generator", "interval-0", "punctuated-mid-pipeline"))},
	{ID: "EV-1.4", Kind: Recorded, Sources: src("WatermarkToDataOutput"), Recordings: rec("splits", "rule-1.4-")},
	{ID: "EV-1.5", Kind: Recorded, Sources: src("TimestampAssigner", "TumblingEventTimeWindows", "SlidingEventTimeWindows"), Recordings: join(rec("window", "rule-1.5-"), rec("session", "rule-1.5-"), rec("splits", "record-without-timestamp"))},
	{ID: "EV-1.6", Kind: Recorded, Sources: src("TimestampsAndWatermarksOperator"), Recordings: join(rec("generator", "rule-1.6-"), rec("drain", "rule-1.6-"))},
	{ID: "EV-1.7", Kind: Recorded, Simplified: true, Sources: src("ProgressiveTimestampsAndWatermarks", "WatermarkOutputMultiplexer", "CombinedWatermarkStatus"), Recordings: join(rec("splits", "rule-1.7-", "T21-", "T21b-", "pa-"), rec("job", "job-reader-without-splits-"))},
	{ID: "EV-1.8", Kind: Recorded, Sources: src("WatermarkAssignerOperator", "GeneratedWatermarkGeneratorSupplier", "scan.watermark.emit.strategy"), Recordings: rec("sqlwatermark", "rule-1.8a-", "T14-", "pushed-down-")},

	// Propagation.
	{ID: "EV-2.1", Kind: Source, Simplified: true, Sources: src("RecordWriterOutput", "KeyGroupStreamPartitioner"), Recordings: rec("keygroup", "keygroup-")},
	{ID: "EV-2.2", Kind: Recorded, Sources: src("InternalTimerServiceImpl#tryAdvanceWatermark", "AbstractStreamOperator"), Recordings: join(rec("timers", "ta-"), rec("window", "T01-"))},
	{ID: "EV-2.3", Kind: Recorded, Sources: src("StatusWatermarkValve", "FLINK-7728", "FLINK-40475"), Recordings: rec("valve", "rule-2.3-", "T18-", "T19-", "T20")},
	{ID: "EV-2.4", Kind: Recorded, Sources: src("IndexedCombinedWatermarkStatus", "AbstractStreamOperatorV2", "FLINK-38454"), Recordings: rec("combined", "rule-2.4-", "both-idle-", "three-inputs")},
	{ID: "EV-2.5", Kind: Recorded, Sources: src("RecordWriterOutput", "ChainingOutput"), Recordings: rec("splits", "rule-2.5-")},
	{ID: "EV-2.6", Kind: Recorded, Sources: src("StatusWatermarkValve", "FLINK-38477"), Recordings: join(rec("valve", "rule-2.6-", "T19b-"), rec("combined", "one-finished-other-idle"))},

	// Idleness and alignment.
	{ID: "EV-3.1", Kind: Recorded, Sources: src("WatermarksWithIdleness", "table.exec.source.idle-timeout"), Recordings: join(rec("splits", "rule-3.1-"), rec("job", "job-idle-", "job-all-idle-takes-max"))},
	{ID: "EV-3.2", Kind: Recorded, Sources: src("WatermarksWithIdleness", "FLINK-40503"), Recordings: rec("idleness", "rule-3.2-", "T22-")},
	{ID: "EV-3.3", Kind: Recorded, Simplified: true, Sources: src("PausableRelativeClock", "FLIP-471", "FLINK-35886"), Recordings: join(rec("splits", "rule-3.3-"), rec("idleness", "T22-backpressure"))},
	{ID: "EV-3.4", Kind: Recorded, Sources: src("WatermarkAssignerOperator"), Recordings: rec("sqlwatermark", "rule-3.4-")},
	{ID: "EV-3.5", Kind: Recorded, Simplified: true, Sources: src("SourceCoordinator", "SourceOperator"), Recordings: rec("alignment", "rule-3.5-")},

	// Timers, end of input, ties.
	{ID: "EV-4.1", Kind: Recorded, Sources: src("InternalTimerServiceImpl"), Recordings: rec("timers", "rule-4.1-")},
	{ID: "EV-4.2", Kind: Judgement, Simplified: true, Sources: src("HeapPriorityQueueSet", "RocksDBCachingPriorityQueueSet"), Recordings: rec("timers", "rule-4.2-")},
	{ID: "EV-4.3", Kind: Recorded, Simplified: true, Sources: src("SourceOperator", "StopMode"), Recordings: join(rec("drain", "rule-4.3-", "T25c-"), rec("job", "job-v18-"))},
	{ID: "EV-4.4", Kind: Recorded, Sources: src("RecordWriterOutput", "FLINK-40499"), Recordings: join(rec("drain", "rule-4.4-"), rec("generator", "rule-4.4-"), rec("job", "job-drain-while-idle", "job-end-while-"))},
	{ID: "EV-4.5", Kind: Source, Sources: src("KeyedProcessOperator"), Recordings: rec("timers", "ta-")},

	// Window assigners.
	{ID: "EV-5.1", Kind: Recorded, Sources: src("TimeWindow#getWindowStartWithOffset"), Recordings: rec("window", "rule-5.1-", "T09")},
	{ID: "EV-5.2", Kind: Recorded, Simplified: true, Sources: src("TumblingEventTimeWindows", "WindowStagger"), Recordings: rec("window", "rule-5.2-")},
	{ID: "EV-5.3", Kind: Recorded, Simplified: true, Sources: src("SlidingEventTimeWindows", "FLINK-37512"), Recordings: rec("window", "rule-5.3-", "T10-", "T11-")},
	{ID: "EV-5.4", Kind: Recorded, Sources: src("EventTimeSessionWindows", "DynamicEventTimeSessionWindows"), Recordings: rec("session", "rule-5.4-")},
	{ID: "EV-5.5", Kind: Recorded, Sources: src("MergingWindowSet", "WindowOperator"), Recordings: rec("session", "rule-5.5-", "T08-")},

	// The window operator.
	{ID: "EV-6.1", Kind: Recorded, Sources: src("WindowOperator#isWindowLate"), Recordings: rec("window", "rule-6.1-", "T12-")},
	{ID: "EV-6.2", Kind: Recorded, Sources: src("WindowOperator#isElementLate", "numLateRecordsDropped"), Recordings: rec("window", "rule-6.2-", "T02-", "T03-", "T11-")},
	{ID: "EV-6.3", Kind: Recorded, Sources: src("EventTimeTrigger"), Recordings: rec("window", "rule-6.3-")},
	{ID: "EV-6.4", Kind: Recorded, Sources: src("WindowOperator", "EventTimeTrigger"), Recordings: join(rec("window", "rule-6.5-accumulating"), rec("session", "T05-"))},
	{ID: "EV-6.5", Kind: Recorded, Sources: src("PurgingTrigger"), Recordings: rec("window", "rule-6.5-", "T01-")},
	{ID: "EV-6.6", Kind: Recorded, Sources: src("EventTimeTrigger#onMerge", "MergingWindowSet"), Recordings: rec("session", "rule-6.6-", "T05-", "T08-")},
	{ID: "EV-6.7", Kind: Recorded, Sources: src("WindowOperator#cleanupTime"), Recordings: rec("window", "rule-6.7-")},
	{ID: "EV-6.8", Kind: Recorded, Simplified: true, Sources: src("WindowOperatorBuilder"), Recordings: rec("window", "rule-6.8-")},
	{ID: "EV-6.9", Kind: Recorded, Sources: src("EvictingWindowOperator", "CountEvictor", "TimeEvictor", "DeltaEvictor"), Recordings: rec("window", "rule-6.9-")},
	{ID: "EV-6.10", Kind: Recorded, Sources: src("CountTrigger", "ContinuousEventTimeTrigger"), Recordings: join(rec("window", "rule-6.10-", "T25-", "T25b-"), rec("session", "session-count-trigger-merge"))},
	{ID: "EV-6.11", Kind: Recorded, Sources: src("IntervalJoinOperator"), Recordings: rec("intervaljoin", "T24-", "late-exact", "bounds-exclusive")},

	// SQL windows.
	{ID: "EV-7.1", Kind: Recorded, Simplified: true, Sources: src("SliceAssigners", "FLINK-24024"), Recordings: join(rec("sqlwindow", "rule-7.1-"), rec("sql-plan", "q24-", "q25-", "q26-"))},
	{ID: "EV-7.2", Kind: Recorded, Sources: src("SliceAssigners", "AbstractSliceSyncStateWindowAggProcessor", "FLINK-36664"), Recordings: rec("sqlwindow", "rule-7.2-", "T14-", "T15-", "T16-", "FLINK-36664-")},
	{ID: "EV-7.3", Kind: Recorded, Simplified: true, Sources: src("WindowUtil#checkEmitConfiguration"), Recordings: rec("sql-plan", "q35-")},
	{ID: "EV-7.4", Kind: Recorded, Simplified: true, Sources: src("WindowEmitStrategy", "table.exec.emit.*"), Recordings: rec("sql-window", "r74-")},
	{ID: "EV-7.5", Kind: Recorded, Simplified: true, Sources: src("LocalSlicingWindowAggOperator"), Recordings: rec("sql-window", "r75-", "negative-times-2p")},
	{ID: "EV-7.6", Kind: Recorded, Simplified: true, Sources: src("WindowUtil", "SqlWindowTableFunction"), Recordings: rec("sql-plan", "q22-")},
	{ID: "EV-7.7", Kind: Recorded, Sources: src("TimeWindowUtil", "table.local-time-zone"), Recordings: rec("sqlwindow", "rule-7.7-")},
	{ID: "EV-7.8", Kind: Recorded, Simplified: true, Sources: src("WatermarkAssignerOperator", "numNullRowTimeRecordsDropped"), Recordings: rec("sqlwatermark", "rule-1.8a-null-rowtime")},
	{ID: "EV-7.9", Kind: Recorded, Sources: src("MergingWindowProcessFunction"), Recordings: rec("sqlwindow", "rule-7.9-", "T17-")},

	// Checkpoints and recovery.
	{ID: "EV-8.1", Kind: Recorded, Simplified: true, Sources: src("SingleCheckpointBarrierHandler", "SubtaskCheckpointCoordinatorImpl"), Recordings: rec("job", "job-no-failure", "job-v8-")},
	{ID: "EV-8.2", Kind: Recorded, Simplified: true, Sources: src("StreamOperatorStateHandler", "SourceOperator#snapshotState"), Recordings: join(rec("timers", "rule-8.2-"), rec("job", "job-crash-", "job-idle-not-in-checkpoint", "job-bounded-generator-forgets-max-on-restart"))},
	{ID: "EV-8.3", Kind: Recorded, Sources: src("WindowOperator", "AbstractStreamOperator"), Recordings: join(rec("window", "T23-", "rule-8.3-"), rec("job", "job-t23-"))},
	{ID: "EV-8.4", Kind: Recorded, Simplified: true, Sources: src("WindowAggOperator", "FLINK-36663"), Recordings: rec("sqlwindow", "rule-8.4-", "T23-")},

	// Trigger, acks, completion.
	{ID: "CP-1.1", Kind: Recorded, Simplified: true, Sources: src("CheckpointCoordinator#startTriggeringCheckpoint", "OperatorCoordinatorCheckpoints"), Recordings: rec("schedule", "schedule-spec-1.1-", "schedule-coordinator-snapshot-")},
	{ID: "CP-1.2", Kind: Recorded, Sources: src("CheckpointIDCounter", "CheckpointCoordinator"), Recordings: join(rec("schedule", "schedule-spec-2.9a-", "schedule-spec-v2b-"), rec("registry", "registry-spec-v5-"))},
	{ID: "CP-1.3", Kind: Source, Simplified: true, Sources: src("SubtaskCheckpointCoordinatorImpl")},
	{ID: "CP-1.4", Kind: Recorded, Sources: src("CheckpointCoordinator#receiveAcknowledgeMessage"), Recordings: rec("registry", "registry-spec-1.4-")},
	{ID: "CP-1.5", Kind: Recorded, Sources: src("CheckpointCoordinator#completePendingCheckpoint"), Recordings: rec("schedule", "schedule-spec-1.5-", "schedule-newer-completes-first-", "schedule-savepoint-completes-does-not-subsume-pending")},
	{ID: "CP-1.6", Kind: Recorded, Sources: src("CheckpointCoordinator#abortPendingCheckpoint"), Recordings: rec("schedule", "schedule-spec-v3-counter-", "schedule-every-decline-reason-")},
	{ID: "CP-1.7", Kind: Recorded, Sources: src("DefaultCheckpointPlanCalculator"), Recordings: join(rec("schedule", "schedule-finished-", "schedule-two-sources-one-finished"), rec("job", "job-bounded-two-splits-"))},

	// Scheduling.
	{ID: "CP-2.1", Kind: Recorded, Simplified: true, Sources: src("CheckpointCoordinator#getRandomInitDelay"), Recordings: rec("schedule", "schedule-first-tick-range-")},
	{ID: "CP-2.2", Kind: Recorded, Sources: src("CheckpointCoordinator.ScheduledTrigger"), Recordings: rec("schedule", "schedule-spec-2.7-", "schedule-queued-ticks-")},
	{ID: "CP-2.3", Kind: Recorded, Sources: src("CheckpointRequestDecider"), Recordings: rec("schedule", "schedule-spec-v1-", "schedule-min-pause-exact-boundary", "schedule-slow-deletes-", "schedule-queued-ticks-")},
	{ID: "CP-2.4", Kind: Recorded, Sources: src("CheckpointRequestDecider"), Recordings: rec("schedule", "schedule-two-savepoints-queued-", "schedule-savepoint-blocks-periodic-")},
	{ID: "CP-2.5", Kind: Recorded, Sources: src("CheckpointRequestDecider", "CheckpointCoordinator#checkForNextTrigger"), Recordings: rec("schedule", "schedule-queued-ticks-", "schedule-ack-before-tick-same-ms", "schedule-tick-before-ack-same-ms")},
	{ID: "CP-2.6", Kind: Recorded, Sources: src("CheckpointCoordinator"), Recordings: rec("schedule", "schedule-spec-v2b-", "schedule-spec-1.5-savepoint-moves-min-pause-clock")},
	{ID: "CP-2.7", Kind: Recorded, Sources: src("CheckpointCoordinator.ScheduledTrigger", "CheckpointRequestDecider"), Recordings: rec("schedule", "schedule-spec-2.7-", "schedule-spec-v1-", "schedule-spec-v2a-")},
	{ID: "CP-2.8", Kind: Recorded, Sources: src("CheckpointCoordinator#triggerSavepoint", "CheckpointProperties"), Recordings: rec("schedule", "schedule-spec-2.8-", "schedule-manual-checkpoint-")},
	{ID: "CP-2.9", Kind: Recorded, Sources: src("CheckpointCoordinator#stopCheckpointScheduler", "FLINK-34519"), Recordings: rec("schedule", "schedule-restart-aborts-pending-", "schedule-spec-2.9a-", "schedule-savepoint-before-first-start-", "schedule-start-while-started-")},
	{ID: "CP-2.10", Kind: Recorded, Sources: src("CheckpointCoordinator#setIsProcessingBacklog"), Recordings: rec("schedule", "schedule-backlog-")},
	{ID: "CP-2.11", Kind: Source, Simplified: true, Sources: src("StreamExecutionEnvironment#configure", "CheckpointConfig", "docs: state_backends.md")},

	// Counting failures.
	{ID: "CP-3.1", Kind: Recorded, Sources: src("CheckpointFailureManager", "execution.checkpointing.tolerable-failed-checkpoints"), Recordings: rec("schedule", "schedule-spec-v3-counter-", "schedule-savepoint-success-resets-counter", "schedule-failure-of-id-below-")},
	{ID: "CP-3.2", Kind: Recorded, Sources: src("CheckpointFailureManager", "CheckpointFailureReason", "FLINK-27570"), Recordings: rec("schedule", "schedule-every-decline-reason-", "schedule-spec-3.2a-", "schedule-spec-v10-")},
	{ID: "CP-3.3", Kind: Recorded, Sources: src("CheckpointFailureManager#handleTaskLevelCheckpointException"), Recordings: rec("schedule", "schedule-stop-with-savepoint-declined-", "schedule-savepoint-expires-", "schedule-savepoint-declined-")},
	{ID: "CP-3.4", Kind: Recorded, Sources: src("CheckpointFailureManager", "CheckpointFailureManager.FailJobCallback"), Recordings: rec("schedule", "schedule-spec-v3-counter-", "schedule-counter-cleared-")},

	// Content, retention, shared files.
	{ID: "CP-5.1", Kind: Source, Simplified: true, Sources: src("AbstractFsCheckpointStorageAccess", "execution.checkpointing.dir", "execution.checkpointing.savepoint-dir"), Recordings: rec("registry", "registry-spec-v17-")},
	{ID: "CP-5.2", Kind: Source, Sources: src("CheckpointMetadata", "FsCheckpointStreamFactory", "execution.checkpointing.data-inline-threshold"), Recordings: rec("forst", "forst-inline-threshold-")},
	{ID: "CP-5.3", Kind: Recorded, Sources: src("CheckpointSubsumeHelper", "execution.checkpointing.num-retained"), Recordings: rec("registry", "registry-spec-5.3-", "registry-spec-v4-compaction-retain-3")},
	{ID: "CP-5.4", Kind: Recorded, Simplified: true, Sources: src("CompletedCheckpoint", "FsCompletedCheckpointStorageLocation", "FLINK-38909"), Recordings: rec("registry", "registry-spec-v4-", "registry-claim-savepoint-then-")},
	{ID: "CP-5.5", Kind: Recorded, Sources: src("CheckpointProperties", "execution.checkpointing.externalized-checkpoint-retention"), Recordings: rec("registry", "registry-spec-v19-", "registry-ha-termination-", "registry-stop-savepoint-then-finished")},
	{ID: "CP-5.6", Kind: Recorded, Sources: src("SharedStateRegistryImpl", "FLINK-24611"), Recordings: rec("registry", "registry-spec-5.6-", "registry-spec-v4-", "registry-spec-v5-")},
	{ID: "CP-5.7", Kind: Recorded, Sources: src("SharedStateRegistryKey", "PlaceholderStreamStateHandle", "FLINK-29913"), Recordings: rec("registry", "registry-unknown-placeholder", "registry-no-claim-placeholder-", "registry-reuse-of-file-of-aborted-checkpoint")},
	{ID: "CP-5.8", Kind: Source, Sources: src("SharedStateRegistryImpl", "RocksDBStateUploader"), Recordings: rec("forst", "forst-failover-kill-orphans", "forst-own-primary-kill")},

	// Snapshots of RocksDB.
	{ID: "CP-6.1", Kind: Recorded, Simplified: true, Sources: src("RocksIncrementalSnapshotStrategy", "RocksDBSnapshotStrategyBase", "execution.checkpointing.incremental"), Recordings: rec("rocksincremental", "rocksincremental-spec-v4-", "rocksincremental-no-change-nothing-new")},
	{ID: "CP-6.2", Kind: Recorded, Sources: src("RocksIncrementalSnapshotStrategy#notifyCheckpointComplete", "FLINK-25395", "FLINK-23949"), Recordings: rec("rocksincremental", "rocksincremental-spec-v5-", "rocksincremental-spec-v6-", "rocksincremental-spec-6.2-", "rocksincremental-nothing-confirmed-", "rocksincremental-abort-of-confirmed-base", "rocksincremental-native-savepoint-not-base")},
	{ID: "CP-6.3", Kind: Recorded, Sources: src("RocksIncrementalSnapshotStrategy", "RocksDBSnapshotStrategyBase"), Recordings: rec("rocksincremental", "rocksincremental-spec-v4-", "rocksincremental-overwrite-same-value-", "rocksincremental-remove-makes-new-file", "rocksincremental-no-change-")},
	{ID: "CP-6.4", Kind: Source, Sources: src("CompositeStateHandle#getCheckpointedSize", "CheckpointStatsTracker")},
	{ID: "CP-6.5", Kind: Recorded, Sources: src("RocksNativeFullSnapshotStrategy", "execution.checkpointing.incremental"), Recordings: rec("rocksincremental", "rocksincremental-spec-6.5-", "rocksincremental-not-incremental-restore")},
	{ID: "CP-6.6", Kind: Recorded, Sources: src("CheckpointType", "SavepointType", "SnapshotType.SharingFilesStrategy"), Recordings: rec("rocksincremental", "rocksincremental-full-checkpoint-is-new-base", "rocksincremental-native-savepoint-not-base", "rocksincremental-canonical-savepoint-not-base")},
	{ID: "CP-6.7", Kind: Recorded, Sources: src("RocksDBIncrementalRestoreOperation"), Recordings: rec("rocksincremental", "rocksincremental-spec-6.7-", "rocksincremental-restore-native-savepoint", "rocksincremental-restore-older-checkpoint")},
	{ID: "CP-6.8", Kind: Recorded, Sources: src("RocksDBIncrementalRestoreOperation", "RocksDBIncrementalCheckpointUtils"), Recordings: rec("rocksincremental", "rocksincremental-spec-6.8-")},
	{ID: "CP-6.9", Kind: Recorded, Sources: src("RocksDBFullRestoreOperation"), Recordings: rec("rocksincremental", "rocksincremental-spec-6.9-")},
	{ID: "CP-6.10", Kind: Source, Simplified: true, Sources: src("RocksDBMemoryControllerUtils", "taskmanager.memory.managed.fraction", "taskmanager.memory.managed.consumer-weights")},

	// HashMap, ForSt, changelog.
	{ID: "CP-7.1", Kind: Source, Simplified: true, Sources: src("HeapSnapshotStrategy")},
	{ID: "CP-7.2", Kind: Recorded, Sources: src("docs: disaggregated_state.md", "ForStStateBackend", "state.backend.forst.sync.enforce-local"), Recordings: rec("forst", "forst-sync-local-default", "forst-sync-remote")},
	{ID: "CP-7.3", Kind: Recorded, Sources: src("FileOwnershipDecider", "DataTransferStrategyBuilder", "state.backend.forst.primary-dir"), Recordings: rec("forst", "forst-handover-then-compaction-", "forst-compaction-before-any-checkpoint-", "forst-ack-lost-then-compaction-leaks", "forst-own-primary-copies-to-checkpoint", "forst-native-savepoint-copies")},
	{ID: "CP-7.4", Kind: Recorded, Sources: src("DataTransferStrategyBuilder", "ForStIncrementalRestoreOperation"), Recordings: rec("forst", "forst-failover-", "forst-new-job-", "forst-own-primary-", "forst-restore-savepoint-claim")},
	{ID: "CP-7.4a", Kind: Recorded, Sources: src("ForStNativeFullSnapshotStrategy", "ForStStateBackend"), Recordings: rec("forst", "forst-full-checkpoint-", "forst-sync-full-checkpoint", "forst-failover-then-full-checkpoint-", "forst-to-rocksdb-", "forst-async-to-rocksdb-", "forst-from-")},
	{ID: "CP-7.5", Kind: Recorded, Sources: src("ForStIncrementalSnapshotStrategy", "FLINK-37301", "apache/flink#27936"), Recordings: rec("forst", "forst-canonical-savepoint", "forst-sync-canonical-savepoint", "forst-incremental-false-", "forst-sync-local-not-incremental")},
	{ID: "CP-7.6", Kind: Recorded, Simplified: true, Sources: src("FileBasedCache", "state.backend.forst.cache.size-based-limit", "state.backend.forst.cache.reserve-size"), Recordings: rec("forst", "forst-cache-")},
	{ID: "CP-7.7", Kind: Source, Sources: src("ForStFlinkFileSystem", "FileBasedCache")},
	{ID: "CP-7.8", Kind: Source, Simplified: true, Sources: src("StateChangelogOptions", "state.changelog.enabled")},

	// Savepoints and claim modes.
	{ID: "CP-8.1", Kind: Recorded, Sources: src("SavepointFormatType", "docs: savepoints.md"), Recordings: rec("rocksincremental", "rocksincremental-native-savepoint-not-base", "rocksincremental-canonical-savepoint-not-base", "rocksincremental-restore-native-savepoint")},
	{ID: "CP-8.2", Kind: Source, Sources: src("docs: checkpoints_vs_savepoints.md"), Recordings: rec("job", "job-backend-switch-", "job-rescale-from-retained-checkpoint")},
	{ID: "CP-8.3", Kind: Recorded, Sources: src("CheckpointCoordinator", "FLIP-203"), Recordings: join(rec("registry", "registry-spec-v17-"), rec("job", "job-v17-", "job-two-phase-savepoint-pending-then-crash"))},
	{ID: "CP-8.4", Kind: Recorded, Sources: src("SavepointType", "StopMode", "FLIP-34"), Recordings: join(rec("schedule", "schedule-stop-with-savepoint-aborts-pending"), rec("job", "job-v18-", "job-two-phase-stop-commits"))},
	{ID: "CP-8.5", Kind: Source, Sources: src("StopWithSavepointTerminationHandlerImpl", "StreamTask#notifyCheckpointComplete"), Recordings: rec("schedule", "schedule-savepoint-expires-", "schedule-stop-with-savepoint-declined-")},
	{ID: "CP-8.6", Kind: Recorded, Sources: src("CheckpointCoordinator#restoreSavepoint"), Recordings: join(rec("mapping", "mapping-spec-9.5-"), rec("registry", "registry-spec-v11-", "registry-spec-v12-"), rec("job", "job-ids-"))},
	{ID: "CP-8.7", Kind: Recorded, Sources: src("CheckpointProperties#forUnclaimedSnapshot", "execution.state-recovery.claim-mode"), Recordings: join(rec("registry", "registry-spec-v11-", "registry-no-claim-"), rec("rocksincremental", "rocksincremental-spec-v11-"))},
	{ID: "CP-8.8", Kind: Recorded, Sources: src("RecoveryClaimMode", "FLINK-39964"), Recordings: join(rec("registry", "registry-spec-v12-", "registry-claim-"), rec("job", "job-claim-"))},
	{ID: "CP-8.9", Kind: Recorded, Sources: src("RecoveryClaimMode#LEGACY", "FLINK-34190"), Recordings: rec("registry", "registry-legacy-claim-mode")},
	{ID: "CP-8.10", Kind: Recorded, Sources: src("SharedStateRegistryFactory", "SharedStateRegistryImpl#registerAllAfterRestored"), Recordings: rec("registry", "registry-spec-v13-", "registry-jm-failover-")},
	{ID: "CP-8.11", Kind: Source, Sources: src("DefaultExecutionGraphFactory", "apache/flink#27991")},

	// Mapping, rescaling, schema.
	{ID: "CP-9.1", Kind: Recorded, Sources: src("KeyGroupRangeAssignment", "MathUtils#murmurHash"), Recordings: rec("keygroup", "keygroup-spec-9.1-", "keygroup-ranges-", "keygroup-spec-v15-")},
	{ID: "CP-9.2", Kind: Recorded, Sources: src("KeyGroupRangeAssignment#computeDefaultMaxParallelism"), Recordings: rec("keygroup", "keygroup-default-maxp-borders")},
	{ID: "CP-9.3", Kind: Recorded, Sources: src("StateAssignmentOperation", "Checkpoints#loadAndValidateCheckpoint"), Recordings: join(rec("mapping", "mapping-spec-v15-", "mapping-spec-v16-", "mapping-spec-9.3-", "mapping-allow-non-restored-does-not-help-maxp", "mapping-stateless-stored-maxp-still-checked"), rec("keygroup", "keygroup-spec-9.3-"))},
	{ID: "CP-9.4", Kind: Recorded, Sources: src("RoundRobinOperatorStateRepartitioner"), Recordings: join(rec("opstate", "opstate-spec-v16-", "opstate-split-same-p-", "opstate-finished-subtask-"), rec("job", "job-rescale-splits-"))},
	{ID: "CP-9.5", Kind: Recorded, Sources: src("StateAssignmentOperation", "StreamGraphHasherV2", "docs: savepoints.md"), Recordings: join(rec("mapping", "mapping-spec-9.5-", "mapping-operator-removed-", "mapping-operator-added-"), rec("job", "job-changed-uid-"))},
	{ID: "CP-9.6", Kind: Recorded, Sources: src("TypeSerializerSnapshot#resolveSchemaCompatibility", "PojoSerializerSnapshot", "StateMigrationException"), Recordings: rec("schema", "schema-spec-9.6-", "schema-pojo-", "schema-enum", "schema-tuple")},

	// Failures and recovery.
	// Barriers.
	{ID: "CP-4.1", Kind: Recorded, Sources: src("SingleCheckpointBarrierHandler", "CheckpointBarrierTracker"), Recordings: join(rec("barrier", "barrier-spec-v7", "barrier-newer-barrier", "barrier-cancel-", "barrier-end-of"), rec("job", "job-aligned-"))},
	{ID: "CP-4.2", Kind: Recorded, Sources: src("CheckpointBarrierTracker"), Recordings: join(rec("barrier", "barrier-at-least"), rec("job", "job-at-least-once-"))},
	{ID: "CP-4.3", Kind: Recorded, Simplified: true, Sources: src("AlternatingWaitingForFirstBarrierUnaligned", "ChannelStateWriterImpl", "RecordFilter"), Recordings: join(rec("barrier", "barrier-unaligned-three"), rec("job", "job-unaligned-"))},
	{ID: "CP-4.4", Kind: Recorded, Sources: src("BarrierAlignmentUtil", "AlternatingWaitingForFirstBarrier"), Recordings: rec("barrier", "barrier-spec-4.4", "barrier-timeout-")},
	{ID: "CP-4.5", Kind: Source, Simplified: true, Sources: src("CheckpointOptions#forceAligned", "StreamPartitioner#disableUnalignedCheckpoints", "FLINK-36287")},

	{ID: "CP-10.4", Kind: Recorded, Simplified: true, Sources: src("TwoPhaseCommittingStatefulSink", "CommitterOperator"), Recordings: join(rec("job", "job-two-phase-", "job-v8-", "job-v9-"), rec("kafka-sink", "expiry-between-barrier-and-completion-"))},
	{ID: "CP-11.1", Kind: Recorded, Sources: src("CheckpointCoordinator#restoreLatestCheckpointedStateInternal"), Recordings: rec("registry", "registry-ordinary-restarts-", "registry-restart-without-checkpoint", "registry-spec-v17-")},
	{ID: "CP-11.2", Kind: Source, Sources: src("RestartPipelinedRegionFailoverStrategy", "DefaultScheduler#restartTasksWithDelay", "SchedulerBase#restoreState")},
	{ID: "CP-11.3", Kind: Recorded, Simplified: true, Sources: src("RestartStrategyOptions", "FixedDelayRestartBackoffTimeStrategy", "FailureRateRestartBackoffTimeStrategy", "ExponentialDelayRestartBackoffTimeStrategy"), Recordings: rec("restart", "restart-")},
	{ID: "CP-11.4", Kind: Recorded, Sources: src("CheckpointCoordinator#addCompletedCheckpointToStoreAndSubsumeOldest", "PossibleInconsistentStateException", "FLINK-27570"), Recordings: join(rec("schedule", "schedule-spec-v10-", "schedule-store-write-fails"), rec("registry", "registry-spec-11.4-", "registry-store-failed-"), rec("job", "job-v8-", "job-v9-"))},
	{ID: "CP-11.5", Kind: Source, Simplified: true, Sources: src("StandaloneCompletedCheckpointStore", "DefaultCompletedCheckpointStoreUtils")},
	{ID: "CP-11.8", Kind: Judgement, Simplified: true, Sources: src("HeartbeatManagerOptions", "JobMaster.TaskManagerHeartbeatListener")},
	{ID: "CP-11.6", Kind: Source, Simplified: true, Sources: src("TaskLocalStateStoreImpl", "PrioritizedOperatorSubtaskState", "FLINK-36201")},
	{ID: "CP-11.7", Kind: Source, Simplified: true, Sources: src("PlaceholderStreamStateHandle", "RocksDBStateDownloader")},

	// Transactions of Kafka: coordinator.
	{ID: "K-1", Kind: Recorded, Sources: src("TransactionMetadata", "TransactionState"), Recordings: join(rec("kafka-txn", "v1-", "v2-", "fence-in-each-state-"), rec("kafka-proto", "k1-", "k22-empty"))},
	{ID: "K-2", Kind: Recorded, Sources: src("TransactionMetadata#prepareFenceProducerEpoch", "TransactionStateManager"), Recordings: rec("kafka-proto", "k9-init-while-", "v5-fence-abort-held-")},
	{ID: "K-3", Kind: Recorded, Simplified: true, Sources: src("TransactionStateManager#appendTransactionToLog", "TransactionCoordinator#onElection"), Recordings: join(rec("kafka-txn", "k3-"), rec("kafka-proto", "coordinator-moves-in-each-state-", "v5-prepare-commit-coordinator-moved-"))},
	{ID: "K-4", Kind: Source, Simplified: true, Sources: src("TransactionStateManager#partitionFor", "transaction.state.log.num.partitions")},
	{ID: "K-5", Kind: Recorded, Simplified: true, Sources: src("TransactionCoordinator#endTransaction", "TransactionMarkerChannelManager"), Recordings: join(rec("kafka-txn", "v5-", "k3-coordinator-moves-after-prepare-"), rec("kafka-proto", "v5-prepare-"))},

	// InitProducerId.
	{ID: "K-6", Kind: Recorded, Sources: src("TransactionCoordinator#handleInitProducerId"), Recordings: rec("kafka-txn", "k6-")},
	{ID: "K-7", Kind: Recorded, Sources: src("TransactionStateManager#validateTransactionTimeoutMs", "transaction.max.timeout.ms"), Recordings: join(rec("kafka-txn", "v9-"), rec("kafka-proto", "k7-"), rec("kafka-sink", "v9-"))},
	{ID: "K-8", Kind: Recorded, Sources: src("TransactionCoordinator#prepareInitProducerIdTransit", "TransactionMetadata"), Recordings: join(rec("kafka-txn", "k8-"), rec("kafka-proto", "k8-k11-init-table-", "k1-init-twice-"))},
	{ID: "K-9", Kind: Recorded, Sources: src("TransactionCoordinator#prepareInitProducerIdTransit", "KIP-98"), Recordings: join(rec("kafka-txn", "v6-", "three-instances-of-one-id-"), rec("kafka-proto", "k9-"))},
	{ID: "K-10", Kind: Recorded, Sources: src("TransactionMetadata#isProducerEpochExhausted", "KIP-890"), Recordings: join(rec("kafka-txn", "epoch-wraps-"), rec("kafka-proto", "k10-"))},
	{ID: "K-11", Kind: Recorded, Sources: src("TransactionCoordinator#prepareInitProducerIdTransit", "KIP-360"), Recordings: rec("kafka-proto", "k8-k11-init-table-", "k11-", "k9-init-while-ongoing-with-epoch-", "timed-out-then-init-with-epoch-", "coordinator-move-forgets-last-epoch-")},
	{ID: "K-12", Kind: Source, Sources: src("TransactionCoordinator", "KIP-98"), Recordings: rec("kafka-txn", "v24-abandoned-id-blocks-others-", "v18-overlap-of-two-ids-")},

	// Partitions, produce, sequences.
	{ID: "K-13", Kind: Recorded, Sources: src("TransactionCoordinator#handleAddPartitionsToTransaction", "TransactionManager"), Recordings: join(rec("kafka-txn", "k13-", "kill-before-first-record-"), rec("kafka-proto", "k13-"), rec("kafka-sink", "f2-exactly-once-buffered-clock-starts-", "f2-exactly-once-buffered-crash-never-sent-"))},
	{ID: "K-14", Kind: Recorded, Sources: src("ReplicaManager", "AddPartitionsToTxnManager", "KIP-890"), Recordings: join(rec("kafka-txn", "v12-late-produce-is-refused-"), rec("kafka-proto", "k14-", "txnoff-without-addoff-", "old-error-names-"))},
	{ID: "K-15", Kind: Recorded, Sources: src("ProducerStateEntry", "ProducerStateManager"), Recordings: rec("kafka-proto", "v7-", "k25-markers-by-hand-")},
	{ID: "K-16", Kind: Recorded, Sources: src("ProducerAppendInfo#checkProducerEpoch", "TransactionManager"), Recordings: join(rec("kafka-txn", "zombie-", "v6-"), rec("kafka-proto", "k16-", "v5-fence-abort-held-", "timed-out-held-then-produce-"))},
	{ID: "K-17", Kind: Recorded, Sources: src("ProducerAppendInfo#checkSequence", "ProducerStateEntry"), Recordings: rec("kafka-proto", "v7-", "k17-")},
	{ID: "K-18", Kind: Recorded, Sources: src("TransactionManager", "KIP-890"), Recordings: rec("kafka-txn", "k18-")},
	{ID: "K-19", Kind: Recorded, Sources: src("ProducerAppendInfo"), Recordings: rec("kafka-proto", "k19-")},
	{ID: "K-20", Kind: Recorded, Simplified: true, Sources: src("ProducerStateManager#removeExpiredProducers", "producer.id.expiration.ms"), Recordings: rec("kafka-proto", "k20-")},

	// EndTxn and markers.
	{ID: "K-21", Kind: Recorded, Sources: src("TransactionCoordinator#endTransactionWithTV1"), Recordings: rec("kafka-proto", "v10-", "v5-prepare-", "f16-resumed-commit")},
	{ID: "K-22", Kind: Recorded, Sources: src("TransactionCoordinator#endTransaction", "KIP-890"), Recordings: rec("kafka-proto", "v11", "k22-", "v5-prepare-", "timed-out-then-end-")},
	{ID: "K-23", Kind: Recorded, Sources: src("TransactionCoordinator#endTransaction"), Recordings: join(rec("kafka-txn", "v8a-"), rec("kafka-sink", "f8-commit-in-the-gap-"))},
	{ID: "K-24", Kind: Recorded, Simplified: true, Sources: src("EndTransactionMarker", "TransactionMarkerChannelManager"), Recordings: rec("kafka-txn", "v1-", "v5-", "v6-", "v8b-")},
	{ID: "K-25", Kind: Recorded, Simplified: true, Sources: src("ProducerAppendInfo#appendEndTxnMarker", "WriteTxnMarkersRequest"), Recordings: rec("kafka-proto", "k25-")},
	{ID: "K-26", Kind: Recorded, Sources: src("ProducerAppendInfo#appendEndTxnMarker"), Recordings: join(rec("kafka-proto", "k26-", "timed-out-without-data-"), rec("kafka-sink", "f2-exactly-once-buffered-crash-never-sent-"))},

	// Timeouts and expiry.
	{ID: "K-27", Kind: Source, Sources: src("ProducerConfig", "KafkaSinkBuilder"), Recordings: rec("kafka-sink", "v9-flink-default-timeout-refused-")},
	{ID: "K-28", Kind: Recorded, Simplified: true, Sources: src("TransactionStateManager#timedOutTransactions", "TransactionCoordinator#abortTimedOutTransactions"), Recordings: join(rec("kafka-txn", "v8b-", "v8c-", "two-ids-time-out-"), rec("kafka-proto", "k28-"), rec("kafka-sink", "f8-timeout-boundary-exact-"))},
	{ID: "K-29", Kind: Recorded, Sources: src("TransactionCoordinator#abortTimedOutTransactions", "TransactionMetadata"), Recordings: join(rec("kafka-txn", "v8b-", "v22a-", "v22b-", "v22c-"), rec("kafka-proto", "timed-out-"))},
	{ID: "K-30", Kind: Recorded, Simplified: true, Sources: src("TransactionStateManager#removeExpiredTransactionalIds", "transactional.id.expiration.ms"), Recordings: join(rec("kafka-txn", "v17-"), rec("kafka-proto", "id-expired-", "id-expiry-"), rec("kafka-sink", "f28-", "f33-restore-"))},

	// What readers see.
	{ID: "K-31", Kind: Recorded, Simplified: true, Sources: src("UnifiedLog", "ProducerStateManager#firstUnstableOffset"), Recordings: join(rec("kafka-txn", "v3-", "v4-", "v18-", "delete-"), rec("kafka-proto", "deleted-records-"))},
	{ID: "K-32", Kind: Recorded, Sources: src("LocalLog#read", "CompletedFetch"), Recordings: join(rec("kafka-txn", "v4-", "k32-", "plain-between-"), rec("kafka-sink", "v4-"))},
	{ID: "K-33", Kind: Recorded, Sources: src("TransactionIndex", "AbortedTxn"), Recordings: rec("kafka-txn", "v2-", "v3-", "v14-")},
	{ID: "K-34", Kind: Recorded, Sources: src("CompletedFetch"), Recordings: rec("kafka-txn", "v2-", "v14-", "v3-")},
	{ID: "K-35", Kind: Source, Sources: src("SubscriptionState#partitionLag", "ConsumerGroupCommand", "ListOffsetsOptions"), Recordings: rec("kafka-txn", "v4-")},
	{ID: "K-36", Kind: Recorded, Sources: src("KafkaConsumer#position", "spring-projects/spring-kafka#1587"), Recordings: rec("kafka-txn", "v15-")},
	{ID: "K-37", Kind: Source, Sources: src("ConsumerConfig", "isolation.level", "docs: librdkafka CONFIGURATION.md")},
	{ID: "K-38", Kind: Source, Simplified: true, Sources: src("TransactionMarkerChannelManager", "KIP-98"), Recordings: rec("kafka-txn", "k38-", "v5-")},
	{ID: "K-39", Kind: Recorded, Simplified: true, Sources: src("KafkaProducer#sendOffsetsToTransaction", "GroupCoordinator", "KIP-447"), Recordings: join(rec("kafka-txn", "v16-", "zombie-offsets-"), rec("kafka-proto", "v16-", "txnoff-without-addoff-"))},

	// Hanging transactions.
	{ID: "K-40", Kind: Recorded, Sources: src("KIP-664", "KIP-890", "KAFKA-9144"), Recordings: join(rec("kafka-txn", "v12-"), rec("kafka-proto", "k40-"))},
	{ID: "K-41", Kind: Source, Simplified: true, Sources: src("ProducerStateManager#hasLateTransaction", "ReplicaManager", "KIP-664")},
	{ID: "K-42", Kind: Recorded, Simplified: true, Sources: src("TransactionsCommand", "KIP-664"), Recordings: rec("kafka-txn", "aborttxn-", "v12-hanging-", "v24-fence-unblocks-")},

	// KafkaSink: guarantees and set-up.
	{ID: "F-1", Kind: Source, Sources: src("KafkaSinkBuilder", "KafkaConnectorOptions", "sink.delivery-guarantee")},
	{ID: "F-2", Kind: Recorded, Sources: src("KafkaWriter#flush", "DeliveryGuarantee"), Recordings: rec("kafka-sink", "f2-", "v19-at-least-once-", "v18-")},
	{ID: "F-3", Kind: Recorded, Simplified: true, Sources: src("KafkaSinkBuilder#build", "KafkaDatasetFacetProvider"), Recordings: rec("kafka-sink", "f3-")},
	{ID: "F-4", Kind: Recorded, Sources: src("KafkaSinkBuilder", "TransactionManager", "transaction.max.timeout.ms"), Recordings: rec("kafka-sink", "v9-")},
	{ID: "F-5", Kind: Recorded, Sources: src("BackchannelFactory"), Recordings: rec("kafka-sink", "f5-")},
	{ID: "F-6", Kind: Source, Simplified: true, Sources: src("KafkaSink", "Transformation#setCoLocationGroupKey")},

	// The life of a transaction.
	{ID: "F-7", Kind: Recorded, Sources: src("TransactionNamingStrategyImpl", "TransactionalIdFactory"), Recordings: rec("kafka-sink", "v18-", "f23-")},
	{ID: "F-8", Kind: Recorded, Sources: src("ExactlyOnceKafkaWriter"), Recordings: rec("kafka-sink", "v18-", "v22d-", "f8-timeout-clock-starts-at-first-record-")},
	{ID: "F-9", Kind: Recorded, Sources: src("ExactlyOnceKafkaWriter", "KafkaWriter#flush", "ProducerPoolImpl"), Recordings: rec("kafka-sink", "v18-", "f9-", "v22c-")},
	{ID: "F-10", Kind: Recorded, Sources: src("CommitterOperator#notifyCheckpointComplete", "CommittableCollector"), Recordings: rec("kafka-sink", "v18-", "declined-then-completed-", "two-barriers-one-notify-", "notify-after-next-barrier-")},
	{ID: "F-11", Kind: Recorded, Sources: src("ExactlyOnceKafkaWriter", "CommitterOperator"), Recordings: rec("kafka-sink", "v18-")},
	{ID: "F-12", Kind: Recorded, Simplified: true, Sources: src("KafkaCommitter", "CheckpointCommittableManagerImpl", "FLINK-39072"), Recordings: rec("kafka-sink", "f12-", "v21-", "v22b-", "f33-restore-")},
	{ID: "F-13", Kind: Recorded, Sources: src("SinkCommitterMetricGroup", "CommitRequestImpl"), Recordings: rec("kafka-sink", "v21-", "v20b-", "expiry-")},
	{ID: "F-14", Kind: Recorded, Sources: src("ExactlyOnceKafkaWriter#close"), Recordings: rec("kafka-sink", "f14-", "cancel-", "crash-after-barrier-", "f2-exactly-once-buffered-cancel-")},

	// Recovery.
	{ID: "F-15", Kind: Recorded, Sources: src("CommitterOperator#initializeState", "FlinkKafkaInternalProducer#resumeTransaction"), Recordings: rec("kafka-sink", "v20a-", "crash-after-completion-", "v19-crash-")},
	{ID: "F-16", Kind: Recorded, Simplified: true, Sources: src("FlinkKafkaInternalProducer#resumeTransaction", "KIP-890", "FLINK-40689"), Recordings: join(rec("kafka-sink", "v20b-", "f16-"), rec("kafka-proto", "f16-"))},
	{ID: "F-17", Kind: Recorded, Sources: src("KafkaCommitter", "FLIP-319", "KIP-939"), Recordings: rec("kafka-sink", "v21-", "v21b-", "expiry-between-")},
	{ID: "F-18", Kind: Recorded, Sources: src("KafkaWriter", "ExactlyOnceKafkaWriter"), Recordings: rec("kafka-sink", "v22a-", "v22b-")},

	// Transactions that were left open.
	{ID: "F-19", Kind: Recorded, Sources: src("TransactionAbortStrategyImpl#PROBING", "apache/flink#17019"), Recordings: rec("kafka-sink", "v18-", "v19-crash-", "tight-restart-loop-incr-", "restart-without-state-incr-")},
	{ID: "F-20", Kind: Recorded, Sources: src("TransactionNamingStrategyImpl#INCREMENTING"), Recordings: rec("kafka-sink", "f20-")},
	{ID: "F-21", Kind: Recorded, Simplified: true, Sources: src("TransactionAbortStrategyImpl#LISTING", "TransactionOwnership", "FLINK-34554"), Recordings: rec("kafka-sink", "crash-before-barrier-pooling-", "restart-without-state-pooling-", "f28-first-id-forgotten-fresh-start-pooling-")},
	{ID: "F-22", Kind: Recorded, Sources: src("TransactionAbortStrategyImpl#LISTING"), Recordings: rec("kafka-sink", "f22-")},
	{ID: "F-23", Kind: Recorded, Sources: src("TransactionNamingStrategyImpl#POOLING", "FLINK-34554"), Recordings: rec("kafka-sink", "f23-")},
	{ID: "F-24", Kind: Recorded, Sources: src("TransactionAbortStrategyImpl#LISTING", "FLINK-40626"), Recordings: rec("kafka-sink", "f24-")},
	{ID: "F-25", Kind: Recorded, Sources: src("TransactionOwnership", "KafkaWriterState"), Recordings: rec("kafka-sink", "f25-")},
	{ID: "F-26", Kind: Recorded, Sources: src("TransactionAbortStrategyImpl", "TransactionOwnership"), Recordings: rec("kafka-sink", "f26-", "rescale-")},
	{ID: "F-27", Kind: Recorded, Sources: src("ExactlyOnceKafkaWriter", "KafkaWriterState"), Recordings: rec("kafka-sink", "f27-", "v24-prefix-changed-without-state-")},
	{ID: "F-28", Kind: Recorded, Sources: src("TransactionAbortStrategyImpl#PROBING", "transactional.id.expiration.ms"), Recordings: rec("kafka-sink", "f28-")},
	{ID: "F-29", Kind: Recorded, Sources: src("TransactionAbortStrategyImpl#PROBING", "FLINK-37380"), Recordings: rec("kafka-sink", "f29-", "v23-", "fence-empty-transaction-")},

	// Latency, savepoints, end of input.
	{ID: "F-30", Kind: Judgement, Simplified: true, Sources: src("CommitterOperator", "docs: datastream/kafka.md"), Recordings: rec("kafka-sink", "v18-")},
	{ID: "F-31", Kind: Source, Simplified: true, Sources: src("CommitterOperator#endInput")},
	{ID: "F-32", Kind: Recorded, Sources: src("CommitterOperator#notifyCheckpointComplete", "KafkaCommitter"), Recordings: rec("kafka-sink", "declined-", "f32a-", "f32b-")},
	{ID: "F-33", Kind: Recorded, Sources: src("CommitterOperator", "docs: savepoints.md", "FLIP-572"), Recordings: rec("kafka-sink", "v25-", "savepoint-no-notify-crash-", "f33-restore-")},
	{ID: "F-34", Kind: Recorded, Sources: src("CommitterOperator#initializeState", "TransactionAbortStrategyImpl"), Recordings: rec("kafka-sink", "f34-")},

	// What the lab itself does.
	{ID: "LAB-1", Kind: Judgement, Sources: src("sim.Kernel")},
	{ID: "LAB-2", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
	{ID: "LAB-3", Kind: Judgement, Simplified: true, Sources: src("sim.Kernel", "sim/flink")},
	{ID: "LAB-4", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
	{ID: "LAB-5", Kind: Judgement, Sources: src("sim.Faults")},
	{ID: "LAB-6", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
	{ID: "LAB-8", Kind: Judgement, Simplified: true, Sources: src("sim/world", "sim/objectstore")},
	{ID: "LAB-9", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
	{ID: "LAB-10", Kind: Source, Simplified: true, Sources: src("StreamingJobGraphGenerator#isChainable", "RegularOperatorChain")},
	{ID: "LAB-15", Kind: Judgement, Simplified: true, Sources: src("Partition#maybeIncrementLeaderHW", "Partition#maybeShrinkIsr", "min.insync.replicas", "unclean.leader.election.enable")},
	{ID: "LAB-16", Kind: Judgement, Simplified: true, Sources: src("UnifiedLog#deleteOldSegments", "log.retention.check.interval.ms", "auto.offset.reset")},
	{ID: "LAB-17", Kind: Source, Simplified: true, Sources: src("TransactionManager", "KafkaApis", "StandardAuthorizer")},
	{ID: "LAB-18", Kind: Judgement, Simplified: true, Sources: src("sim/world")},
	{ID: "LAB-7", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
}
