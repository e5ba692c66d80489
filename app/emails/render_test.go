package emails

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestFormatDuration(t *testing.T) {
	tests := map[time.Duration]string{
		48 * time.Hour:   "48 hours",
		48*time.Hour - 1: "47 hours",
		time.Hour:        "1 hour",
		90 * time.Minute: "90 minutes",
		time.Minute:      "1 minute",
	}
	for d, want := range tests {
		assert.Equal(t, want, formatDuration(d))
	}
}
