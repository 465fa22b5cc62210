package world

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/flink"
	"streaminglab/sim/state"
)

// Flink's option keys that the lab knows. Later says in which chapter an
// option comes to life; until then it is refused with that answer.
const (
	optionParallelism     = "parallelism.default"
	optionMaxParallelism  = "pipeline.max-parallelism"
	optionWatermark       = "pipeline.auto-watermark-interval"
	optionIdleTimeout     = "table.exec.source.idle-timeout"
	optionRestart         = "restart-strategy.type"
	optionRestartAttempts = "restart-strategy.fixed-delay.attempts"
	optionRestartDelay    = "restart-strategy.fixed-delay.delay"
	optionBackend         = "state.backend.type"

	optionBuffers           = "taskmanager.network.memory.buffers-per-channel"
	optionChaining          = "pipeline.operator-chaining.enabled"
	optionFloating          = "taskmanager.network.memory.floating-buffers-per-gate"
	optionSlots             = "taskmanager.numberOfTaskSlots"
	optionHeartbeatInterval = "heartbeat.interval"
	optionHeartbeatTimeout  = "heartbeat.timeout"
	optionHA                = "high-availability.type"
	optionHADirectory       = "high-availability.storageDir"

	optionForStPrimary = "state.backend.forst.primary-dir"
	optionForStLocal   = "state.backend.forst.sync.enforce-local"
	optionForStCache   = "state.backend.forst.cache.size-based-limit"

	optionInterval      = "execution.checkpointing.interval"
	optionMinPause      = "execution.checkpointing.min-pause"
	optionTimeout       = "execution.checkpointing.timeout"
	optionMaxConcurrent = "execution.checkpointing.max-concurrent-checkpoints"
	optionTolerable     = "execution.checkpointing.tolerable-failed-checkpoints"
	optionRetained      = "execution.checkpointing.num-retained"
	optionRetention     = "execution.checkpointing.externalized-checkpoint-retention"
	optionIncremental   = "execution.checkpointing.incremental"
	optionMode          = "execution.checkpointing.mode"
	optionLocalBackup   = "execution.checkpointing.local-backup.enabled"
	optionFromLocal     = "execution.state-recovery.from-local"
	optionUnaligned     = "execution.checkpointing.unaligned.enabled"
	optionAligned       = "execution.checkpointing.aligned-checkpoint-timeout"
	optionInline        = "execution.checkpointing.data-inline-threshold"
	optionDirectory     = "execution.checkpointing.dir"
	optionSavepoints    = "execution.checkpointing.savepoint-dir"

	optionFailureRate         = "restart-strategy.failure-rate.max-failures-per-interval"
	optionFailureRateInterval = "restart-strategy.failure-rate.failure-rate-interval"
	optionFailureRateDelay    = "restart-strategy.failure-rate.delay"

	optionExponentialInitial    = "restart-strategy.exponential-delay.initial-backoff"
	optionExponentialMax        = "restart-strategy.exponential-delay.max-backoff"
	optionExponentialMultiplier = "restart-strategy.exponential-delay.backoff-multiplier"
	optionExponentialReset      = "restart-strategy.exponential-delay.reset-backoff-threshold"
	optionExponentialJitter     = "restart-strategy.exponential-delay.jitter-factor"
	optionExponentialAttempts   = "restart-strategy.exponential-delay.attempts-before-reset-backoff"
)

var laterOptions = map[string]string{
	"table.local-time-zone":              "sql",
	"table.exec.emit.early-fire.enabled": "sql",
	"table.exec.emit.late-fire.enabled":  "sql",
	"table.exec.emit.allow-lateness":     "sql",
	"table.exec.mini-batch.enabled":      "sql",
}

// OptionKeys lists the option keys that a job file of this chapter may set.
func OptionKeys() []string {
	return []string{
		optionParallelism, optionMaxParallelism, optionWatermark, optionIdleTimeout,
		optionRestart, optionRestartAttempts, optionRestartDelay, optionBackend,
		optionFailureRate, optionFailureRateInterval, optionFailureRateDelay,
		optionExponentialInitial, optionExponentialMax, optionExponentialMultiplier, optionExponentialReset,
		optionExponentialJitter, optionExponentialAttempts,
		optionInterval, optionMinPause, optionTimeout, optionMaxConcurrent, optionTolerable, optionRetained, optionRetention,
		optionMode, optionLocalBackup, optionFromLocal, optionUnaligned, optionAligned, optionIncremental, optionInline, optionDirectory, optionSavepoints,
		optionForStPrimary, optionForStLocal, optionForStCache,
		optionChaining, optionBuffers, optionFloating, optionSlots, optionHeartbeatInterval, optionHeartbeatTimeout, optionHA, optionHADirectory,
	}
}

