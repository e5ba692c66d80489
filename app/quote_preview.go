package app

import (
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// previewInvoiceLimit is the number of latest invoices in which preview looks for the invoices that a request pays or voids.
const previewInvoiceLimit = 10

// preview returns what the last action of the request would cost at the given time, after all other actions.
func (q quoter) preview(ctx context.Context, req decidedRequest, at time.Time) (billing.Quote, error) {
	action := req.lastAction()
	action.ProrationDate = at
	switch action.Kind {
	case billing.StartSubscriptionAction:
		subscriptionReq := operation.NewSubscriptionRequest(action)
		subscriptionReq.Sole = false // an earlier action ends an unpaid subscription first
		quote, err := q.provider.QuoteSubscription(ctx, subscriptionReq)
		if err != nil {
			return billing.Quote{}, err
		}
		return q.withReturnedCredit(ctx, quote, req)
	case billing.PayInvoiceAction:
		return q.previewInvoice(ctx, action)
	}
	return q.provider.QuoteChange(ctx, operation.NewPriceChangeRequest(action))
}

// previewInvoice returns a quote with the lines of the open invoice that the action pays.
func (q quoter) previewInvoice(ctx context.Context, action billing.Action) (billing.Quote, error) {
	quote := billing.Quote{At: q.clock.Now(), Total: action.Amount, DueNow: action.Amount}
	list, err := q.provider.ListInvoices(ctx, payment.InvoiceQuery{CustomerID: action.CustomerID, Limit: previewInvoiceLimit})
	if err != nil {
		return billing.Quote{}, err
	}
	for _, inv := range list.Invoices {
		if inv.ID == action.InvoiceID {
			quote.Lines, quote.Tax, quote.Total = inv.Lines, inv.Tax, inv.Total
		}
	}
	return quote, nil
}

// withReturnedCredit adds returned credit to the quote of a purchase. The purchase ends unpaid subscriptions before it
// starts the new one, and voiding their invoices returns the credit that they used. The provider's preview does not
// include this credit.
func (q quoter) withReturnedCredit(ctx context.Context, quote billing.Quote, req decidedRequest) (billing.Quote, error) {
	credit, err := q.returnedCredit(ctx, req.actions)
	if err != nil || credit == 0 {
		return quote, err
	}
	price, err := q.catalogue.Price(req.price)
	if err != nil {
		return billing.Quote{}, err
	}
	return engine.QuoteWithCredit(quote, credit, price, q.capabilities.MinimumCharge(req.price.Currency))
}

// returnedCredit returns the credit, in minor units, that was used for the open invoices of the subscriptions that the
// actions end.
func (q quoter) returnedCredit(ctx context.Context, actions []billing.Action) (int64, error) {
	var endedIDs []string
	for _, action := range actions {
		if action.Kind == billing.EndUnpaidAction {
			endedIDs = append(endedIDs, action.SubscriptionID)
		}
	}
	if len(endedIDs) == 0 {
		return 0, nil
	}
	list, err := q.provider.ListInvoices(ctx, payment.InvoiceQuery{
		CustomerID: actions[0].CustomerID, Limit: previewInvoiceLimit,
	})
	var credit int64
	for _, inv := range list.Invoices {
		if inv.Status == billing.InvoiceOpen && slices.Contains(endedIDs, inv.SubscriptionID) {
			credit += inv.CreditUsed.Minor()
		}
	}
	return credit, err
}
