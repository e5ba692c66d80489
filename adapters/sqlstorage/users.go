package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
)

var (
	selectUser        = users.selects("WHERE id = ?")
	selectUserByEmail = users.selects("WHERE email_key = ?")
)

// User implements storage.Users.
func (s *Store) User(ctx context.Context, id string) (account.User, error) {
	return s.user(ctx, selectUser, id)
}

// UserByEmail implements storage.Users.
func (s *Store) UserByEmail(ctx context.Context, email string) (account.User, error) {
	return s.user(ctx, selectUserByEmail, account.EmailKey(email))
}

func (s *Store) user(ctx context.Context, query, arg string) (account.User, error) {
	var row userRow
	if err := s.reader().get(ctx, "user", &row, query, arg); err != nil {
		return account.User{}, s.fault(err)
	}
	return row.user(), nil
}

// UpdateUser implements storage.Users.
func (s *Store) UpdateUser(ctx context.Context, id string, fn func(*account.User) error) (account.User, error) {
	var changed userRow
	err := s.write(ctx, func(c conn) (err error) {
		changed, err = c.changeUser(ctx, id, fn)
		return err
	})
	if err != nil {
		return account.User{}, err
	}
	return changed.user(), nil
}

// changeUser locks the user, also when fn changes nothing.
func (c conn) changeUser(ctx context.Context, id string, fn func(*account.User) error) (userRow, error) {
	var before userRow
	if err := c.get(ctx, "user", &before, selectUser+c.lock, id); err != nil {
		return userRow{}, err
	}
	after, err := before.changed(fn)
	if err != nil || after == before {
		return after, err
	}
	return after, c.put(ctx, updateUser, after)
}

func (r userRow) changed(fn func(*account.User) error) (userRow, error) {
	before := r.user()
	u := before
	if err := fn(&u); err != nil {
		return userRow{}, callersError{err}
	}
	u.ID, u.OrganisationID, u.Email, u.CreatedAt = before.ID, before.OrganisationID, before.Email, before.CreatedAt
	return userRowOf(u), nil
}
