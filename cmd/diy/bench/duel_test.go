package bench

import (
	"fmt"
	"time"
)

// duel is what two things measured by turns came to.
type duel struct{ ours, theirs, ratio float64 }

// byTurns measures ours and what it is measured against, one right after the other, so many times.
// The ratio is the median of the turns', because the machine may have been slower in one turn than
// in another; and both have the first word as often, because one may leave something to do behind.
func byTurns(turns int, ours, theirs func() float64) duel {
	var x, y, ratios []float64
	for i := range turns {
		var our, their float64
		if i%2 == 0 {
			their, our = theirs(), ours()
		} else {
			our, their = ours(), theirs()
		}
		x, y, ratios = append(x, our), append(y, their), append(ratios, our/their)
	}
	return duel{ours: median(x), theirs: median(y), ratio: median(ratios)}
}

func perSecond(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.1f/s", n)
	}
	return fmt.Sprintf("%.0f/s", n)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", inMs(d)) }

func inMs(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
