package country

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/domaintest"
)

func TestCodes_AreSortedAndUnique(t *testing.T) {
	list := strings.Fields(codes)
	assert.Len(t, list, 250)
	assert.True(t, slices.IsSorted(list))
	assert.Len(t, slices.Compact(list), 250)
	for _, code := range list {
		assert.Regexp(t, `^[A-Z]{2}$`, code)
	}
}

func TestCountryVectors(t *testing.T) {
	domaintest.Run(t, "country", func(codes []string) []string {
		known := []string{}
		for _, code := range codes {
			if Known(code) {
				known = append(known, code)
			}
		}
		return known
	})
}