// optionWords are the values of options that are words, as Flink writes them.
var optionWords = map[string][]string{
	optionBackend: {"hashmap", "rocksdb", "forst", "copying"},
	optionRestart: {flink.RestartNone, flink.RestartFixedDelay, flink.RestartExponentialDelay, flink.RestartFailureRate},
	optionRetention: {
		string(checkpoint.NoExternalizedCheckpoints), string(checkpoint.DeleteOnCancellation), string(checkpoint.RetainOnCancellation),
	},
	optionChaining:    {"true", "false"},
	optionHA:          {"NONE", "zookeeper", "kubernetes"},
	optionMode:        {"EXACTLY_ONCE", "AT_LEAST_ONCE"},
	optionLocalBackup: {"true", "false"},
	optionFromLocal:   {"true", "false"},
	optionUnaligned:   {"true", "false"},
	optionIncremental: {"true", "false"},
	optionForStLocal:  {"true", "false"},
}

// meantOption is the option that a path of set names when it leaves out
// flinkConfiguration, "" when it is a path of the job file.
func meantOption(root *node, path string) string {
	head, _, dotted := strings.Cut(path, ".")
	all := allOptionKeys()
	if slices.Contains(all, path) {
		return path
	}
	if !dotted || root.get(head) != nil || Nearest(head, jobKeys) != "" {
		return ""
	}
	var heads []string
	for _, k := range all {
		h, _, _ := strings.Cut(k, ".")
		heads = append(heads, h)
	}
	if Nearest(head, heads) == "" {
		return ""
	}
	return Nearest(path, all)
}

