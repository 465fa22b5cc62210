package world

import (
	"strconv"
	"strings"
)

// memoryUnits are those of Flink's MemorySize, all binary.
var memoryUnits = map[string]int64{
	"": 1, "b": 1, "bytes": 1, "k": 1 << 10, "kb": 1 << 10, "kibibytes": 1 << 10,
	"m": 1 << 20, "mb": 1 << 20, "mebibytes": 1 << 20, "g": 1 << 30, "gb": 1 << 30, "gibibytes": 1 << 30,
}

// ParseMemory reads a size in bytes ("0", "20kb", "64 mb").
func ParseMemory(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	unit, ok := memoryUnits[strings.ToLower(strings.TrimSpace(s[i:]))]
	n, err := strconv.ParseInt(s[:i], 10, 64)
	if !ok || err != nil || n > (1<<62)/unit {
		return 0, false
	}
	return n * unit, true
}
