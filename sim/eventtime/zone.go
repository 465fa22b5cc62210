package eventtime

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"sync"
	"time"
)

// zoneinfo is the IANA time zone database (public domain) as the Go
// distribution ships it. time.LoadLocation would ask the machine's own files
// first, and results must not depend on them.
//
//go:embed zoneinfo.zip
var zoneinfo []byte

// A Zone is the session time zone in which SQL windows over TIMESTAMP_LTZ are
// cut (EV-7.7). The zero value is UTC: nothing is shifted.
type Zone struct {
	name string
	loc  *time.Location
	// daylight mirrors TimeZone.useDaylightTime: the zone's last rule has
	// daylight saving.
	daylight bool
}

// UTC is the zone that does not shift.
var UTC = &Zone{name: "UTC"}

var (
	offsetID = regexp.MustCompile(`^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$`)
	regionID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9~/._+-]+$`)
)

// LoadZone finds a zone by a name that ZoneId.of takes: a region
// ("Asia/Shanghai") or an offset ("+08:00", "GMT-3").
func LoadZone(name string) (*Zone, error) {
	switch name {
	case "", "UTC":
		return UTC, nil
	case "Z", "GMT", "UT":
		return &Zone{name: name, loc: time.UTC}, nil
	}
	if m := offsetID.FindStringSubmatch(name); m != nil {
		return offsetZone(name, m)
	}
	if !regionID.MatchString(name) {
		return nil, exception("java.time.DateTimeException", "Invalid ID for region-based ZoneId, invalid format: "+name)
	}
	return regionZone(name)
}

func offsetZone(name string, m []string) (*Zone, error) {
	seconds := 0
	for i, unit := range []int{3600, 60, 1} {
		n := 0
		for _, c := range m[i+2] {
			n = 10*n + int(c-'0')
		}
		if unit < 3600 && n > 59 {
			return nil, exception("java.time.DateTimeException", "Invalid ID for offset-based ZoneId: "+name)
		}
		seconds += n * unit
	}
	if seconds > 18*3600 {
		return nil, exception("java.time.DateTimeException", "Zone offset not in valid range: -18:00 to +18:00")
	}
	if m[1] == "-" {
		seconds = -seconds
	}
	return &Zone{name: name, loc: time.FixedZone(name, seconds)}, nil
}

// zones is filled once from the embedded archive, by name.
var zones = sync.OnceValue(func() map[string]*zip.File {
	all := map[string]*zip.File{}
	if r, err := zip.NewReader(bytes.NewReader(zoneinfo), int64(len(zoneinfo))); err == nil {
		for _, f := range r.File {
			all[f.Name] = f
		}
	}
	return all
})

func regionZone(name string) (*Zone, error) {
	f, ok := zones()[name]
	if !ok || f.FileInfo().IsDir() {
		return nil, exception("java.time.zone.ZoneRulesException", "Unknown time-zone ID: "+name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("zone %s: %w", name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("zone %s: %w", name, err)
	}
	loc, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, fmt.Errorf("zone %s: %w", name, err)
	}
	z := &Zone{name: name, loc: loc}
	z.daylight = z.changesIn(2401)
	return z, nil
}

// changesIn says whether the offset changes within a year. In a far year, only
// the zone's last rule is left. (time.ZoneBounds would be the shorter way, but
// in leap years it ends the year a day early.)
func (z *Zone) changesIn(year int) bool {
	first := z.offset(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
	for day := 1; day < 365; day++ {
		if z.offset(time.Date(year, 1, 1+day, 0, 0, 0, 0, time.UTC).UnixMilli()) != first {
			return true
		}
	}
	return false
}

// Name is the name by which the zone was loaded.
func (z *Zone) Name() string {
	if z == nil || z.name == "" {
		return "UTC"
	}
	return z.name
}

// UsesDaylight says whether the zone's present rule has daylight saving.
func (z *Zone) UsesDaylight() bool { return z != nil && z.daylight }

// shifts says whether times are shifted at all.
func (z *Zone) shifts() bool { return z != nil && z.loc != nil }

// offset is the offset from UTC at an instant, in ms.
func (z *Zone) offset(epoch int64) int64 {
	_, seconds := time.UnixMilli(epoch).In(z.loc).Zone()
	return int64(seconds) * 1000
}

// local is the wall clock at an instant, read as if it were UTC
// (LocalDateTime.ofInstant).
func (z *Zone) local(epoch int64) int64 { return epoch + z.offset(epoch) }

// instant is LocalDateTime.atZone(…).toInstant(): a wall clock that occurs
// twice means the first of the two, one that is skipped is moved on by the
// length of the gap. Both come to the same: the offset before the change.
func (z *Zone) instant(local int64) int64 {
	// No offset is longer than a day, so these are the offsets before and
	// after a change that this wall clock may be near to.
	before, after := z.offset(local-24*hour), z.offset(local+24*hour)
	if z.offset(local-before) != before && z.offset(local-after) == after {
		return local - after
	}
	return local - before
}
