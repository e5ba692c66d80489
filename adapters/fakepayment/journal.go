package fakepayment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// errStopped is why a stopped provider answers nothing any more.
var errStopped = errors.New("the provider has been stopped")

// journal is the list of all changes on disk, one line of JSON for what happened at once. Lines
// that come together share one write and one fsync. The zero journal keeps nothing.
type journal struct {
	file file
	lock io.Closer

	mu      sync.Mutex
	filling *batch // takes lines; nil when none waits to be written
	writing *batch // on its way to the disk; nil when none is
	busy    bool   // somebody runs write
	broken  error  // once set, nothing is taken any more

	whole int64 // bytes, up to the last line break; it belongs to whoever runs write
}

// file is what a journal needs of an open file, whose every write goes to its end.
type file interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
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
		j.begin()
		return j.filling
	}
	return j.writing
}

// fill appends a line.
func (j *journal) fill(changes []change) error {
	line, err := json.Marshal(changes)
	if err != nil {
		return err
	}
	if j.filling == nil {
		j.filling = newBatch()
	}
	j.filling.lines.Write(append(line, '\n'))
	return nil
}

// begin sees to it that somebody writes.
func (j *journal) begin() {
	if !j.busy {
		j.busy = true
		go j.write()
	}
}

// write brings batches to the disk until there are no more, or one fails.
func (j *journal) write() {
	for b := j.next(); b != nil; b = j.next() {
		final, err := j.save(b.lines.Bytes())
		if err != nil {
			j.keep(b, final, err)
			return
		}
		b.end(nil)
	}
}

// next takes the batch to write, nil when there is none.
func (j *journal) next() *batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.writing, j.filling = j.filling, nil
	j.busy = j.writing != nil
	return j.writing
}

// save writes the lines. What a failed write has left is taken away again, so that a disk that was
// full is good once there is room. After any other failure, which is final, nobody knows what the
// disk holds.
func (j *journal) save(lines []byte) (final bool, err error) {
	if _, err := j.file.Write(lines); err != nil {
		return j.file.Truncate(j.whole) != nil, err
	}
	j.whole += int64(len(lines))
	return true, j.file.Sync()
}

// keep tells everybody who waits that their lines are not on disk, and has the next caller try
// them again: what they tell of has happened, as at a provider that acted and could not say so.
func (j *journal) keep(failed *batch, final bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	again := newBatch()
	for _, b := range []*batch{failed, j.filling} {
		if b != nil {
			again.lines.Write(b.lines.Bytes())
			b.end(err)
		}
	}
	j.writing, j.filling, j.busy = nil, again, false
	if final {
		j.broken = err
	}
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
