package stripepayment

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestAddBusinessDays_SkipsWeekends(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, time.March, day, 12, 0, 0, 0, time.UTC) } // 1 March is a Sunday
	for name, c := range map[string]struct{ from, days, want int }{
		"within a week":   {2, 3, 5},
		"over a weekend":  {5, 3, 10},
		"from a Saturday": {7, 1, 9},
		"two weeks":       {2, 14, 20},
	} {
		assert.Equal(t, at(c.want), addBusinessDays(at(c.from), c.days), name)
	}
}
