package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

const vectorsFolder = "testdata/vectors/"

// vectorCases returns the names of a rulebook's cases, once both languages are known to run it.
func (t *tests) vectorCases(file string, source []byte) ([]string, error) {
	name := strings.TrimSuffix(path.Base(file), ".json")
	inGo := fmt.Sprintf("domaintest.Run(t, %q,", name)
	inTypeScript := fmt.Sprintf("/vectors/%s.json'", name)
	if !t.contains("domain", "_test.go", inGo) || !t.contains("webapp/src/rules", ".test.ts", inTypeScript) {
		return nil, fmt.Errorf("%s %w", file, errNotRun)
	}
	var cases []struct{ Name string }
	if err := json.Unmarshal(source, &cases); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	names := make([]string, 0, len(cases))
	for _, c := range cases {
		names = append(names, c.Name)
	}
	return names, nil
}

// contains tells whether a file of this ending below the folder contains the text.
func (t *tests) contains(folder, ending, text string) (found bool) {
	_ = fs.WalkDir(t.files, folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ending) {
			return nil
		}
		source, err := fs.ReadFile(t.files, file)
		if err == nil && strings.Contains(string(source), text) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}
