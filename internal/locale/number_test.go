package locale

import (
	"math"
	"testing"
)

func TestFiguresAsEachLanguageWritesThem(t *testing.T) {
	type fn func(Lang, any) (string, error)
	clock := func(day int64) fn { return func(_ Lang, v any) (string, error) { return eventTime(day, v) } }
	sept := int64(1789171200000) // 2026-09-12
	for _, c := range []struct {
		f      fn
		v      any
		es, ko string
	}{
		{number, 0, "0", "0"},
		{number, 1234, "1234", "1,234"},
		{number, 12345, "12.345", "12,345"},
		{number, int64(-1234567), "-1.234.567", "-1,234,567"},
		{number, 4.8, "4,8", "4.8"},
		{number, "0.0625", "0,0625", "0.0625"},
		{number, "12345.5", "12.345,5", "12,345.5"},
		{number, uint64(math.MaxUint64), "18.446.744.073.709.551.615", "18,446,744,073,709,551,615"},
		{percent, 50, "50\u00a0%", "50%"},
		{percent, 66.7, "66,7\u00a0%", "66.7%"},
		{duration, 0, "0\u00a0ms", "0ms"},
		{duration, 200, "200\u00a0ms", "200ms"},
		{duration, 4800, "4,8\u00a0s", "4.8초"},
		{duration, 1001, "1,001\u00a0s", "1.001초"},
		{duration, 2000, "2\u00a0s", "2초"},
		{duration, 90000, "1\u00a0min\u00a030\u00a0s", "1분 30초"},
		{duration, 600000, "10\u00a0min", "10분"},
		{duration, 3600000, "1\u00a0h", "1시간"},
		{duration, 90061500, "1\u00a0d\u00a01\u00a0h\u00a01\u00a0min\u00a01,5\u00a0s", "1일 1시간 1분 1.5초"},
		{duration, -200, "-200\u00a0ms", "-200ms"},
		{duration, int64(math.MaxInt64), "MAX", "MAX"},
		{size, 0, "0\u00a0B", "0B"},
		{size, 827, "827\u00a0B", "827B"},
		{size, 1000, "0,98\u00a0KB", "0.98KB"},
		{size, 1024, "1,00\u00a0KB", "1.00KB"},
		{size, 10333, "10,1\u00a0KB", "10.1KB"},
		{size, 11249, "11,0\u00a0KB", "11.0KB"},
		{size, 300 * 1024, "300\u00a0KB", "300KB"},
		{size, 1000 * 1024, "0,98\u00a0MB", "0.98MB"},
		{size, 64 << 20, "64,0\u00a0MB", "64.0MB"},
		{size, int64(100) << 30, "100\u00a0GB", "100GB"},
		{size, int64(math.MaxInt64), "8,00\u00a0EB", "8.00EB"},
		{size, int64(math.MinInt64), "-8,00\u00a0EB", "-8.00EB"},
		{clock(0), int64(math.MinInt64), "MIN", "MIN"},
		{clock(0), int64(math.MaxInt64), "MAX", "MAX"},
		{clock(0), 4999, "4999", "4999"},
		{clock(0), -1, "-1", "-1"},
		{clock(0), 43207000, "12:00:07", "12:00:07"},
		{clock(0), 43204999, "12:00:04.999", "12:00:04.999"},
		{clock(0), 86400000, "1970-01-02T00:00:00Z", "1970-01-02T00:00:00Z"},
		{clock(sept), sept + 43204999, "12:00:04.999", "12:00:04.999"},
		{clock(sept), sept, "00:00:00", "00:00:00"},
		{clock(sept), sept - 1, "2026-09-11T23:59:59.999Z", "2026-09-11T23:59:59.999Z"},
		{clock(sept), 4999, "1970-01-01T00:00:04.999Z", "1970-01-01T00:00:04.999Z"},
		{clock(sept), int64(math.MinInt64) + 1, "-9223372036854775807", "-9223372036854775807"},
	} {
		for l, want := range map[Lang]string{ES: c.es, KO: c.ko} {
			got, err := c.f(l, c.v)
			if err != nil || got != want {
				t.Errorf("%s %v: got %q, want %q (%v)", l, c.v, got, want, err)
			}
		}
	}
	for _, v := range []any{"1,5", "", "x", nil, math.NaN(), []int{1}, true} {
		if s, err := number(ES, v); err == nil {
			t.Errorf("%v is not a number, but gave %q", v, s)
		}
	}
	if s, err := duration(ES, 1.5); err == nil {
		t.Errorf("1.5 is not a whole number of milliseconds, but gave %q", s)
	}
}

func TestDay(t *testing.T) {
	if n, err := Day("2026-09-12"); err != nil || n != 1789171200000 {
		t.Error(n, err)
	}
	if n, err := Day(""); err != nil || n != 0 {
		t.Error(n, err)
	}
	if _, err := Day("12/09/2026"); err == nil {
		t.Error("not a day")
	}
}

func BenchmarkText(b *testing.B) {
	l := New(KO)
	args := Args{"Name": "clicks/0", "More": 3}
	for b.Loop() {
		l.Text("common.more", args)
	}
}

// A virtual time is narrow, the same in both languages and nothing else.
func TestClock(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0s", 200: "200ms", 4800: "4.8s", 60_000: "1m", 61_200: "1m1.2s", 130_000: "2m10s", 4_200_000: "1h10m",
		90_061_007: "1d1h1m1.007s", -4800: "-4.8s", maxTime: "MAX", minTime: "MIN",
	} {
		if got := Clock(ms); got != want {
			t.Errorf("%d is %s, want %s", ms, got, want)
		}
	}
}
