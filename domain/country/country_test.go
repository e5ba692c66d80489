package country

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKnown(t *testing.T) {
	for _, code := range []string{"AU", "NZ", "GB", "US", "DE", "SJ", "XK", "AF", "ZW"} {
		assert.True(t, Known(code), code)
	}
	for _, code := range []string{"", "A", "au", "Au", "AUS", "UK", "EU", "ZZ", "F ", " A", "  ", "U A", "AF AX"} {
		assert.False(t, Known(code), "%q", code)
	}
}

func TestCodesAreSortedAndWhole(t *testing.T) {
	list := strings.Fields(codes)
	assert.Len(t, list, 250)
	assert.True(t, slices.IsSorted(list))
	assert.Len(t, slices.Compact(list), 250)
	for _, code := range list {
		assert.Regexp(t, `^[A-Z]{2}$`, code)
	}
}
