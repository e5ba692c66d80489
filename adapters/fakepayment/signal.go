package fakepayment

import "sync"

// signal wakes everybody who waits for news. To miss none, take the channel before looking
// whether there is something to do.
type signal struct {
	mu   sync.Mutex
	next chan struct{}
}

func newSignal() *signal { return &signal{next: make(chan struct{})} }

// told is closed when there is news.
func (s *signal) told() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next
}

func (s *signal) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.next)
	s.next = make(chan struct{})
}
