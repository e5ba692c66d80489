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
	numbers       map[string]string // of the cards
	dropped       []string          // cards that may be detached: of declined payments, and copies of newer ones
	defaultCard   string
	subscription  string
	price         string // its id
	subscriptions int    // with those that had to make place
	invoices      int    // of the one that goes on
}

// saved notes a card, which is the default one then. It takes the place of an older copy.
func (e *entry) saved(card, number string) {
	if e.numbers == nil {
		e.numbers = map[string]string{}
	}
	for _, older := range slices.Clone(e.cards) {
		if older != card && e.numbers[older] == number {
			e.drop(older)
		}
	}
	if !slices.Contains(e.cards, card) {
		e.cards = append(e.cards, card)
	}
	e.numbers[card], e.defaultCard = number, card
}

// drop notes that a card may be detached.
func (e *entry) drop(card string) {
	e.cards = slices.DeleteFunc(e.cards, func(id string) bool { return id == card })
	e.dropped = append(e.dropped, card)
}

// missing returns a card that should be among those that are there.
func (e *entry) missing(there []string) (card string, isMissing bool) {
	i := slices.IndexFunc(e.cards, func(id string) bool { return !slices.Contains(there, id) })
	if i < 0 {
		return "", false
	}
	return e.cards[i], true
}

// unexpected reports whether a card is there that should not be.
func (e *entry) unexpected(there []string) bool {
	return slices.ContainsFunc(there, func(id string) bool { return !slices.Contains(e.cards, id) && !slices.Contains(e.dropped, id) })
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
