package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// pitfallsPath lists what real billing systems fell into, each with the tests that prove that we
// don't.
const pitfallsPath = "testdata/pitfalls.csv"

// pitfalls is how many there are.
const pitfalls = 23

func runPitfalls(root string, tests *tests) error {
	file, err := os.Open(filepath.Join(root, filepath.FromSlash(pitfallsPath)))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	return checkPitfalls(file, tests)
}

// checkPitfalls returns what is wrong with the list: a pitfall without a test, a test that is not
// there, or one that is not named after its pitfall.
func checkPitfalls(in io.Reader, tests *tests) error {
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return err
	}
	if len(rows) == 0 || !slices.Equal(rows[0], []string{"pitfall", "statement", "test"}) {
		return errors.New("the columns are not pitfall,statement,test")
	}
	var problems []error
	proved := map[string]bool{}
	for _, row := range rows[1:] {
		proved[row[0]] = true
		problems = append(problems, checkPitfall(row[0], row[2], tests))
	}
	for n := range pitfalls {
		if number := fmt.Sprintf("%02d", n+1); !proved[number] {
			problems = append(problems, fmt.Errorf("pitfall %s has no test", number))
		}
	}
	return errors.Join(problems...)
}

func checkPitfall(number, test string, tests *tests) error {
	_, name, _ := strings.Cut(test, "::")
	if !strings.HasPrefix(name, "TestPitfall"+number+"_") && !strings.HasPrefix(name, "pitfall "+number+": ") {
		return fmt.Errorf("pitfall %s: %q is not named after it", number, name)
	}
	if err := tests.find(test); err != nil {
		return fmt.Errorf("pitfall %s: %w", number, err)
	}
	return nil
}
