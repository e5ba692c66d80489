package sqlstorage

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
)

var (
	selectOrganisation           = organisations.selects("WHERE id = ?")
	selectOrganisationByCustomer = organisations.selects("WHERE customer_id = ?")
)

// Organisation implements storage.Organisations.
func (s *Store) Organisation(ctx context.Context, id string) (account.Organisation, error) {
	return s.organisation(ctx, selectOrganisation, id)
}

// OrganisationByCustomer implements storage.Organisations.
func (s *Store) OrganisationByCustomer(ctx context.Context, customerID string) (account.Organisation, error) {
	return s.organisation(ctx, selectOrganisationByCustomer, customerID)
}

func (s *Store) organisation(ctx context.Context, query, id string) (account.Organisation, error) {
	var found organisationRows
	err := s.read(ctx, func(c conn) (err error) {
		found, err = c.organisation(ctx, query, id)
		return err
	})
	if err != nil {
		return account.Organisation{}, err
	}
	return found.organisation(), nil
}

// organisationRows is all that the database keeps of one organisation.
type organisationRows struct {
	own           organisationRow
	subscriptions []subscriptionRow
}

func organisationRowsOf(o account.Organisation) organisationRows {
	return organisationRows{
		own:           organisationRowOf(o),
		subscriptions: subscriptionRowsOf(o.ID, o.Billing.Subscriptions),
	}
}

func (r organisationRows) organisation() account.Organisation {
	return r.own.organisation(r.subscriptions)
}

// organisation reads the organisation that the query finds by its argument, in two queries
// however many subscriptions it has had.
func (c conn) organisation(ctx context.Context, query, arg string) (organisationRows, error) {
	var rows organisationRows
	if err := c.get(ctx, "organisation", &rows.own, query, arg); err != nil {
		return rows, err
	}
	return rows, c.list(ctx, &rows.subscriptions, selectSubscriptions, rows.own.ID)
}
