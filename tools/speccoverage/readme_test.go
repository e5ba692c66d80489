package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

const readme = "| section | how | shown by |\n|---|---|---|\n" +
	"| 1 a | so | `TestThis`, `FuzzThat` |\n| 2 b | so | [a file](a/b_test.go), `make verify` |\n\n" +
	"See [there](a/b_test.go#L1), [elsewhere](https://example.test/x) and [here](#here).\n"

func TestWhatTheReadmeNamesIsThere(t *testing.T) {
	files := func(text string) fstest.MapFS {
		return fstest.MapFS{
			"README.md":                {Data: []byte(text)},
			"a/b_test.go":              {Data: []byte("package a\n\nfunc TestThis(t *testing.T) {}\n\nfunc FuzzThat(f *testing.F) {}\n")},
			"node_modules/x/x_test.go": {Data: []byte("package x\n\nfunc TestElse(t *testing.T) {}\n")},
		}
	}
	if err := checkReadme(files(readme)); err != nil {
		t.Error(err)
	}
	for what, wrong := range map[string]string{
		"no test TestElse":    strings.Replace(readme, "TestThis", "TestElse", 1),
		"no test FuzzNothing": strings.Replace(readme, "FuzzThat", "FuzzNothing", 1),
		"no file a/c_test.go": strings.Replace(readme, "a/b_test", "a/c_test", 1),
		`nothing shows "1 a"`: strings.Replace(readme, "`TestThis`, `FuzzThat`", "we looked", 1),
	} {
		if err := checkReadme(files(wrong)); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("want %q, got %v", what, err)
		}
	}
}
