package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
)

// UpdateOrganisation implements storage.Organisations. Its id and when it was created never
// change, whatever fn does to them.
func (s *Store) UpdateOrganisation(
	ctx context.Context, id string, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	var after organisationRows
	err := s.write(ctx, func(c conn) error {
		before, err := c.organisation(ctx, selectOrganisation+c.lock, id)
		if err != nil {
			return err
		}
		if after, err = before.changed(fn); err != nil {
			return err
		}
		return c.replaceOrganisation(ctx, before, after)
	})
	if err != nil {
		return account.Organisation{}, s.orNameTaken(ctx, err, after.own)
	}
	return after.organisation(), nil
}

func (r organisationRows) changed(fn func(*account.Organisation) error) (organisationRows, error) {
	o := r.organisation()
	id, created := o.ID, o.CreatedAt
	if err := fn(&o); err != nil {
		return organisationRows{}, callersError{err}
	}
	o.ID, o.CreatedAt = id, created
	return organisationRowsOf(o), nil
}

func (c conn) replaceOrganisation(ctx context.Context, before, after organisationRows) error {
	if before.own != after.own {
		if err := c.put(ctx, updateOrganisation, after.own); err != nil {
			return c.refused(err, "The customer belongs to another organisation")
		}
	}
	return c.saveSubscriptions(ctx, before.subscriptions, after.subscriptions)
}
