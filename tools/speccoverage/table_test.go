package main

import (
	"strings"
	"testing"
)

const header = "id,section,statement,kind,test,note\n"

func TestTableIsReadAndChecked(t *testing.T) {
	for name, tt := range map[string]struct{ rows, problem string }{
		"good":                {"1.1,One,\"It says \"\"yes\"\", or no\",tested,a_test.go::TestA,\n1.2,One,Not shown,decision,,We do\n2.1,Two,x,tested,a::b,n\n", ""},
		"gaps are no problem": {"1.1,One,x,tested,a::b,\n1.10,One,x,tested,a::b,\n9.2,Nine,x,tested,a::b,\n", ""},
		"an id twice":         {"1.1,One,x,tested,a::b,\n1.1,One,y,tested,a::b,\n", "line 3, 1.1: line 2 has this id too"},
		"ids in no order":     {"1.2,One,x,tested,a::b,\n1.1,One,y,tested,a::b,\n", "line 3, 1.1: the ids are not in order"},
		"no id":               {"1,One,x,tested,a::b,\n", "line 2, 1: the id is not a section and a number, such as 2.17"},
		"no statement":        {"1.1,One, ,tested,a::b,\n", "line 2, 1.1: section or statement is empty"},
		"no test":             {"1.1,One,x,tested,,a note\n", "line 2, 1.1: no test is named"},
		"no note":             {"1.1,One,x,decision,a::b,\n", "line 2, 1.1: the note does not say what was decided"},
		"another kind":        {"1.1,One,x,skipped,,\n", `line 2, 1.1: the kind "skipped" is neither tested nor decision`},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := readTable(strings.NewReader(header + tt.rows))
			if err != nil {
				t.Fatal(err)
			}
			expectProblem(t, checkTable(rows), tt.problem)
		})
	}
}

func TestTableOfAnotherShapeIsNotRead(t *testing.T) {
	for _, text := range []string{"", "id,statement\n", header + "1.1,One\n", header + `1.1,"One` + "\n"} {
		if _, err := readTable(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// expectProblem expects just this one, or none when it is empty.
func expectProblem(t *testing.T, problems []error, want string) {
	t.Helper()
	var got []string
	for _, problem := range problems {
		got = append(got, problem.Error())
	}
	if strings.Join(got, "\n") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
