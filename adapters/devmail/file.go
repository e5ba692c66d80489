package devmail

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// file stores emails as JSON, one per line. When it has twice as many lines as the capacity of the mailbox, it is
// rewritten with the emails that the mailbox still has.
type file struct {
	path         string
	lineCount    int
	needsRewrite bool // the last line may be incomplete
}

// load reads the emails, oldest first. If the file does not exist, there are none. It ignores an incomplete last line,
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
	f.needsRewrite = end < len(data)
	emails, err := decodeEmails(data[:end])
	if err != nil {
		return nil, fmt.Errorf("mailbox %s: %w", f.path, err)
	}
	f.lineCount = len(emails)
	return emails, nil
}

func decodeEmails(data []byte) ([]Email, error) {
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

// add appends the email e, or rewrites the file with the emails of the mailbox, which include e.
func (f *file) add(e Email, mailbox []Email) error {
	if f.needsRewrite || f.lineCount >= 2*Capacity {
		return f.rewrite(mailbox)
	}
	line, err := encodeEmails(e)
	if err != nil {
		return err
	}
	f.needsRewrite = true
	if err := f.append(line); err != nil {
		return err
	}
	f.needsRewrite = false
	f.lineCount++
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
	data, err := encodeEmails(emails...)
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.path+".new", data, 0o600); err != nil {
		return err
	}
	if err := os.Rename(f.path+".new", f.path); err != nil {
		return err
	}
	f.lineCount, f.needsRewrite = len(emails), false
	return nil
}

func encodeEmails(emails ...Email) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	for _, e := range emails {
		if err := encoder.Encode(e); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
