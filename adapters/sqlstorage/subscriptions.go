package sqlstorage

import (
	"cmp"
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	subscriptionTable      = newTable[subscriptionRow]("subscriptions")
	insertSubscriptionSQL  = subscriptionTable.insertSQL()
	updateSubscriptionSQL  = subscriptionTable.updateSQL("organisation_id")
	selectSubscriptionsSQL = subscriptionTable.selectSQL("WHERE organisation_id = ? ORDER BY position DESC")
)

const deleteSubscriptionSQL = "DELETE FROM subscriptions WHERE id = ?"

// subscriptionRow is a subscription as a document, beside the columns that queries and indexes use.
type subscriptionRow struct {
	ID             string     `db:"id"`
	OrganisationID string     `db:"organisation_id"`
	Position       int        `db:"position"`
	Status         string     `db:"status"`
	Hold           nullString `db:"hold"`
	Document       string     `db:"document"` // JSON of billing.Subscription without secrets
}

// newSubscriptionRows numbers the subscriptions from the oldest, which is last, so that a new subscription
// does not change the rows of the others.
func newSubscriptionRows(organisationID string, subs []billing.Subscription) []subscriptionRow {
	var rows []subscriptionRow
	for i, s := range subs {
		rows = append(rows, subscriptionRow{
			ID: s.ID, OrganisationID: organisationID, Position: len(subs) - 1 - i, Status: string(s.Status),
			Hold: nullIfEmpty(string(s.Hold)), Document: marshalDocument(s.WithoutSecrets()),
		})
	}
	return rows
}

// saveSubscriptions replaces oldRows, which are the organisation's stored rows, with newRows. It writes only the
// differences.
func (c conn) saveSubscriptions(ctx context.Context, oldRows, newRows []subscriptionRow) error {
	oldByID, newByID := rowsByID(oldRows), rowsByID(newRows)
	for id := range oldByID {
		if _, ok := newByID[id]; ok {
			continue
		}
		if _, err := c.exec(ctx, deleteSubscriptionSQL, id); err != nil {
			return err
		}
	}
	for _, row := range sortLiveLast(newRows) {
		statement := insertSubscriptionSQL
		if storedRow, ok := oldByID[row.ID]; ok {
			if storedRow == row {
				continue
			}
			statement = updateSubscriptionSQL
		}
		if err := c.save(ctx, statement, row); err != nil {
			return c.uniqueViolationToConflict(err, "The organisation has a live subscription already")
		}
	}
	return nil
}

func rowsByID(rows []subscriptionRow) map[string]subscriptionRow {
	byID := make(map[string]subscriptionRow, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	return byID
}

// sortLiveLast returns the rows with live subscriptions at the end. The database checks after every statement
// that an organisation has at most one live subscription, so one must end before another starts.
func sortLiveLast(rows []subscriptionRow) []subscriptionRow {
	rank := func(r subscriptionRow) int {
		if billing.Status(r.Status).Live() {
			return 1
		}
		return 0
	}
	sortedRows := slices.Clone(rows)
	slices.SortStableFunc(sortedRows, func(x, y subscriptionRow) int { return cmp.Compare(rank(x), rank(y)) })
	return sortedRows
}
