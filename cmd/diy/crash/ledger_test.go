package crash

import (
	"slices"
	"sync"
)

// entry is what one person was told, in memory that no kill reaches.
type entry struct {
	number        int
	user, org     string // ids
	verified      bool
	customer      string
	cards         []string
	defaultCard   string
	broke         string // the card that can't pay, if there is one
	subscription  string
	price         string // its id
	subscriptions int    // with those that had to make place
	invoices      int    // of the one that goes on
}

// saved notes a card, which is the default one then.
func (e *entry) saved(card string) {
	if !slices.Contains(e.cards, card) {
		e.cards = append(e.cards, card)
	}
	e.defaultCard = card
}

// ledger is what everybody was told.
type ledger struct {
	mu      sync.Mutex
	entries []*entry
}

// open makes the entry of one more person.
func (l *ledger) open() *entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := &entry{number: len(l.entries) + 1}
	l.entries = append(l.entries, e)
	return e
}
