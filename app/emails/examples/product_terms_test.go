package examples_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/domaintest"
)

// forbiddenTerms matches terms that the product does not use. The product uses "invoice", "next charge" and "payment
// method".
var forbiddenTerms = regexp.MustCompile(`(?i)\b(bills?|next payments?|payment cards?|ways? to pay)\b`)

func TestEmails_UseOneWordForEachThing(t *testing.T) {
	for _, e := range newExamples() {
		assert.NotRegexp(t, forbiddenTerms, e.Message.Subject+"\n"+e.Message.Text, "%s %s", e.Name, e.Variant)
	}
}

// Messages of errors, documents and emails are string literals in these folders.
func TestMessages_UseOneWordForEachThing(t *testing.T) {
	root := domaintest.ModuleRoot(t)
	for _, folder := range []string{"domain", "app", "adapters"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					assert.NotRegexp(t, forbiddenTerms, literal.Value, path)
				}
				return true
			})
			return nil
		}))
	}
}
