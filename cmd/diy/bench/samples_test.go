package bench

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestQuantileIsATimeThatOccurred(t *testing.T) {
	var hundred samples
	for i := range 100 {
		hundred = append(hundred, time.Duration((i*37)%100+1)) // 1 to 100 in disorder
	}
	for _, c := range []struct {
		name  string
		of    samples
		share float64
		want  time.Duration
	}{
		{"the median of a hundred", hundred, 0.5, 50},
		{"the slowest but one in a hundred", hundred, 0.99, 99},
		{"the slowest", hundred, 1, 100},
		{"the quickest", hundred, 0, 1},
		{"of few it is the slowest", samples{30, 10, 20}, 0.99, 30},
		{"of one", samples{7}, 0.5, 7},
		{"of none", nil, 0.5, 0},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, c.of.quantile(c.share)) })
	}
	assert.Equal(t, time.Duration(38), hundred[1], "samples stay in their order")
}

func TestMedianLiesInTheMiddle(t *testing.T) {
	assert.InDelta(t, 2, median([]float64{9, 1, 2}), 0)
	assert.InDelta(t, 2.5, median([]float64{9, 1, 2, 3}), 0)
	assert.Zero(t, median(nil))
}
