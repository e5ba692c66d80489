package devmail

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// file stores emails as JSON, one on each line. New emails are appended. When the file has twice as many lines as the
// mailbox keeps emails, it is rewritten with the emails of the mailbox.
type file struct {
	path       string
	lines      int
	incomplete bool // the last line may be incomplete, so add rewrites the file instead of appending
}

// load reads the emails, oldest first. A missing file contains none. An incomplete last line is ignored,
// because the server crashed while it wrote the line, before Send returned.
func (f *file) load() ([]Email, error) {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	f.incomplete = end < len(data)
	emails, err := decode(data[:end])
	if err != nil {
		return nil, fmt.Errorf("mailbox %s: %w", f.path, err)
	}
	f.lines = len(emails)
	return emails, nil
}

func decode(data []byte) ([]Email, error) {
	var emails []Email
	for line := range bytes.Lines(data) {
		var e Email
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("line %d is not an email", len(emails)+1)
		}
		emails = append(emails, e)
	}
	return emails, nil
}

// add appends an email. If the file is too long it is rewritten instead, with all emails of the mailbox.
func (f *file) add(e Email, all []Email) error {
	if f.incomplete || f.lines >= 2*Capacity {
		return f.rewrite(all)
	}
	line, err := encode(e)
	if err != nil {
		return err
	}
	f.incomplete = true
	if err := f.append(line); err != nil {
		return err
	}
	f.incomplete = false
	f.lines++
	return nil
}

// append appends a line. The file is readable by its owner only, because it contains verification links.
func (f *file) append(line []byte) error {
	w, err := os.OpenFile(f.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = w.Write(line)
	return errors.Join(err, w.Close())
}

// rewrite replaces the file atomically.
func (f *file) rewrite(emails []Email) error {
	data, err := encode(emails...)
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.path+".new", data, 0o600); err != nil {
		return err
	}
	if err := os.Rename(f.path+".new", f.path); err != nil {
		return err
	}
	f.lines, f.incomplete = len(emails), false
	return nil
}

func encode(emails ...Email) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	for _, e := range emails {
		if err := encoder.Encode(e); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
