package letters

import (
	"strconv"
	"strings"
	"time"
)

// oneLine keeps a value from breaking out of the line it stands in, a header above all.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// span says a duration as people do: in whole hours when it is that, else in minutes.
func span(d time.Duration) string {
	if d%time.Hour == 0 {
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
