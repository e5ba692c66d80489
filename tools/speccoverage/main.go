// Speccoverage holds testdata/spec-coverage.csv against the repository: every statement of the
// specification that can be tested names a test that exists, and everything that the
// specification leaves open names what was decided. Run from anywhere within the repository.
//
// So it does with testdata/pitfalls.csv: every pitfall names tests that are named after it.
//
// And with README.md: the tests and files that it names are there, and something shows every row of
// its table on security.
//
// A test is named path::name:
//
//	domain/catalogue/default_test.go::TestName, or TestName/case for a case that the file names
//	webapp/src/app/App.test.tsx::describe > it, with the words between the quotes as they stand
//	webapp/e2e/main-job.spec.ts::test > step
//	testdata/vectors/prices.json::case, which a Go and a TypeScript test must both run
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const tablePath = "testdata/spec-coverage.csv"

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "spec coverage: %v\n", err)
		os.Exit(1)
	}
}

func run(out io.Writer) error {
	root, err := repository()
	if err != nil {
		return err
	}
	file, err := os.Open(filepath.Join(root, tablePath))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	rows, err := readTable(file)
	if err != nil {
		return err
	}
	known := newTests(os.DirFS(root))
	if problems := check(rows, known); len(problems) > 0 {
		return fmt.Errorf("%s:\n%w", tablePath, errors.Join(problems...))
	}
	if err := runPitfalls(root, known); err != nil {
		return fmt.Errorf("%s:\n%w", pitfallsPath, err)
	}
	if err := checkReadme(os.DirFS(root)); err != nil {
		return fmt.Errorf("%s:\n%w", readmePath, err)
	}
	return report(out, rows)
}

// check returns what is wrong with the table, and the rows whose test is not there.
func check(rows []row, tests *tests) []error {
	problems := checkTable(rows)
	for _, r := range rows {
		if r.test == "" {
			continue
		}
		if err := tests.find(r.test); err != nil {
			problems = append(problems, fmt.Errorf("line %d, %s: %w", r.line, r.id, err))
		}
	}
	return problems
}

func report(out io.Writer, rows []row) error {
	count := map[string]int{}
	for _, r := range rows {
		count[r.kind]++
	}
	_, err := fmt.Fprintf(out, "spec coverage: %d statements, %d tested, %d decisions.\n",
		len(rows), count[tested], count[decision])
	return err
}

// repository is the folder above that holds the module of the program.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(tablePath))); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no %s in this folder or above", tablePath)
		}
		dir = parent
	}
}