func allOptionKeys() []string {
	out := OptionKeys()
	for k := range laterOptions {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// config is flinkConfiguration with Flink's defaults.
type config struct {
	parallelism    int
	maxParallelism int
	interval       int64
	idleTimeout    int64
	restart        flink.RestartStrategy
	backend        state.Backend
	checkpointing  flink.Checkpointing
	forSt          flink.ForStSpec
	slots          int
	chaining       bool
	// unchained : somebody has said that nothing is chained.
	unchained  bool
	network    flink.NetworkSpec
	heartbeats flink.Heartbeats
	ha         flink.HighAvailabilitySpec
}

func defaultConfig() config {
	return config{
		parallelism: 1,
		interval:    200,
		restart:     flink.DefaultRestartStrategy(),
		backend:     state.Heap,

		slots: 1, network: flink.DefaultNetwork(), heartbeats: flink.DefaultHeartbeats(), ha: flink.HighAvailabilitySpec{Directory: "ha"},
		checkpointing: flink.DefaultCheckpointing(),
		forSt:         flink.ForStSpec{EnforceLocal: true},
	}
}

func (r *jobReader) configuration(n *node) config {
	c := defaultConfig()
	if n == nil || !r.is(n, mappingNode) {
		return c
	}
	exponential := &c.restart.Exponential
	restart := false
	var unaligned *node
	fixedDelay, rateDelay := c.restart.Delay, c.restart.Delay
	for _, e := range n.entries {
		switch e.key {
		case optionParallelism:
			c.parallelism = int(r.integer(e.node, 1, maxSubtasks))
		case optionMaxParallelism:
			c.maxParallelism = int(r.integer(e.node, 1, 32768))
		case optionWatermark:
			c.interval = r.duration(e.node, 0)
		case optionIdleTimeout:
			c.idleTimeout = r.duration(e.node, 0)
		case optionRestart:
			restart = true
			c.restart.Type = r.word(e.node, append(slices.Clone(optionWords[optionRestart]),
				"off", "disable", "fixeddelay", "exponentialdelay", "failurerate")...)
			switch c.restart.Type {
			case "off", "disable":
				c.restart.Type = flink.RestartNone
			case "fixeddelay":
				c.restart.Type = flink.RestartFixedDelay
			case "exponentialdelay":
				c.restart.Type = flink.RestartExponentialDelay
			case "failurerate":
				c.restart.Type = flink.RestartFailureRate
			}
		case optionRestartAttempts:
			c.restart.Attempts = int(r.integer(e.node, 0, 1<<31-1))
		case optionRestartDelay:
			fixedDelay = r.duration(e.node, 0)
		case optionFailureRate:
			c.restart.MaxFailures = int(r.integer(e.node, 1, 1<<31-1))
		case optionFailureRateInterval:
			c.restart.Interval = r.duration(e.node, 1)
		case optionFailureRateDelay:
			rateDelay = r.duration(e.node, 0)
		case optionExponentialInitial:
			exponential.Initial = r.duration(e.node, 1)
		case optionExponentialMax:
			exponential.Max = r.duration(e.node, 1)
		case optionExponentialMultiplier:
			exponential.Multiplier = r.decimal(e.node)
		case optionExponentialReset:
			exponential.Reset = r.duration(e.node, 1)
		case optionExponentialJitter:
			exponential.Jitter = r.decimal(e.node)
		case optionExponentialAttempts:
			exponential.Attempts = int(r.integer(e.node, 1, 1<<31-1))
		case optionBackend:
			switch w := r.word(e.node, optionWords[optionBackend]...); w {
			case "rocksdb":
				c.backend = flink.RocksDB
			case "forst":
				c.backend = flink.ForSt
			case "copying":
				c.backend = state.Copying
			}
		case optionBuffers:
			c.network.PerChannel, c.network.Limited = int(r.integer(e.node, 0, 1<<20)), true
		case optionFloating:
			c.network.Floating, c.network.Limited = int(r.integer(e.node, 0, 1<<20)), true
		case optionSlots:
			c.slots = int(r.integer(e.node, 1, maxSubtasks))
		case optionHeartbeatInterval:
			c.heartbeats.Interval = r.duration(e.node, 1)
		case optionHeartbeatTimeout:
			c.heartbeats.Timeout = r.duration(e.node, 1)
		case optionHA:
			w := r.word(e.node, append(slices.Clone(optionWords[optionHA]), "none")...)
			c.ha.Enabled, c.ha.ZooKeeper = w != "NONE" && w != "none", w == "zookeeper"
		case optionHADirectory:
			c.ha.Directory = r.path(e.node)
		case optionForStPrimary:
			c.forSt.Primary = r.path(e.node)
		case optionForStLocal:
			c.forSt.EnforceLocal = r.bool(e.node)
		case optionForStCache:
			c.forSt.CacheLimit = r.memory(e.node, 0, 1<<40)
		case optionInterval:
			c.checkpointing.Interval = r.duration(e.node, 10)
		case optionMinPause:
			c.checkpointing.MinPause = r.duration(e.node, 0)
		case optionTimeout:
			c.checkpointing.Timeout = r.duration(e.node, 10)
		case optionMaxConcurrent:
			c.checkpointing.MaxConcurrent = int(r.integer(e.node, 1, 1<<31-1))
		case optionTolerable:
			c.checkpointing.TolerableFailures = int(r.integer(e.node, 0, 1<<31-1))
		case optionRetained:
			c.checkpointing.Retained = int(r.integer(e.node, 1, 1<<31-1))
		case optionRetention:
			c.checkpointing.Retention = checkpoint.Retention(r.word(e.node, optionWords[optionRetention]...))
		case optionMode:
			c.checkpointing.AtLeastOnce = r.word(e.node, optionWords[optionMode]...) == "AT_LEAST_ONCE"
		case optionLocalBackup:
			c.checkpointing.LocalBackup = r.bool(e.node)
		case optionFromLocal:
			c.checkpointing.FromLocal = r.bool(e.node)
		case optionChaining:
			c.chaining = r.bool(e.node)
			c.unchained = !c.chaining
		case optionUnaligned:
			unaligned = e.node
			c.checkpointing.Unaligned = r.bool(e.node)
		case optionAligned:
			c.checkpointing.AlignedTimeout = r.duration(e.node, 0)
		case optionIncremental:
			c.checkpointing.Incremental = r.bool(e.node)
		case optionInline:
			c.checkpointing.InlineThreshold = r.memory(e.node, 0, 1<<20)
		case optionDirectory:
			c.checkpointing.Directory = r.path(e.node)
		case optionSavepoints:
			c.checkpointing.Savepoints = r.path(e.node)
		default:
			if chapter, ok := laterOptions[e.key]; ok {
				r.fail(e.at, "job.later", "What", e.key, "Chapter", chapter)
				continue
			}
			r.unknown(e, allOptionKeys())
		}
	}
	if c.checkpointing.Interval > 0 && !restart {
		// With checkpointing on, this is Flink's default (CP-0).
		c.restart.Type = flink.RestartExponentialDelay
	}
	c.restart.Delay = fixedDelay
	if c.network.PerChannel+c.network.Floating == 0 {
		c.network.PerChannel = 1 // one element must pass
	}
	if c.restart.Type == flink.RestartFailureRate {
		c.restart.Delay = rateDelay
	}
	if err := c.restart.Check(); err != nil && r.problem == nil {
		r.refuse(n, err)
	}
	if k := c.checkpointing; k.Unaligned && !k.AtLeastOnce && k.MaxConcurrent > 1 {
		r.refuse(unaligned, &sim.Exception{
			Class:   "java.lang.IllegalArgumentException",
			Message: "maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled",
		})
	}
	if c.maxParallelism > 0 && c.maxParallelism < c.parallelism {
		r.fail(n, "job.max-parallelism", "Max", c.maxParallelism, "Parallelism", c.parallelism)
	}
	return c
}

// Nearest returns the known word that is closest to a misspelt one, or "" when
// none has enough in common with it, in characters.
func Nearest(word string, known []string) string {
	n := utf8.RuneCountInString(word)
	best, at := "", n/3+2
	for _, k := range known {
		if d := distance(word, k); d < at && d < max(n, utf8.RuneCountInString(k)) {
			best, at = k, d
		}
	}
	return best
}

// distance is the number of edits, a swap of neighbours being one.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	prev2 := make([]int, len(y)+1)
	prev := make([]int, len(y)+1)
	cur := make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(y)]
}
