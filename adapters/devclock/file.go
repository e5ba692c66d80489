package devclock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// load reads the offset from the file: a duration such as "192h0m0s" on a line of its own.
func load(path string) (time.Duration, error) {
	if path == "" {
		return 0, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	offset, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil || offset < 0 || offset > furthest {
		return 0, fmt.Errorf("%s holds %q, which is not how far the clock was moved", path, text)
	}
	return offset, nil
}

// save puts a complete new file in the old one's place, so that a kill leaves one of the two.
func save(path string, offset time.Duration) error {
	if path == "" {
		return nil
	}
	draft, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }() // nothing is left of it after the rename
	_, err = fmt.Fprintln(draft, offset)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Rename(draft.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the rename itself survive a power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
