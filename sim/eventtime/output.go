package eventtime

// A WatermarkOutput takes what a watermark generator says. It mirrors Flink's
// interface of that name.
type WatermarkOutput interface {
	// EmitWatermark offers a watermark. Offering is not emitting: a gate may
	// drop it (EV-1.4).
	EmitWatermark(timestamp int64)
	// MarkIdle says that nothing is to be waited for here.
	MarkIdle()
	// MarkActive takes that back.
	MarkActive()
}

// A TimeOutput takes watermarks and statuses on their way downstream.
type TimeOutput interface {
	EmitWatermark(timestamp int64)
	EmitWatermarkStatus(status WatermarkStatus)
}

// A DataOutput takes everything that leaves an operator which moves records
// along and decides about time. It mirrors PushingAsyncDataInput.DataOutput.
// The caller knows which record it gave in; only the timestamp can be new.
type DataOutput interface {
	TimeOutput
	// EmitRecord sends the record that is being processed downstream.
	EmitRecord(timestamp int64)
}
