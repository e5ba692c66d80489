package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/ports/storage"
)

// CreateSignup implements storage.Signups. Its letter is as old as its organisation.
func (s *Store) CreateSignup(ctx context.Context, in storage.Signup) error {
	rows, user := organisationRowsOf(in.Organisation), userRowOf(in.User)
	err := s.write(ctx, func(c conn) error {
		if err := c.addOrganisation(ctx, rows); err != nil {
			return err
		}
		if err := c.put(ctx, insertUser, user); err != nil {
			return err
		}
		return c.addVerification(ctx, in.Verification, in.Letter, in.Organisation.CreatedAt)
	})
	return s.orTaken(ctx, err, rows.own, user)
}

func (c conn) addOrganisation(ctx context.Context, rows organisationRows) error {
	if err := c.put(ctx, insertOrganisation, rows.own); err != nil {
		return err
	}
	return c.saveSubscriptions(ctx, nil, rows.subscriptions)
}
