package sqlstorage

import (
	"context"
	"errors"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

// taken says which of a sign-up's names somebody else has.
type taken struct {
	Org   bool `db:"org"`
	Email bool `db:"email"`
}

const selectTaken = `SELECT
	EXISTS (SELECT 1 FROM organisations WHERE name_key = ? AND id <> ?) AS org,
	EXISTS (SELECT 1 FROM users WHERE email_key = ? AND id <> ?) AS email`

// orTaken makes the failure of a sign-up a Duplicate when one of its names is taken. Only then
// is it asked: a sign-up that succeeds has no second look at the tables. The database names one
// broken rule at most, a person wants to hear of both.
func (s *Store) orTaken(ctx context.Context, err error, o organisationRow, u userRow) error {
	if _, ok := errors.AsType[clash](err); !ok {
		return err
	}
	var names taken
	query := s.reader().get(ctx, "name", &names, selectTaken, o.NameKey, o.ID, u.Key, u.ID)
	if query != nil {
		return s.fault(query)
	}
	return names.fault(err)
}

// orNameTaken is orTaken for an organisation that changed its name.
func (s *Store) orNameTaken(ctx context.Context, err error, o organisationRow) error {
	return s.orTaken(ctx, err, o, userRow{})
}

func (t taken) fault(cause error) error {
	var fields fault.Fields
	fields.Check(!t.Org, "org", "An organisation with this name is already registered")
	fields.Check(!t.Email, "email", "This email address is already registered")
	broken := fault.FieldsOf(fields.Err())
	if len(broken) == 0 {
		return cause
	}
	duplicate := fault.Wrap(cause, fault.Duplicate, sentences(broken))
	duplicate.Fields = broken
	return duplicate
}

// sentences joins the fields' messages, so that the one message mentions all that is taken.
func sentences(broken []fault.Field) string {
	all := make([]string, len(broken))
	for i, field := range broken {
		all[i] = field.Message
	}
	return strings.Join(all, ". ")
}
