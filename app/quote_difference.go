package app

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/billing"
)

// reportDifference returns the difference if the last action of the operation charged another amount than quoted. It
// returns nil otherwise, and without a quote. Each request that executes the operation logs the difference and calls
// onDifference.
func (q quoter) reportDifference(ctx context.Context, outcome operation.Outcome, token string) *billing.QuoteDifference {
	if token == "" {
		return nil
	}
	actions := slices.DeleteFunc(slices.Clone(outcome.Actions), func(a billing.Action) bool { return a.IfDeclined })
	lastAction := actions[len(actions)-1]
	if lastAction.Kind == billing.PayInvoiceAction { // the provider refuses another amount
		return nil
	}
	if !lastAction.IsDone(&billing.Account{Subscriptions: []billing.Subscription{outcome.Subscription}}) {
		return nil
	}
	difference := q.findDifference(token, outcome.Subscription)
	if difference == nil {
		return nil
	}
	q.log.ErrorContext(ctx, "another amount than quoted was charged", "org", outcome.Organisation.ID,
		"invoice", outcome.Subscription.LatestInvoice.ID, "quoted", difference.Quoted.String(), "due", difference.Charged.String())
	if q.onDifference != nil {
		q.onDifference()
	}
	return difference
}

// findDifference compares the latest invoice with the quote of the token. It returns nil if the quote expired more than
// timeouts.Request ago, because the latest invoice may then be for another request.
func (q quoter) findDifference(token string, sub billing.Subscription) *billing.QuoteDifference {
	claims, ok, err := decodeToken(q.key, token)
	invoice := sub.LatestInvoice
	if err != nil || !ok || invoice == nil || !q.clock.Now().Before(claims.ExpiresAt.Add(timeouts.Request)) {
		return nil
	}
	if invoice.AmountDue.Minor() == claims.DueNow.Minor() {
		return nil
	}
	return &billing.QuoteDifference{Quoted: claims.DueNow, Charged: invoice.AmountDue}
}
