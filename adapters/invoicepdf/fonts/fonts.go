// Package fonts embeds fonts for scripts that the main fonts of invoice documents lack: Chinese characters, Japanese and
// Korean syllables, Thai and Devanagari. They are Noto Sans, under the SIL Open Font License in the folder. Each file
// contains some characters, so that a document loads only the files that it needs.
package fonts

import (
	"embed"
	"encoding/json"
	"slices"
	"sync"
)

// Until the web app is built, the folder contains only a keep file, so that the Go code compiles on a clean clone.
//
//go:embed all:files
var files embed.FS

// entry is a font file and the ranges of its characters.
type entry struct {
	File   string
	Ranges [][2]rune
}

var readIndex = sync.OnceValue(func() (entries []entry) {
	data, err := files.ReadFile("files/index.json")
	if err == nil {
		err = json.Unmarshal(data, &entries)
	}
	if err != nil {
		return nil // the web app is not built
	}
	return entries
})

// FileFor returns the name of the font file with the character, or "" if there is none.
func FileFor(r rune) string {
	for _, e := range readIndex() {
		if slices.ContainsFunc(e.Ranges, func(bounds [2]rune) bool { return bounds[0] <= r && r <= bounds[1] }) {
			return e.File
		}
	}
	return ""
}

// Read returns the content of a font file in the format WOFF.
func Read(file string) ([]byte, error) { return files.ReadFile("files/" + file) }
