// Package domaintest runs the test vectors in testdata/vectors, which Go and the web app share. It is
// for tests only; testdata/vectors/README.md describes the files.
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

// Case is a test vector: an input and the result it must have in every language.
type Case[In, Want any] struct {
	Name string `json:"name"`
	In   In     `json:"in"`
	Want Want   `json:"want"`
}

// LoadVectors reads testdata/vectors/<name>.json, a non-empty array of T. It fails the test if T lacks a key
// of the file, because otherwise one language would check a value that the other language ignores.
func LoadVectors[T any](t testing.TB, name string) []T {
	t.Helper()
	path := filepath.Join(ModuleRoot(t), "testdata", "vectors", name+".json")
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

// RunVectors runs every case of a file as a subtest that compares rule(In) with Want. Case names must be
// unique.
func RunVectors[In, Want any](t *testing.T, name string, rule func(In) Want) {
	t.Helper()
	isUsed := map[string]bool{}
	for _, c := range LoadVectors[Case[In, Want]](t, name) {
		if c.Name == "" || isUsed[c.Name] {
			t.Fatalf("%s: the case name %q is empty or not unique", name, c.Name)
		}
		isUsed[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			if result := rule(c.In); !reflect.DeepEqual(result, c.Want) {
				t.Errorf("in:   %+v\ngot:  %+v\nwant: %+v", c.In, result, c.Want)
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
		return nil, errors.New("no cases")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("unexpected data after the array")
	}
	return cases, nil
}

// ModuleRoot returns the nearest directory with a go.mod at or above the working directory.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("working directory: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod in the working directory or above it")
		}
		dir = parent
	}
}
