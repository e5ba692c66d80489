package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The kinds of a row.
const (
	tested   = "tested"   // the specification says it, and the test proves it
	decision = "decision" // the specification leaves it open, and the note says what was decided
)

var columns = []string{"id", "section", "statement", "kind", "test", "note"}

// row is one statement of the specification.
type row struct {
	line                                     int
	id, section, statement, kind, test, note string
}

func readTable(in io.Reader) ([]row, error) {
	records := csv.NewReader(in)
	header, err := records.Read()
	if err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	if !slices.Equal(header, columns) {
		return nil, fmt.Errorf("the columns are %s, not %s", strings.Join(header, ","), strings.Join(columns, ","))
	}
	var rows []row
	for {
		record, err := records.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := records.FieldPos(0)
		rows = append(rows, row{line, record[0], record[1], record[2], record[3], record[4], record[5]})
	}
}

// checkTable returns what is wrong with the rows themselves.
func checkTable(rows []row) []error {
	var problems []error
	seen, last := map[string]int{}, [2]int{}
	for _, r := range rows {
		complain := func(format string, args ...any) {
			problems = append(problems, fmt.Errorf("line %d, %s: "+format, append([]any{r.line, r.id}, args...)...))
		}
		place, ok := numbers(r.id)
		switch {
		case !ok:
			complain("the id is not a section and a number, such as 2.17")
		case seen[r.id] > 0:
			complain("line %d has this id too", seen[r.id])
		case slices.Compare(place[:], last[:]) < 0:
			complain("the ids are not in order")
		}
		seen[r.id], last = r.line, place
		for _, problem := range checkRow(r) {
			complain("%s", problem)
		}
	}
	return problems
}

func checkRow(r row) (problems []string) {
	if strings.TrimSpace(r.section) == "" || strings.TrimSpace(r.statement) == "" {
		problems = append(problems, "section or statement is empty")
	}
	switch {
	case r.kind != tested && r.kind != decision:
		problems = append(problems, fmt.Sprintf("the kind %q is neither tested nor decision", r.kind))
	case r.kind == tested && r.test == "":
		problems = append(problems, "no test is named")
	case r.kind == decision && strings.TrimSpace(r.note) == "":
		problems = append(problems, "the note does not say what was decided")
	}
	return problems
}

var idPattern = regexp.MustCompile(`^([1-9])\.([1-9]\d*)$`)

// numbers takes an id apart.
func numbers(id string) (place [2]int, ok bool) {
	parts := idPattern.FindStringSubmatch(id)
	if parts == nil {
		return place, false
	}
	section, err1 := strconv.Atoi(parts[1])
	number, err2 := strconv.Atoi(parts[2])
	return [2]int{section, number}, err1 == nil && err2 == nil
}
