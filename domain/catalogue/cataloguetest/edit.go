// Package cataloguetest creates catalogues with other prices for tests.
package cataloguetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
)

// EditDefault returns the embedded catalogue after replacements in its text, as by strings.NewReplacer.
func EditDefault(t testing.TB, pairs ...string) *catalogue.Catalogue {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(domaintest.ModuleRoot(t), "domain", "catalogue", "data", "catalogue.json"))
	if err != nil {
		t.Fatalf("catalogue: %v", err)
	}
	c, err := catalogue.Parse([]byte(strings.NewReplacer(pairs...).Replace(string(text))))
	if err != nil {
		t.Fatalf("catalogue: %v", err)
	}
	return c
}
