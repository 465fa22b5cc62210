package eventtime

import "streaminglab/sim"

// An AlignedReader is the reader's side of alignment (EV-3.5): it decides
// when the reader waits, which splits are paused, and what is reported. It
// mirrors the alignment part of SourceOperator; in 2.2 there is no buffer
// before the decision. It gates by watermark and not by the records'
// timestamps, so a reader overshoots by up to a probe.
//
// A split that was released while paused is forgotten here; Flink would fail
// if a split of the same name came back and was resumed.
type AlignedReader struct {
	maxAllowed int64
	latest     int64
	reported   bool
	idle       bool
	waiting    bool
	splits     []alignedSplit // in the order of their first watermark
	control    AlignmentControl
}

type alignedSplit struct {
	split     string
	watermark int64
	paused    bool
}

// AlignmentControl carries out what an AlignedReader decides: it stops and
// starts reading and the idle clocks (ProgressiveTimestampsAndWatermarks).
type AlignmentControl interface {
	// WaitForAlignment says that the whole reader waits, or no longer does.
	WaitForAlignment(wait bool)
	// PauseOrResumeSplits names the splits to stop and those to go on.
	PauseOrResumeSplits(pause, resume []string)
}

// NewAlignedReader returns a reader that was not told of any limit yet.
func NewAlignedReader(control AlignmentControl) *AlignedReader {
	return &AlignedReader{maxAllowed: sim.MaxTime, latest: sim.MinTime, control: control}
}

// UpdateIdle takes the reader's status.
func (r *AlignedReader) UpdateIdle(idle bool) { r.idle = idle }

// UpdateCurrentEffectiveWatermark takes the reader's own watermark.
func (r *AlignedReader) UpdateCurrentEffectiveWatermark(timestamp int64) {
	r.latest, r.reported = timestamp, true
	r.checkWatermarkAlignment()
}

// UpdateCurrentSplitWatermark takes a split's own watermark: a split that
// passes the limit is paused at once.
func (r *AlignedReader) UpdateCurrentSplitWatermark(split string, timestamp int64) {
	s := r.find(split)
	if s == nil {
		r.splits = append(r.splits, alignedSplit{split: split})
		s = &r.splits[len(r.splits)-1]
	}
	s.watermark = timestamp
	if timestamp > r.maxAllowed && !s.paused {
		s.paused = true
		r.control.PauseOrResumeSplits([]string{split}, nil)
	}
}

// SplitFinished forgets a split.
func (r *AlignedReader) SplitFinished(split string) {
	for i := range r.splits {
		if r.splits[i].split == split {
			r.splits = append(r.splits[:i:i], r.splits[i+1:]...)
			return
		}
	}
}

// HandleWatermarkAlignmentEvent takes the coordinator's announcement.
func (r *AlignedReader) HandleWatermarkAlignmentEvent(maxAllowed int64) {
	r.maxAllowed = maxAllowed
	r.checkWatermarkAlignment()
	var pause, resume []string
	for i := range r.splits {
		s := &r.splits[i]
		switch over := s.watermark > maxAllowed; {
		case over && !s.paused:
			s.paused = true
			pause = append(pause, s.split)
		case !over && s.paused:
			s.paused = false
			resume = append(resume, s.split)
		}
	}
	if len(pause) > 0 || len(resume) > 0 {
		r.control.PauseOrResumeSplits(pause, resume)
	}
}

// ReportedWatermark is what the reader reports at each update interval, MAX if
// it is idle. Before its first watermark it reports nothing.
func (r *AlignedReader) ReportedWatermark() (timestamp int64, ok bool) {
	if !r.reported {
		return 0, false
	}
	if r.idle {
		return sim.MaxTime, true
	}
	return r.latest, true
}

// MaxAllowed is the limit last announced, MAX before the first.
func (r *AlignedReader) MaxAllowed() int64 { return r.maxAllowed }

// Waiting says whether the whole reader waits.
func (r *AlignedReader) Waiting() bool { return r.waiting }

// SplitPaused says whether alignment paused the split.
func (r *AlignedReader) SplitPaused(split string) bool {
	s := r.find(split)
	return s != nil && s.paused
}

func (r *AlignedReader) checkWatermarkAlignment() {
	if wait := r.latest > r.maxAllowed; wait != r.waiting {
		r.waiting = wait
		r.control.WaitForAlignment(wait)
	}
}

func (r *AlignedReader) find(split string) *alignedSplit {
	for i := range r.splits {
		if r.splits[i].split == split {
			return &r.splits[i]
		}
	}
	return nil
}
