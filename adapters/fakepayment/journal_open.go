package fakepayment

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// heading is the first line of every journal, so that another file is never taken for one.
const heading = `{"journal":"fakepayment","version":1}`

// openJournal brings the state back from the file, which need not exist yet, and returns the
// journal that goes on with it. An empty path keeps nothing.
func openJournal(path string, s *state) (*journal, error) {
	if path == "" {
		return &journal{}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	lock, err := lockFile(path + ".lock")
	if err != nil {
		return nil, err
	}
	file, err := resume(path, s)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	whole, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, errors.Join(err, file.Close(), lock.Close())
	}
	return &journal{file: file, lock: lock, whole: whole}, nil
}

// resume reads the journal, makes it short again when that is worth while, and opens it for what
// comes next.
func resume(path string, s *state) (*os.File, error) {
	r := reader{state: s}
	if err := r.replay(path); err != nil {
		return nil, err
	}
	if r.changes == 0 || r.changes > 2*s.size() {
		if err := compact(path, s); err != nil {
			return nil, err
		}
		return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(r.whole); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// compact puts a journal that makes the state in one go in the place of the old one.
func compact(path string, s *state) error {
	draft, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(writeAll(draft, s), draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Rename(draft.Name(), path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	// The rename itself has to survive a power cut as well.
	return errors.Join(folder.Sync(), folder.Close())
}

func writeAll(to io.Writer, s *state) error {
	out := bufio.NewWriterSize(to, 1<<20)
	_, err := fmt.Fprintln(out, heading)
	encoder := json.NewEncoder(out)
	for c := range s.each {
		if err == nil {
			err = encoder.Encode([]change{c})
		}
	}
	return errors.Join(err, out.Flush())
}
