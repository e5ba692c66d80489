// Package cataloguetest creates catalogues with other prices for tests.
package cataloguetest

import (
	"strings"
	"testing"

	"github.com/vc-admin/diy/domain/catalogue"
)

// EditDefault returns the embedded catalogue after replacements in its text, as by strings.NewReplacer.
func EditDefault(t testing.TB, pairs ...string) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Parse([]byte(strings.NewReplacer(pairs...).Replace(catalogue.DefaultJSON())))
	if err != nil {
		t.Fatalf("catalogue: %v", err)
	}
	return c
}
