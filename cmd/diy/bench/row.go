package bench

import "fmt"

// row is one figure.
type row struct {
	what     string  // what was measured
	measured string  // with its unit
	against  string  // what it is measured against, with its unit
	ratio    float64 // of the two, or of what the row says
	wanted   bound   // of the ratio
	busy     bool    // others used the machine meanwhile
}

// bound is between what a ratio has to stay. The zero value lets everything through.
type bound struct{ least, most float64 }

func atLeast(ratio float64) bound        { return bound{least: ratio} }
func atMost(ratio float64) bound         { return bound{most: ratio} }
func within(least, most float64) bound   { return bound{least: least, most: most} }
func (b bound) holds(ratio float64) bool { return b.holdsBut(ratio, 0) }

// holdsBut is holds with a share by which the bound may be missed.
func (b bound) holdsBut(ratio, share float64) bool {
	return ratio >= b.least*(1-share) && (b.most == 0 || ratio <= b.most*(1+share))
}

// String is the bound as people write it.
func (b bound) String() string {
	switch {
	case b.least == 0 && b.most == 0:
		return "-"
	case b.least == 0:
		return fmt.Sprintf("<= %.2f", b.most)
	case b.most == 0:
		return fmt.Sprintf(">= %.2f", b.least)
	}
	return fmt.Sprintf("%.2f to %.2f", b.least, b.most)
}

// verdict is what a figure comes to.
type verdict string

const (
	holds    verdict = "holds"
	noted    verdict = "-" // nothing is wanted of it
	narrowly verdict = "narrowly missed"
	unclear  verdict = "the machine is too busy to judge"
	missed   verdict = "MISSED"
)

// narrow is the share by which a figure may be missed and nothing follows from it: the next run may
// well find the other way round.
const narrow = 0.05

func (r row) verdict() verdict {
	switch {
	case r.wanted == (bound{}):
		return noted
	case r.wanted.holds(r.ratio):
		return holds
	case r.busy:
		return unclear
	case r.wanted.holdsBut(r.ratio, narrow):
		return narrowly
	}
	return missed
}
