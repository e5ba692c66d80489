package devclock

import (
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// furthest is how far the clock can be moved in all: far enough for anything there is to see, and
// well within what a time.Duration can hold.
const furthest = 100 * 365 * 24 * time.Hour

// Clock is a clock.Clock that can be moved forwards.
type Clock struct {
	wall func() time.Time
	path string

	moving sync.Mutex // one move at a time, its observers included

	mu        sync.Mutex
	offset    time.Duration
	last      time.Time
	observers []func(now time.Time)
}

// Open returns the clock whose offset is kept in the file, which need not exist yet. An empty
// path keeps it in memory only. wall is the time it starts from; nil is the computer's.
func Open(path string, wall func() time.Time) (*Clock, error) {
	if wall == nil {
		wall = time.Now
	}
	offset, err := load(path)
	if err != nil {
		return nil, err
	}
	return &Clock{wall: wall, path: path, offset: offset}, nil
}

// Now is the present instant of the application. It may be called from everywhere at once.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.wall().Add(c.offset).UTC().Truncate(time.Microsecond); now.After(c.last) {
		c.last = now
	}
	return c.last
}

// Observe has fn called after every move, before Advance returns, with the time it then is.
func (c *Clock) Observe(fn func(now time.Time)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observers = append(c.observers, fn)
}

// Advance moves the clock forwards and returns the time it then is, once every observer has been
// told. A step that is not forwards, or too far, is Invalid; a move that can't be kept on disk is
// Unavailable. Neither moves anything.
func (c *Clock) Advance(step time.Duration) (time.Time, error) {
	c.moving.Lock()
	defer c.moving.Unlock()
	observers, err := c.move(step)
	if err != nil {
		return time.Time{}, err
	}
	now := c.Now()
	for _, tell := range observers {
		tell(now)
	}
	return now, nil
}

func (c *Clock) move(step time.Duration) ([]func(time.Time), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if step <= 0 {
		return nil, fault.New(fault.Invalid, "The clock can only be moved forwards.")
	}
	if step > furthest-c.offset {
		return nil, fault.New(fault.Invalid, "The clock can't be moved that far.")
	}
	if err := save(c.path, c.offset+step); err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "The clock's new time could not be kept.")
	}
	c.offset += step
	return c.observers, nil
}
