package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// tests knows the tests of a repository by the files that were asked for.
type tests struct {
	files fs.FS
	names map[string][]string // by path, of TypeScript tests and vectors
}

func newTests(files fs.FS) *tests {
	return &tests{files: files, names: map[string][]string{}}
}

// find returns an error when there is no test of this name, path::name.
func (t *tests) find(reference string) error {
	file, name, ok := strings.Cut(reference, "::")
	if !ok || name == "" {
		return fmt.Errorf("%q is not a path::name", reference)
	}
	source, err := fs.ReadFile(t.files, file)
	if err != nil {
		return fmt.Errorf("there is no file %s", file)
	}
	switch {
	case strings.HasSuffix(file, "_test.go"):
		return findGoTest(file, source, name)
	case isScript(file):
		return t.findAmong(file, name, func() ([]string, error) { return titles(string(source)), nil })
	case strings.HasPrefix(file, vectorsFolder):
		return t.findAmong(file, name, func() ([]string, error) { return t.vectorCases(file, source) })
	}
	return fmt.Errorf("%s is no file of tests", file)
}

func (t *tests) findAmong(file, name string, read func() ([]string, error)) error {
	names, known := t.names[file]
	if !known {
		var err error
		if names, err = read(); err != nil {
			return err
		}
		t.names[file] = names
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("%s has no test %q%s", file, name, nearest(names, name))
	}
	return nil
}

// nearest helps with a title whose group was forgotten or renamed.
func nearest(names []string, name string) string {
	last := name[strings.LastIndex(name, separator)+1:]
	for _, candidate := range names {
		if strings.HasSuffix(candidate, strings.TrimPrefix(last, strings.TrimSpace(separator))) {
			return fmt.Sprintf("; did you mean %q?", candidate)
		}
	}
	return ""
}

func isScript(file string) bool {
	base := path.Base(file)
	return slices.ContainsFunc([]string{".test.ts", ".test.tsx", ".spec.ts"}, func(end string) bool {
		return strings.HasSuffix(base, end)
	})
}

var errNotRun = errors.New("is not run by both a Go and a TypeScript test")
