package releases

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// declaredValues returns the values of the string constants of named types in the domain and in the storage port, by type,
// such as "billing.Status".
func declaredValues(t *testing.T) map[string][]string {
	t.Helper()
	values := map[string][]string{}
	for _, folder := range []string{"../../../domain", "../../../ports/storage"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, declaration := range file.Decls {
				addConstants(values, file.Name.Name, declaration)
			}
			return nil
		}))
	}
	return values
}

// addConstants adds the values of the constants of a declaration. It skips the empty string.
func addConstants(values map[string][]string, packageName string, declaration ast.Decl) {
	constants, ok := declaration.(*ast.GenDecl)
	if !ok || constants.Tok != token.CONST {
		return
	}
	for _, spec := range constants.Specs {
		spec := spec.(*ast.ValueSpec)
		typeName, ok := spec.Type.(*ast.Ident)
		if !ok || typeName.Name == "string" {
			continue
		}
		name := packageName + "." + typeName.Name
		for _, expression := range spec.Values {
			if value := stringLiteral(expression); value != "" {
				values[name] = append(values[name], value)
			}
		}
	}
}

// stringLiteral returns the value of a string literal, or "" for another expression.
func stringLiteral(expression ast.Expr) string {
	literal, ok := expression.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return ""
	}
	value, err := strconv.Unquote(literal.Value)
	if err != nil {
		return ""
	}
	return value
}

// storedValues contains the values of a database: those of columns as "table.column=value", and those in documents as
// "table.column/Key=value" with the innermost key.
type storedValues map[string]bool

// add adds the value of a column.
func (v storedValues) add(column, value string) {
	var document any
	if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
		if json.Unmarshal([]byte(value), &document) == nil {
			v.addDocument(column, "", document)
			return
		}
	}
	v[column+"="+value] = true
	for field := range strings.FieldsSeq(value) {
		v[column+"="+field] = true
	}
}

func (v storedValues) addDocument(column, key string, document any) {
	switch document := document.(type) {
	case map[string]any:
		for key, value := range document {
			v.addDocument(column, key, value)
		}
	case []any:
		for _, value := range document {
			v.addDocument(column, key, value)
		}
	case string:
		v[column+"/"+key+"="+document] = true
	}
}

// contains reports whether one of the places, which are separated by spaces, has the value.
func (v storedValues) contains(places, value string) bool {
	for place := range strings.FieldsSeq(places) {
		if v[place+"="+value] {
			return true
		}
	}
	return false
}
