package sqlstorage

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/vc-admin/diy/domain/account"
)

// Reads of an account are single statements, because each round trip to PostgreSQL costs more than a join. The joins
// return a row for each subscription, in any order. If there is no subscription, they return one row without one.
var (
	accountColumnsSQL = organisationTable.aliasedColumns("o") + ", " + subscriptionTable.aliasedOptionalColumns("s")

	selectUserWithOrganisationSQL = "SELECT " + userTable.aliasedColumns("u") + `, m.organisation_id AS "u.organisation_id", ` +
		emailUnreachableSQL + ", " + hasOthersSQL + ", " + accountColumnsSQL + " FROM memberships m JOIN users u ON u.id = m.user_id " +
		"JOIN organisations o ON o.id = m.organisation_id" + subscriptionJoinSQL + " WHERE m.user_id = ? AND m.organisation_id = ?"
	selectAccountsSQL          = "SELECT " + accountColumnsSQL + " FROM organisations o" + subscriptionJoinSQL
	selectAccountSQL           = selectAccountsSQL + " WHERE o.id = ?"
	selectAccountByCustomerSQL = selectAccountsSQL + " WHERE o.customer_id = ?"
)

const (
	subscriptionJoinSQL = " LEFT JOIN subscriptions s ON s.organisation_id = o.id"
	emailUnreachableSQL = "EXISTS (SELECT 1 FROM unreachable_emails e " +
		"WHERE e.email = u.email_key AND e.organisation_id = m.organisation_id) AS email_unreachable"
	hasOthersSQL = "EXISTS (SELECT 1 FROM memberships others " +
		"WHERE others.user_id = m.user_id AND others.organisation_id <> m.organisation_id) AS has_others"
)

// accountRow is a row of the joins. The tags are the aliases of the tables.
type accountRow struct {
	User             userRow         `db:"u"` // zero unless the query selects it
	EmailUnreachable bool            `db:"email_unreachable"`
	HasOthers        bool            `db:"has_others"`
	Organisation     organisationRow `db:"o"`
	Subscription     subscriptionRow `db:"s"` // zero without a subscription
}

// UserWithOrganisation implements storage.Users.
func (s *Store) UserWithOrganisation(
	ctx context.Context, userID, organisationID string,
) (account.User, account.Organisation, error) {
	rows, err := s.readAccountRows(ctx, "user", selectUserWithOrganisationSQL, userID, organisationID)
	if err != nil {
		return account.User{}, account.Organisation{}, err
	}
	user := rows[0].User.user()
	user.EmailUnreachable, user.HasOtherOrganisations = rows[0].EmailUnreachable, rows[0].HasOthers
	o, err := organisationFromRows(rows)
	return user, o, s.toFault(err)
}

// Organisation implements storage.Organisations.
func (s *Store) Organisation(ctx context.Context, id string) (account.Organisation, error) {
	return s.queryOrganisation(ctx, selectAccountSQL, id)
}

// OrganisationByCustomer implements storage.Organisations.
func (s *Store) OrganisationByCustomer(ctx context.Context, customerID string) (account.Organisation, error) {
	return s.queryOrganisation(ctx, selectAccountByCustomerSQL, customerID)
}

func (s *Store) queryOrganisation(ctx context.Context, query, arg string) (account.Organisation, error) {
	rows, err := s.readAccountRows(ctx, "organisation", query, arg)
	if err != nil {
		return account.Organisation{}, err
	}
	o, err := organisationFromRows(rows)
	return o, s.toFault(err)
}

// readAccountRows reads at least one row. If there is none, it returns NotFound with the noun in the message.
func (s *Store) readAccountRows(ctx context.Context, noun, query string, args ...any) ([]accountRow, error) {
	var rows []accountRow
	c := s.reader()
	if err := c.list(ctx, &rows, query, args...); err != nil || len(rows) == 0 {
		return nil, s.toFault(c.noRowsToNotFound(cmp.Or(err, sql.ErrNoRows), noun))
	}
	return rows, nil
}

// organisationFromRows converts the rows of one organisation. It sorts the subscriptions, newest first.
func organisationFromRows(rows []accountRow) (account.Organisation, error) {
	slices.SortFunc(rows, func(x, y accountRow) int { return cmp.Compare(y.Subscription.Position, x.Subscription.Position) })
	orgRows := organisationRows{organisationRow: rows[0].Organisation}
	for _, row := range rows {
		if row.Subscription.ID != "" {
			orgRows.subscriptions = append(orgRows.subscriptions, row.Subscription)
		}
	}
	return orgRows.organisation()
}
