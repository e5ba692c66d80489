package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// listed is a list of pitfalls as it should be, and the tests it names.
func listed() (string, *tests) {
	list, source := "pitfall,statement,test\n", "package a\n"
	for n := range pitfalls {
		list += fmt.Sprintf("%02d,It is so,a_test.go::TestPitfall%02d_ItIsSo\n", n+1, n+1)
		source += fmt.Sprintf("func TestPitfall%02d_ItIsSo(t *testing.T) {}\n", n+1)
	}
	return list, newTests(fstest.MapFS{"a_test.go": {Data: []byte(source)}})
}

func TestEveryPitfallHasATestNamedAfterIt(t *testing.T) {
	list, tests := listed()
	if err := checkPitfalls(strings.NewReader(list), tests); err != nil {
		t.Error(err)
	}
	for what, wrong := range map[string]string{
		"pitfall 07 has no test": strings.Replace(list, "07,It", "08,It", 1),
		"is not named after it":  strings.Replace(list, "TestPitfall09_", "TestPitfall10_", 1),
		"has no test Test":       strings.Replace(list, "TestPitfall11_ItIsSo", "TestPitfall11_ItWasSo", 1),
		"the columns are not":    strings.Replace(list, "statement", "said", 1),
	} {
		err := checkPitfalls(strings.NewReader(wrong), tests)
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
}
