package fakepayment

import (
	"cmp"
	"encoding/json"
	"fmt"
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

	outbox    []string // ids of events to deliver, oldest first
	lastEvent int64    // number of the latest event
	schedule  schedule
	changes   []change   // not written yet
	tables    []anyTable // all of the above
}

// anyTable is a table of any record type.
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
	s.responses = newTable[response]("answer", &s.changes)
	s.tables = []anyTable{s.customers, s.cards, s.subscriptions, s.invoices, s.intents, s.events, s.responses}
	return s
}

// restore applies a change read from disk.
func (s *state) restore(c savedChange) error {
	for _, t := range s.tables {
		if t.tableName() == c.Table {
			return t.restore(c)
		}
	}
	return fmt.Errorf("there is no table %q", c.Table)
}

// index builds the indexes after all records were restored.
func (s *state) index() {
	for id, e := range s.events.rows {
		s.outbox = append(s.outbox, id)
		s.lastEvent = max(s.lastEvent, e.Number)
	}
	slices.SortFunc(s.outbox, func(a, b string) int {
		return cmp.Compare(s.events.rows[a].Number, s.events.rows[b].Number)
	})
	for _, sub := range s.subscriptions.rows {
		s.schedule.add(sub)
	}
}

// size returns the number of records.
func (s *state) size() int {
	n := 0
	for _, t := range s.tables {
		n += t.size()
	}
	return n
}

// each iterates over all records, each as the change that creates it.
func (s *state) each(yield func(change) bool) {
	for _, t := range s.tables {
		if !t.each(yield) {
			return
		}
	}
}

// takeChanges returns the changes since the last call.
func (s *state) takeChanges() []change {
	taken := s.changes
	s.changes = nil
	return taken
}

// change is a record that was written, or removed when Value is nil.
type change struct {
	Table string `json:"table"`
	Key   string `json:"key"`
	Value any    `json:"value,omitempty"`
}

// savedChange is a change read from disk; its table decodes Value.
type savedChange struct {
	Table string          `json:"table"`
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// table holds the records of one type by key and reports every change.
type table[T interface{ key() string }] struct {
	name    string
	rows    map[string]T
	changes *[]change
}

func newTable[T interface{ key() string }](name string, changes *[]change) *table[T] {
	return &table[T]{name: name, rows: map[string]T{}, changes: changes}
}

func (t *table[T]) get(key string) (T, bool) {
	row, found := t.rows[key]
	return row, found
}

func (t *table[T]) put(row T) {
	t.rows[row.key()] = row
	*t.changes = append(*t.changes, change{Table: t.name, Key: row.key(), Value: row})
}

func (t *table[T]) remove(key string) {
	delete(t.rows, key)
	*t.changes = append(*t.changes, change{Table: t.name, Key: key})
}

func (t *table[T]) tableName() string { return t.name }

func (t *table[T]) size() int { return len(t.rows) }

func (t *table[T]) restore(c savedChange) error {
	if c.Value == nil {
		delete(t.rows, c.Key)
		return nil
	}
	var row T
	if err := json.Unmarshal(c.Value, &row); err != nil {
		return fmt.Errorf("%s %s: %w", t.name, c.Key, err)
	}
	t.rows[c.Key] = row
	return nil
}

func (t *table[T]) each(yield func(change) bool) bool {
	for key, row := range t.rows {
		if !yield(change{Table: t.name, Key: key, Value: row}) {
			return false
		}
	}
	return true
}
