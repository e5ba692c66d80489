package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// findGoTest looks for a test function, and for a name behind a slash among the file's texts:
// cases are named in tables, in calls of Run and as keys of maps.
func findGoTest(path string, source []byte, name string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	function, subtest, _ := strings.Cut(name, "/")
	if !hasTest(file, function) {
		return fmt.Errorf("%s has no test %s", path, function)
	}
	if subtest != "" && !hasText(file, subtest) {
		return fmt.Errorf("%s names no case %q", path, subtest)
	}
	return nil
}

func hasTest(file *ast.File, name string) bool {
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if ok && function.Recv == nil && function.Name.Name == name {
			return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz")
		}
	}
	return false
}

func hasText(file *ast.File, text string) bool {
	found := false
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			value, err := strconv.Unquote(literal.Value)
			found = found || err == nil && value == text
		}
		return !found
	})
	return found
}
