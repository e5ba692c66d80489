package sqlstorage

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// nullString is a column that may be NULL.
type nullString = sql.Null[string]

func notNull(s string) nullString { return nullString{V: s, Valid: true} }

func nullIfEmpty(s string) nullString { return nullString{V: s, Valid: s != ""} }

// marshalDocument encodes a value for a JSON column. It panics if the value can't be encoded.
func marshalDocument(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // the stored types can always be encoded
	}
	return string(text)
}

// unmarshalDocument returns the value that marshalDocument has written.
func unmarshalDocument[Value any](text string) (Value, error) {
	var value Value
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return value, fmt.Errorf("a document in the database can't be read: %w", err)
	}
	return value, nil
}

// timestamp stores a time in a column, in UTC with microseconds. The zero time is NULL. Timestamps can be compared with
// ==.
type timestamp struct{ time time.Time }

func newTimestamp(t time.Time) timestamp {
	if t.IsZero() {
		return timestamp{}
	}
	return timestamp{t.UTC().Truncate(time.Microsecond)}
}

// Value implements driver.Valuer.
func (t timestamp) Value() (driver.Value, error) {
	if t.time.IsZero() {
		return nil, nil
	}
	return t.time, nil
}

// Scan implements sql.Scanner.
func (t *timestamp) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		*t = timestamp{}
	case time.Time:
		*t = newTimestamp(v)
	default:
		return fmt.Errorf("a timestamp column contains %T", value)
	}
	return nil
}
