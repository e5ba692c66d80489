package fakepayment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// state holds all records in memory, with indexes.
type state struct {
	customers     *table[customer]
	cards         *table[card]
	subscriptions *table[subscription]
	invoices      *table[invoice]
	intents       *table[intent]
	events        *table[event]
	responses     *table[response]

	controls
	outbox          []string // ids of events to deliver, oldest first
	responseKeys    []string // keys of the responses, oldest first
	lastEventNumber int64    // number of the latest event
	schedule        schedule
	changes         []change   // not written yet
	tables          []anyTable // customers to responses
}

// anyTable is a table of any record type.
type anyTable interface {
	recordKind() string
	load(id string, document []byte) error
}

func newState() *state {
	s := &state{}
	s.customers = newTable[customer]("customer", &s.changes)
	s.cards = newTable[card]("card", &s.changes)
	s.subscriptions = newTable[subscription]("subscription", &s.changes)
	s.invoices = newTable[invoice]("invoice", &s.changes)
	s.intents = newTable[intent]("intent", &s.changes)
	s.events = newTable[event]("event", &s.changes)
	s.responses = newTable[response]("response", &s.changes)
	s.tables = []anyTable{s.customers, s.cards, s.subscriptions, s.invoices, s.intents, s.events, s.responses}
	return s
}

// load adds a record read from disk. Call buildIndexes afterwards.
func (s *state) load(kind, id string, document []byte) error {
	for _, t := range s.tables {
		if t.recordKind() == kind {
			return t.load(id, document)
		}
	}
	return fmt.Errorf("unknown kind of record %q", kind)
}

// buildIndexes builds the indexes from the records.
func (s *state) buildIndexes() {
	s.outbox, s.lastEventNumber, s.schedule = nil, 0, schedule{}
	s.responseKeys = slices.SortedFunc(maps.Keys(s.responses.rows), func(a, b string) int {
		return s.responses.rows[a].Created.Compare(s.responses.rows[b].Created)
	})
	for id, e := range s.events.rows {
		s.outbox = append(s.outbox, id)
		s.lastEventNumber = max(s.lastEventNumber, e.Number)
	}
	slices.SortFunc(s.outbox, func(a, b string) int {
		return cmp.Compare(s.events.rows[a].Number, s.events.rows[b].Number)
	})
	for _, sub := range s.subscriptions.rows {
		s.schedule.addSubscription(sub)
	}
	for _, pi := range s.intents.rows {
		s.schedule.addPayment(pi)
		s.schedule.addPaymentReturn(pi.ID, returnTime(pi))
	}
}

// undo reverts the changes and rebuilds the indexes.
func (s *state) undo(changes []change) {
	for _, c := range slices.Backward(changes) {
		c.undo()
	}
	s.buildIndexes()
}

// takeChanges returns the changes since the last call.
func (s *state) takeChanges() []change {
	changes := s.changes
	s.changes = nil
	return changes
}

// change is the write of a record, or its removal if record is nil.
type change struct {
	kind, id string
	record   any
	undo     func()
}

// table holds the records of one type by key and appends every change to changes.
type table[T interface{ key() string }] struct {
	kind    string
	rows    map[string]T
	changes *[]change
}

func newTable[T interface{ key() string }](kind string, changes *[]change) *table[T] {
	return &table[T]{kind: kind, rows: map[string]T{}, changes: changes}
}

func (t *table[T]) get(key string) (T, bool) {
	row, ok := t.rows[key]
	return row, ok
}

func (t *table[T]) put(row T) {
	t.recordChange(row.key(), row)
	t.rows[row.key()] = row
}

func (t *table[T]) remove(key string) {
	t.recordChange(key, nil)
	delete(t.rows, key)
}

func (t *table[T]) recordChange(key string, record any) {
	previous, existed := t.rows[key]
	*t.changes = append(*t.changes, change{kind: t.kind, id: key, record: record, undo: func() {
		if existed {
			t.rows[key] = previous
		} else {
			delete(t.rows, key)
		}
	}})
}

func (t *table[T]) recordKind() string { return t.kind }

func (t *table[T]) load(id string, document []byte) error {
	var row T
	if err := json.Unmarshal(document, &row); err != nil {
		return fmt.Errorf("%s %s: %w", t.kind, id, err)
	}
	t.rows[id] = row
	return nil
}
