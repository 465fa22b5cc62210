package flink

import (
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
)

// A directory that begins so lies on the disk of whoever writes: each process
// has its own (INC-29). What another one has written it does not find, and what
// was on the disk of a process that ended is gone with its host.
const localScheme = "file:"

// hostOf is the process that wrote an object of the job: its TaskManager, or
// the JobManager.
func (j *Job) hostOf(o objectstore.Info) string {
	if o.Owner == checkpoint.JobManager {
		return JobManagerName
	}
	_, subtask, _ := strings.Cut(o.Owner, " ")
	return j.managerOf(subtask)
}

// dropDisk deletes what a process had on its own disk: another host takes its
// place.
func (j *Job) dropDisk(host string, cause *sim.Step) {
	for _, o := range j.cluster.Store.Objects() {
		if strings.HasPrefix(o.Key, localScheme) && j.hostOf(o) == host {
			if _, err := j.cluster.Store.Erase(o.Key); err != nil {
				continue
			}
			j.kernel.Emit("lab", "LAB-9", sim.ObjectDeleted{Path: o.Key, Size: o.Size, By: "host"}, cause)
		}
	}
	j.cluster.Forget()
}

// elsewhere is what a process gets when it reads a file that lies on the disk of
// another one.
func (j *Job) elsewhere(h checkpoint.Handle, host string) error {
	if h.Kind == checkpoint.Inline || !strings.HasPrefix(h.Path, localScheme) {
		return nil
	}
	if o, known := j.cluster.Store.Stat(h.Path); known && j.hostOf(o) == host {
		return nil
	}
	return &sim.Exception{Class: "java.io.FileNotFoundException", Message: strings.TrimPrefix(h.Path, localScheme+"//") + " (No such file or directory)", Rule: "LAB-9"}
}
