package sim

// StepSchema is the version of the steps as JSON. It rises when a field goes or
// changes its meaning; a new type or a new field does not raise it.
const StepSchema = 1

// StepTypes lists a zero value of every type of step, in the order of the
// files that declare them. Documents and catalogues are held against it.
func StepTypes() []Body {
	return []Body{
		// steps_broker.go
		ProducerForgotten{}, BatchRepeated{},
		// steps_checkpoint.go
		CheckpointTriggered{}, CheckpointQueued{}, CheckpointDropped{}, CheckpointRejected{},
		CoordinatorSnapshotted{}, BarrierEmitted{}, BarrierReceived{}, SnapshotTaken{}, InFlightRestored{}, FileUploaded{},
		CheckpointFinalizing{}, CheckpointNotified{},
		CheckpointAcknowledged{}, CheckpointAcknowledgedLate{}, CheckpointRefused{}, CheckpointDeclined{},
		CheckpointCompleted{}, CheckpointAborted{}, CheckpointSubsumed{}, CheckpointDiscarded{},
		SharedStateUnregistered{}, CleanUpFailed{}, TreeEdited{}, StateSkipped{}, ObjectDeleted{}, StoreChanged{},
		JobCanceled{}, JobManagerLost{},
		// steps_job.go
		CommandGiven{}, JobStarted{}, StateRestored{}, TaskFailed{}, FaultInjected{}, JobFailed{}, JobRestarting{}, JobFinished{},
		JobStopped{}, TaskManagerLost{}, TaskManagerFrozen{}, TaskManagerWoke{}, JobManagerRecovered{}, PointerWritten{},
		SourceEnded{}, SplitAdded{}, SplitRemoved{}, BackpressureChanged{}, Slowed{},
		// steps_consumer.go
		ConsumerStarted{}, ConsumerMoved{}, ConsumerPolled{}, ConsumerFailed{}, ConsumerClosed{},
		// steps_kafka.go
		BatchAppended{}, MarkerWritten{}, TransactionChanged{}, TransactionalIDForgotten{}, RequestRefused{}, RequestLost{}, ClientWaits{},
		ClientChanged{}, CoordinatorChanged{}, TopicCreated{}, BrokerConfigured{}, CommitAttempted{}, CommittableEmitted{}, OffsetsCommitted{}, RecordsDeleted{},
		// steps_record.go
		RecordRead{}, RecordPlaced{}, RecordDropped{}, RecordLate{}, RecordVanished{}, RecordProcessed{}, RecordWaiting{},
		RecordStamped{}, BroadcastStored{}, BroadcastApplied{}, ResultWritten{},
		// steps_replication.go
		MarkerDelayed{}, HighWatermarkAdvanced{}, InSyncChanged{}, LeaderChanged{}, BrokerChanged{}, OffsetReset{}, AccessChanged{},
		// steps_sink.go
		TransactionOpened{}, TransactionPrecommitted{}, TransactionCommitted{}, TransactionCommitFailed{}, TransactionAborted{},
		// steps_time.go
		SplitWatermark{}, SplitStatus{}, WatermarkEmitted{}, WatermarkHeld{}, WatermarkAdvanced{},
		StatusChanged{}, AlignmentAnnounced{}, SplitPaused{}, SplitResumed{}, WatermarkLost{},
		// steps_tool.go
		ToolReported{},
		// steps_window.go
		WindowFired{}, WindowCleaned{}, WindowMerged{}, WindowReplaced{}, BufferFlushed{}, TimerFired{},
		JoinMatched{}, JoinRemoved{},
	}
}
