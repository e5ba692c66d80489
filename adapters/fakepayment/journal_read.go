package fakepayment

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// reader brings a state back from a journal.
type reader struct {
	state   *state
	lines   int
	changes int
	whole   int64 // bytes, up to the last line break
}

// replay applies every line of the journal. What follows the last line break was cut off by a
// kill while it was written: nobody was told of it, so it did not happen.
func (r *reader) replay(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	in := bufio.NewReaderSize(file, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		r.lines++
		r.whole += int64(len(line))
		if err == nil {
			err = r.apply(line)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", path, r.lines, err)
		}
	}
}

func (r *reader) apply(line []byte) error {
	if r.lines == 1 {
		if string(line) != heading+"\n" {
			return errors.New("this is no journal of this version")
		}
		return nil
	}
	var changes []savedChange
	if err := json.Unmarshal(line, &changes); err != nil {
		return err
	}
	r.changes += len(changes)
	for _, c := range changes {
		if err := r.state.restore(c); err != nil {
			return err
		}
	}
	return nil
}
