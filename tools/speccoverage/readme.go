package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

const (
	readmePath = "README.md"
	// proofs heads the column of the README's table that says what shows how a section is met.
	proofs = "shown by"
)

var (
	namedTest = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`")
	goTest    = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w*)\(`)
	ownLink   = regexp.MustCompile(`\]\(([^):#\s]+)(?:#[^)]*)?\)`)
	proof     = regexp.MustCompile("`[^`]+`|\\]\\(")
)

// checkReadme returns what the README promises and the repository does not keep: a test or a file
// that is not there, and a row of the security table that nothing shows.
func checkReadme(root fs.FS) error {
	text, err := fs.ReadFile(root, readmePath)
	if err != nil {
		return err
	}
	known, err := goTests(root)
	if err != nil {
		return err
	}
	var problems []error
	for _, found := range namedTest.FindAllStringSubmatch(string(text), -1) {
		if !known[found[1]] {
			problems = append(problems, fmt.Errorf("there is no test %s", found[1]))
		}
	}
	for _, found := range ownLink.FindAllStringSubmatch(string(text), -1) {
		if _, err := fs.Stat(root, path.Clean(found[1])); err != nil {
			problems = append(problems, fmt.Errorf("there is no file %s", found[1]))
		}
	}
	return errors.Join(append(problems, unproved(string(text))...)...)
}

// goTests are the names of all Go tests, wherever they are.
func goTests(root fs.FS) (map[string]bool, error) {
	known := map[string]bool{}
	err := fs.WalkDir(root, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || len(file) > 1 && strings.HasPrefix(entry.Name(), ".")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		source, err := fs.ReadFile(root, file)
		for _, found := range goTest.FindAllSubmatch(source, -1) {
			known[string(found[1])] = true
		}
		return err
	})
	return known, err
}

// unproved are the rows of the tables with proofs that name none.
func unproved(text string) (problems []error) {
	in := false
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		switch {
		case !strings.HasPrefix(line, "|"):
			in = false
		case last == proofs:
			in = true
		case in && !strings.HasPrefix(last, "--") && !proof.MatchString(last):
			problems = append(problems, fmt.Errorf("nothing shows %q", strings.TrimSpace(cells[0])))
		}
	}
	return problems
}
