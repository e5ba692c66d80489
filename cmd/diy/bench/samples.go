package bench

import (
	"math"
	"slices"
	"time"
)

// samples are how long the same thing took again and again.
type samples []time.Duration

// quantile is the time within which a share of them were through: the nearest rank, a time that
// occurred. 0 when there are none.
func (s samples) quantile(share float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	rank := int(math.Ceil(share * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

func (s samples) median() time.Duration { return s.quantile(0.5) }

// median is the one in the middle, or what lies between the two in the middle. 0 when there are none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
