package fakepayment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	return &journal{file: file, lock: lock}, nil
}

// resume reads the journal, makes it short again and opens it for what comes next.
func resume(path string, s *state) (*os.File, error) {
	if err := replay(path, s); err != nil {
		return nil, err
	}
	if err := compact(path, s); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
}

// replay applies every line of the journal.
func replay(path string, s *state) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close() // only read
	lines := bufio.NewReaderSize(file, 1<<20)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			// What follows the last line break was cut off by a kill while it was written. Nobody
			// was told of it, so it did not happen.
			return nil
		}
		if err == nil {
			err = replayLine(number, bytes.TrimSuffix(line, []byte("\n")), s)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", path, number, err)
		}
	}
}

func replayLine(number int, line []byte, s *state) error {
	if number == 1 {
		if string(line) != heading {
			return errors.New("this is no journal of this version")
		}
		return nil
	}
	var changes []savedChange
	if err := json.Unmarshal(line, &changes); err != nil {
		return err
	}
	for _, c := range changes {
		if err := s.restore(c); err != nil {
			return err
		}
	}
	return nil
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
