package main

import (
	"testing"
	"testing/fstest"
)

var repo = fstest.MapFS{
	"domain/a_test.go": {Data: []byte(`package a
import "testing"
func TestA(t *testing.T) { domaintest.Run(t, "ages", rule); t.Run("a case", nil) }
func helper() {}
func (s suite) TestMethod() {}
`)},
	"domain/a.go":                     {Data: []byte("package a\nfunc TestLooksLikeOne() {}\n")},
	"domain/broken_test.go":           {Data: []byte("package")},
	"webapp/src/a.test.ts":            {Data: []byte("describe('group', () => { it('does', () => {}) })")},
	"webapp/src/rules/ages.test.ts":   {Data: []byte("import vectors from '../../../testdata/vectors/ages.json';")},
	"testdata/vectors/ages.json":      {Data: []byte(`[{"name": "young", "in": 1}, {"name": "old"}]`)},
	"testdata/vectors/forgotten.json": {Data: []byte(`[{"name": "young"}]`)},
}

func TestFind(t *testing.T) {
	for reference, problem := range map[string]string{
		"domain/a_test.go::TestA":                "",
		"domain/a_test.go::TestA/a case":         "",
		"domain/a_test.go::TestA/another":        `domain/a_test.go names no case "another"`,
		"domain/a_test.go::TestB":                "domain/a_test.go has no test TestB",
		"domain/a_test.go::helper":               "domain/a_test.go has no test helper",
		"domain/a_test.go::TestMethod":           "domain/a_test.go has no test TestMethod",
		"domain/b_test.go::TestA":                "there is no file domain/b_test.go",
		"domain/a.go::TestLooksLikeOne":          "domain/a.go is no file of tests",
		"domain/broken_test.go::TestA":           "domain/broken_test.go:1:8: expected 'IDENT', found 'EOF'",
		"webapp/src/a.test.ts::group > does":     "",
		"webapp/src/a.test.ts::does":             `webapp/src/a.test.ts has no test "does"; did you mean "group > does"?`,
		"webapp/src/a.test.ts::group > does not": `webapp/src/a.test.ts has no test "group > does not"`,
		"testdata/vectors/ages.json::young":      "",
		"testdata/vectors/ages.json::ancient":    `testdata/vectors/ages.json has no test "ancient"`,
		"testdata/vectors/forgotten.json::young": "testdata/vectors/forgotten.json is not run by both a Go and a TypeScript test",
		"no reference":                           `"no reference" is not a path::name`,
		"domain/a_test.go::":                     `"domain/a_test.go::" is not a path::name`,
	} {
		t.Run(reference, func(t *testing.T) {
			var problems []error
			if err := newTests(repo).find(reference); err != nil {
				problems = append(problems, err)
			}
			expectProblem(t, problems, problem)
		})
	}
}

func TestCheckNamesTheRow(t *testing.T) {
	rows := []row{
		{line: 2, id: "1.1", section: "One", statement: "x", kind: tested, test: "domain/a_test.go::TestA"},
		{line: 3, id: "1.2", section: "One", statement: "x", kind: decision, note: "So it is"},
		{line: 4, id: "1.3", section: "One", statement: "x", kind: decision, test: "domain/a_test.go::TestB", note: "y"},
	}
	expectProblem(t, check(rows, newTests(repo)), "line 4, 1.3: domain/a_test.go has no test TestB")
}
