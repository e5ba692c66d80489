// Package devclock implements clock.Clock for development and tests. Its time is the real time plus an
// offset, which Advance increases. The application and the fake payment provider share the clock, so Advance
// can end a trial immediately. The offset is stored in a file, so that times in the database are not in the
// future after a restart.
package devclock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// maxOffset limits how far the clock can be moved in total. It is well within the range of time.Duration.
const maxOffset = 100 * 365 * 24 * time.Hour

// Clock is a clock.Clock that can be moved forwards. It is safe for concurrent use.
type Clock struct {
	systemTime func() time.Time
	path       string

	advanceMu sync.Mutex // held while Advance moves the clock and calls the observers

	mu        sync.Mutex
	offset    time.Duration
	last      time.Time // the last result of Now
	observers []func(now time.Time)
}

// Open returns a clock that stores its offset in the file at path, which need not exist. If path is empty, the offset is
// kept in memory only. A nil systemTime means time.Now.
func Open(path string, systemTime func() time.Time) (*Clock, error) {
	if systemTime == nil {
		systemTime = time.Now
	}
	offset, err := loadOffset(path)
	if err != nil {
		return nil, err
	}
	return &Clock{systemTime: systemTime, path: path, offset: offset}, nil
}

// Now returns the real time plus the offset, in UTC with microseconds. It never goes backwards.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.systemTime().Add(c.offset).UTC().Truncate(time.Microsecond); now.After(c.last) {
		c.last = now
	}
	return c.last
}

// Observe registers fn, which Advance calls with the new time after every move.
func (c *Clock) Observe(fn func(now time.Time)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observers = append(c.observers, fn)
}

// Advance moves the clock forwards, calls the observers and returns the new time. The error is Invalid if the
// step is zero, negative or too large, and Unavailable if the offset can't be stored. After an error the clock
// has not moved.
func (c *Clock) Advance(step time.Duration) (time.Time, error) {
	c.advanceMu.Lock()
	defer c.advanceMu.Unlock()
	observers, err := c.increaseOffset(step)
	if err != nil {
		return time.Time{}, err
	}
	now := c.Now()
	for _, observer := range observers {
		observer(now)
	}
	return now, nil
}

// increaseOffset increases and stores the offset, and returns the observers to call.
func (c *Clock) increaseOffset(step time.Duration) ([]func(time.Time), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if step <= 0 {
		return nil, fault.New(fault.Invalid, "The clock can only be moved forwards.")
	}
	if step > maxOffset-c.offset {
		return nil, fault.New(fault.Invalid, "The clock can't be moved that far.")
	}
	if err := saveOffset(c.path, c.offset+step); err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "The clock's new time could not be stored.")
	}
	c.offset += step
	return c.observers, nil
}

// loadOffset reads the offset, a duration such as "192h0m0s", from the file. If there is no file, it returns 0.
func loadOffset(path string) (time.Duration, error) {
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
	if err != nil || offset < 0 || offset > maxOffset {
		return 0, fmt.Errorf("%s contains %q, which is not a valid offset of the clock", path, text)
	}
	return offset, nil
}

// saveOffset replaces the file atomically.
func saveOffset(path string, offset time.Duration) error {
	if path == "" {
		return nil
	}
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // has no effect after the rename
	_, err = fmt.Fprintln(temp, offset)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir syncs a directory, so that the rename survives a power failure.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
