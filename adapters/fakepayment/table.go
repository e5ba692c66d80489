package fakepayment

import (
	"encoding/json"
	"fmt"
)

// change is one row written, or removed when it has no value: what the journal is made of.
type change struct {
	Table string `json:"table"`
	Key   string `json:"key"`
	Value any    `json:"value,omitempty"`
}

// savedChange is a change read back, whose value only its table can read.
type savedChange struct {
	Table string          `json:"table"`
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// table holds the rows of one kind and notes every change to them.
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

// restore applies a change of the journal without noting it again.
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

// each hands out every row as the change that would make it.
func (t *table[T]) each(yield func(change) bool) bool {
	for key, row := range t.rows {
		if !yield(change{Table: t.name, Key: key, Value: row}) {
			return false
		}
	}
	return true
}
