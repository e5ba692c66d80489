package devmail

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// file holds letters, one JSON object a line. Letters are added at its end; now and then it is
// written anew with only those that are still wanted.
type file struct {
	path  string
	lines int
	torn  bool // the last line may be half a letter: write anew before anything is added
}

// load reads the letters, oldest first; no file is no letters. Half a letter at the end, which a
// crash leaves behind, was never acknowledged and is left out.
func (f *file) load() ([]Letter, error) {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	f.torn = whole < len(data)
	letters, err := decode(data[:whole])
	if err != nil {
		return nil, fmt.Errorf("mailbox %s: %w", f.path, err)
	}
	f.lines = len(letters)
	return letters, nil
}

func decode(data []byte) ([]Letter, error) {
	var letters []Letter
	for line := range bytes.Lines(data) {
		var l Letter
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("line %d is not a letter", len(letters)+1)
		}
		letters = append(letters, l)
	}
	return letters, nil
}

// add makes l last. all are the letters to keep, l included.
func (f *file) add(l Letter, all []Letter) error {
	if f.torn || f.lines >= 2*Capacity {
		return f.rewrite(all)
	}
	line, err := encode(l)
	if err != nil {
		return err
	}
	f.torn = true
	if err := f.append(line); err != nil {
		return err
	}
	f.torn = false
	f.lines++
	return nil
}

// append writes what only the owner may read: the letters hold links that verify an account.
func (f *file) append(line []byte) error {
	out, err := os.OpenFile(f.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(line)
	return errors.Join(err, out.Close())
}

// rewrite replaces the file at once, so that a crash leaves the old one or the new one.
func (f *file) rewrite(letters []Letter) error {
	data, err := encode(letters...)
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.path+".new", data, 0o600); err != nil {
		return err
	}
	if err := os.Rename(f.path+".new", f.path); err != nil {
		return err
	}
	f.lines, f.torn = len(letters), false
	return nil
}

func encode(letters ...Letter) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	for _, l := range letters {
		if err := out.Encode(l); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
