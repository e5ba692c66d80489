package domaintest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// Case is one line of a rulebook: what goes in, and what every language must make of it.
type Case[In, Want any] struct {
	Name string `json:"name"`
	In   In     `json:"in"`
	Want Want   `json:"want"`
}

// Load reads testdata/vectors/<name>.json, an array of T. A key that T does not know ends the
// test, because it would be a rule that one language checks and the other overlooks; so does an
// empty file.
func Load[T any](t testing.TB, name string) []T {
	t.Helper()
	path := filepath.Join(Root(t), "testdata", "vectors", name+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("vectors: %v", err)
	}
	cases, err := decode[T](data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return cases
}

// Run gives every case of a rulebook to the rule and compares the answer with what the case
// wants. Two cases of one name end the test.
func Run[In, Want any](t *testing.T, name string, rule func(In) Want) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range Load[Case[In, Want]](t, name) {
		if c.Name == "" || seen[c.Name] {
			t.Fatalf("%s: the name %q is empty or used twice", name, c.Name)
		}
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			if got := rule(c.In); !reflect.DeepEqual(got, c.Want) {
				t.Errorf("in:   %+v\ngot:  %+v\nwant: %+v", c.In, got, c.Want)
			}
		})
	}
}

func decode[T any](data []byte) ([]T, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var cases []T
	if err := dec.Decode(&cases); err != nil {
		return nil, fmt.Errorf("not an array of cases: %w", err)
	}
	if len(cases) == 0 {
		return nil, errors.New("no case in it")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the array")
	}
	return cases, nil
}
