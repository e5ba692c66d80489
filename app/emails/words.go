package emails

import (
	"strconv"
	"strings"
	"time"
)

// oneLine keeps a value from breaking out of the line it stands in, a header above all.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// span writes a duration, rounded down, in hours from two hours on and else in minutes. A whole hour
// is an hour.
func span(d time.Duration) string {
	if d >= 2*time.Hour || d%time.Hour == 0 {
		return count(int64(d/time.Hour), "hour")
	}
	return count(int64(d/time.Minute), "minute")
}

func count(n int64, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.FormatInt(n, 10) + " " + unit
}
