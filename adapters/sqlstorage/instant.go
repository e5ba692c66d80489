package sqlstorage

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// instant is a time as a column keeps it: UTC, to the microsecond, and NULL for the zero time.
// Two instants are the same when they are equal by ==.
type instant struct{ t time.Time }

// at is the time as it will be stored.
func at(t time.Time) instant {
	if t.IsZero() {
		return instant{}
	}
	return instant{t.UTC().Truncate(time.Microsecond)}
}

// Value implements driver.Valuer.
func (i instant) Value() (driver.Value, error) {
	if i.t.IsZero() {
		return nil, nil
	}
	return i.t, nil
}

// Scan implements sql.Scanner.
func (i *instant) Scan(stored any) error {
	switch v := stored.(type) {
	case nil:
		*i = instant{}
	case time.Time:
		*i = at(v)
	default:
		return fmt.Errorf("a column of instants holds %T", stored)
	}
	return nil
}
