package fakepayment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
)

// errStopped is why a stopped provider answers nothing any more.
var errStopped = errors.New("the provider has been stopped")

// journal is the list of all changes on disk, one line of JSON for what happened at once. Lines
// that come together share one write and one fsync. The zero journal keeps nothing.
type journal struct {
	file *os.File
	lock *os.File

	mu      sync.Mutex
	filling *batch // takes lines; nil when none waits to be written
	writing *batch // on its way to the disk; nil when none is
	busy    bool   // somebody runs write
	broken  error  // once set, nothing is taken any more
}

// batch is the lines of one write.
type batch struct {
	lines bytes.Buffer
	done  chan struct{}
	err   error // to be read after done
}

func newBatch() *batch { return &batch{done: make(chan struct{})} }

// end tells those who wait what became of the batch.
func (b *batch) end(err error) *batch {
	b.err = err
	close(b.done)
	return b
}

// wait returns once the batch is on disk, with ctx's error when that ends sooner.
func (b *batch) wait(ctx context.Context) error {
	if b == nil {
		return nil
	}
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// add notes the changes and returns the batch that has to reach the disk before anybody may be
// told of anything that has happened so far: nil when all of it is there.
func (j *journal) add(changes []change) *batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken == nil && j.file != nil && len(changes) > 0 {
		j.broken = j.fill(changes)
	}
	switch {
	case j.broken != nil:
		return newBatch().end(j.broken)
	case j.filling != nil:
		return j.filling
	}
	return j.writing
}

// fill appends a line and sees to it that somebody writes it.
func (j *journal) fill(changes []change) error {
	line, err := json.Marshal(changes)
	if err != nil {
		return err
	}
	if j.filling == nil {
		j.filling = newBatch()
	}
	j.filling.lines.Write(append(line, '\n'))
	if !j.busy {
		j.busy = true
		go j.write()
	}
	return nil
}

// write brings batches to the disk until there are no more. After a failure the file may end in
// the middle of a line, so nothing may follow.
func (j *journal) write() {
	var err error
	for b := j.next(nil); b != nil; b = j.next(err) {
		if err == nil {
			err = j.sync(b.lines.Bytes())
		}
		b.end(err)
	}
}

// next takes the batch to write, nil when there is none, after hearing how the last one went.
func (j *journal) next(err error) *batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		j.broken = err
	}
	j.writing, j.filling = j.filling, nil
	j.busy = j.writing != nil
	return j.writing
}

func (j *journal) sync(lines []byte) error {
	if _, err := j.file.Write(lines); err != nil {
		return err
	}
	return j.file.Sync()
}

// close takes nothing more, waits for what is on its way and lets go of the files.
func (j *journal) close(ctx context.Context) error {
	last := j.add(nil)
	if !j.stop() {
		return nil
	}
	err := last.wait(ctx)
	if j.file == nil {
		return err
	}
	return errors.Join(err, j.file.Close(), j.lock.Close())
}

// stop reports whether nobody did before.
func (j *journal) stop() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	first := !errors.Is(j.broken, errStopped)
	j.broken = errStopped
	return first
}
