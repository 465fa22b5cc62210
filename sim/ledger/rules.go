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

// The rules, by number. Classes are those of Flink 2.2.1.
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

	// The JobManager's half of checkpoints, and what else is needed already.
	{ID: "CP-1.1", Kind: Recorded, Simplified: true, Sources: src("CheckpointCoordinator#startTriggeringCheckpoint", "OperatorCoordinatorCheckpoints"), Recordings: rec("schedule", "schedule-spec-1.1-", "schedule-coordinator-snapshot-")},
	{ID: "CP-1.2", Kind: Recorded, Sources: src("CheckpointIDCounter", "CheckpointCoordinator"), Recordings: join(rec("schedule", "schedule-spec-2.9a-", "schedule-spec-v2b-"), rec("registry", "registry-spec-v5-"))},
	{ID: "CP-1.4", Kind: Recorded, Sources: src("CheckpointCoordinator#receiveAcknowledgeMessage"), Recordings: rec("registry", "registry-spec-1.4-")},
	{ID: "CP-1.5", Kind: Recorded, Sources: src("CheckpointCoordinator#completePendingCheckpoint"), Recordings: rec("schedule", "schedule-spec-1.5-", "schedule-newer-completes-first-")},
	{ID: "CP-1.6", Kind: Recorded, Sources: src("CheckpointCoordinator#abortPendingCheckpoint"), Recordings: rec("schedule", "schedule-spec-v3-counter-", "schedule-every-decline-reason-")},
	{ID: "CP-1.7", Kind: Recorded, Sources: src("DefaultCheckpointPlanCalculator"), Recordings: rec("schedule", "schedule-finished-", "schedule-two-sources-one-finished")},
	{ID: "CP-2.2", Kind: Recorded, Sources: src("CheckpointCoordinator.ScheduledTrigger"), Recordings: rec("schedule", "schedule-spec-2.7-", "schedule-queued-ticks-")},
	{ID: "CP-2.3", Kind: Recorded, Sources: src("CheckpointRequestDecider"), Recordings: rec("schedule", "schedule-spec-v1-", "schedule-min-pause-exact-boundary", "schedule-slow-deletes-")},
	{ID: "CP-2.8", Kind: Recorded, Sources: src("CheckpointCoordinator#triggerSavepoint", "CheckpointProperties"), Recordings: rec("schedule", "schedule-spec-2.8-", "schedule-manual-checkpoint-")},
	{ID: "CP-3.3", Kind: Recorded, Sources: src("CheckpointFailureManager#handleTaskLevelCheckpointException"), Recordings: rec("schedule", "schedule-stop-with-savepoint-declined-", "schedule-savepoint-expires-", "schedule-savepoint-declined-")},
	{ID: "CP-3.4", Kind: Recorded, Sources: src("CheckpointFailureManager", "execution.checkpointing.tolerable-failed-checkpoints"), Recordings: rec("schedule", "schedule-spec-v3-counter-", "schedule-counter-cleared-")},
	{ID: "CP-5.1", Kind: Source, Sources: src("AbstractFsCheckpointStorageAccess")},
	{ID: "CP-5.3", Kind: Recorded, Sources: src("CheckpointSubsumeHelper", "execution.checkpointing.num-retained"), Recordings: rec("registry", "registry-spec-5.3-")},
	{ID: "CP-5.4", Kind: Recorded, Simplified: true, Sources: src("CompletedCheckpoint", "FsCompletedCheckpointStorageLocation", "FLINK-38909"), Recordings: rec("registry", "registry-spec-v4-", "registry-claim-savepoint-then-")},
	{ID: "CP-5.6", Kind: Recorded, Sources: src("SharedStateRegistryImpl", "FLINK-24611"), Recordings: rec("registry", "registry-spec-5.6-", "registry-spec-v4-", "registry-spec-v5-")},
	{ID: "CP-5.7", Kind: Recorded, Sources: src("SharedStateRegistryKey", "PlaceholderStreamStateHandle", "FLINK-29913"), Recordings: rec("registry", "registry-unknown-placeholder", "registry-no-claim-placeholder-")},
	{ID: "CP-8.7", Kind: Recorded, Sources: src("CheckpointProperties#forUnclaimedSnapshot", "execution.state-recovery.claim-mode"), Recordings: rec("registry", "registry-spec-v11-", "registry-no-claim-")},
	{ID: "CP-8.10", Kind: Recorded, Sources: src("SharedStateRegistryFactory", "SharedStateRegistryImpl#registerAllAfterRestored"), Recordings: rec("registry", "registry-spec-v13-")},
	{ID: "CP-9.3", Kind: Recorded, Sources: src("StateAssignmentOperation#checkParallelismPreconditions", "Checkpoints#loadAndValidateCheckpoint"), Recordings: rec("mapping", "mapping-spec-v16-", "mapping-spec-9.3-", "mapping-stateless-stored-maxp-", "mapping-chained-different-stored-maxp", "mapping-a0012")},
	{ID: "CP-9.4", Kind: Recorded, Simplified: true, Sources: src("RoundRobinOperatorStateRepartitioner"), Recordings: rec("job", "job-rescale-splits-")},
	{ID: "CP-9.5", Kind: Recorded, Sources: src("Checkpoints#loadAndValidateCheckpoint", "StreamGraphHasherV2#generateUserSpecifiedHash"), Recordings: rec("mapping", "mapping-spec-9.5-", "mapping-operator-")},
	{ID: "CP-11.3", Kind: Recorded, Simplified: true, Sources: src("RestartStrategyOptions", "FixedDelayRestartBackoffTimeStrategy", "FailureRateRestartBackoffTimeStrategy", "ExponentialDelayRestartBackoffTimeStrategy"), Recordings: rec("restart", "restart-")},
	{ID: "CP-11.1", Kind: Recorded, Sources: src("CheckpointCoordinator#restoreLatestCheckpointedStateInternal"), Recordings: rec("registry", "registry-ordinary-restarts-", "registry-restart-without-checkpoint", "registry-spec-v17-")},
	{ID: "CP-11.4", Kind: Recorded, Sources: src("CheckpointCoordinator#addCompletedCheckpointToStoreAndSubsumeOldest", "PossibleInconsistentStateException", "FLINK-27570"), Recordings: join(rec("schedule", "schedule-spec-v10-", "schedule-store-write-fails"), rec("registry", "registry-spec-11.4-", "registry-store-failed-"))},

	// What the lab itself does.
	{ID: "LAB-1", Kind: Judgement, Sources: src("sim.Kernel")},
	{ID: "LAB-2", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
	{ID: "LAB-3", Kind: Judgement, Simplified: true, Sources: src("sim.Kernel", "sim/flink")},
	{ID: "LAB-4", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
	{ID: "LAB-5", Kind: Judgement, Sources: src("sim.Faults")},
	{ID: "LAB-6", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
	{ID: "LAB-7", Kind: Judgement, Simplified: true, Sources: src("sim/flink")},
}
