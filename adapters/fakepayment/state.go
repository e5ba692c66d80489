package fakepayment

import (
	"cmp"
	"fmt"
	"slices"
)

// state is everything the provider knows, with the indexes that make it quick to ask.
type state struct {
	customers     *table[customer]
	cards         *table[card]
	subscriptions *table[subscription]
	invoices      *table[invoice]
	intents       *table[intent]
	events        *table[event]
	answers       *table[answer]

	outbox  []string   // the events to deliver, oldest first
	numbers int64      // of the events so far
	agenda  agenda     // what comes due, soonest first
	changes []change   // not yet in the journal
	all     []anyTable // every table, for the journal
}

// anyTable is a table whose rows the journal need not know.
type anyTable interface {
	tableName() string
	size() int
	restore(savedChange) error
	each(func(change) bool) bool
}

func newState() *state {
	s := &state{}
	s.customers = newTable[customer]("customer", &s.changes)
	s.cards = newTable[card]("card", &s.changes)
	s.subscriptions = newTable[subscription]("subscription", &s.changes)
	s.invoices = newTable[invoice]("invoice", &s.changes)
	s.intents = newTable[intent]("intent", &s.changes)
	s.events = newTable[event]("event", &s.changes)
	s.answers = newTable[answer]("answer", &s.changes)
	s.all = []anyTable{s.customers, s.cards, s.subscriptions, s.invoices, s.intents, s.events, s.answers}
	return s
}

// restore applies one change of the journal.
func (s *state) restore(c savedChange) error {
	for _, t := range s.all {
		if t.tableName() == c.Table {
			return t.restore(c)
		}
	}
	return fmt.Errorf("there is no table %q", c.Table)
}

// index makes the indexes anew, after everything was restored.
func (s *state) index() {
	for id, e := range s.events.rows {
		s.outbox = append(s.outbox, id)
		s.numbers = max(s.numbers, e.Number)
	}
	slices.SortFunc(s.outbox, func(a, b string) int {
		return cmp.Compare(s.events.rows[a].Number, s.events.rows[b].Number)
	})
	for _, sub := range s.subscriptions.rows {
		s.agenda.add(sub)
	}
}

// size is the number of rows.
func (s *state) size() int {
	n := 0
	for _, t := range s.all {
		n += t.size()
	}
	return n
}

// each is a sequence of changes that makes this state from nothing.
func (s *state) each(yield func(change) bool) {
	for _, t := range s.all {
		if !t.each(yield) {
			return
		}
	}
}

// takeChanges hands over what happened since the last time.
func (s *state) takeChanges() []change {
	taken := s.changes
	s.changes = nil
	return taken
}
