package country

import (
	"testing"

	"github.com/vc-admin/diy/domain/domaintest"
)

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
