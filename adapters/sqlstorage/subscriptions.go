package sqlstorage

import (
	"cmp"
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
)

var (
	selectSubscriptions = subscriptions.selects("WHERE organisation_id = ? ORDER BY ordinal DESC")
	deleteSubscription  = "DELETE FROM subscriptions WHERE id = ?"
)

// saveSubscriptions makes the rows of one organisation what they are after, writing only what
// differs.
func (c conn) saveSubscriptions(ctx context.Context, before, after []subscriptionRow) error {
	known := subscriptionsByID(before)
	kept := subscriptionsByID(after)
	for id := range known {
		if _, ok := kept[id]; ok {
			continue
		}
		if _, err := c.exec(ctx, deleteSubscription, id); err != nil {
			return err
		}
	}
	for _, row := range liveLast(after) {
		if err := c.saveSubscription(ctx, known, row); err != nil {
			return c.refused(err, "The organisation has a live subscription already")
		}
	}
	return nil
}

func (c conn) saveSubscription(ctx context.Context, known map[string]subscriptionRow, row subscriptionRow) error {
	switch before, ok := known[row.ID]; {
	case !ok:
		return c.put(ctx, insertSubscription, row)
	case before != row:
		return c.put(ctx, updateSubscription, row)
	}
	return nil
}

func subscriptionsByID(rows []subscriptionRow) map[string]subscriptionRow {
	byID := make(map[string]subscriptionRow, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
	}
	return byID
}

// liveLast lets one subscription end before another takes its place: the database checks that
// only one is live after every row, not at the end.
func liveLast(rows []subscriptionRow) []subscriptionRow {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(x, y subscriptionRow) int {
		return cmp.Compare(x.liveness(), y.liveness())
	})
	return sorted
}

func (r subscriptionRow) liveness() int {
	if billing.Status(r.Status).Live() {
		return 1
	}
	return 0
}
