package app

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// withReturnedCredit adds the credit that a purchase gets back to its quote. The purchase ends unpaid
// subscriptions before it starts the new one, and voiding their invoices returns the credit used by them.
// The provider's preview does not know that.
func (q quotes) withReturnedCredit(
	ctx context.Context, quote billing.Quote, price catalogue.PriceRef, steps []billing.Step,
) (billing.Quote, error) {
	returned, err := q.returnedCredit(ctx, steps)
	if err != nil || returned == 0 {
		return quote, err
	}
	period, err := q.catalogue.Price(price)
	if err != nil {
		return billing.Quote{}, err
	}
	var minimum int64
	if q.provider.Capabilities().Entry != payment.EntryInvoice { // an invoice of any amount can be transferred
		minimum = engine.MinimumCharge(price.Currency)
	}
	return engine.WithCredit(quote, returned, period, minimum)
}

// returnedCredit returns the credit in the open invoices of the subscriptions that the steps end, in minor
// units.
func (q quotes) returnedCredit(ctx context.Context, steps []billing.Step) (int64, error) {
	var ended []string
	for _, s := range steps {
		if s.Kind == billing.EndUnpaidStep {
			ended = append(ended, s.SubscriptionID)
		}
	}
	if len(ended) == 0 {
		return 0, nil
	}
	list, err := q.provider.ListInvoices(ctx, payment.InvoicePage{CustomerID: steps[0].CustomerID, Limit: quotedInvoices})
	var returned int64
	for _, inv := range list.Invoices {
		if inv.Status == billing.InvoiceOpen && slices.Contains(ended, inv.SubscriptionID) {
			returned += inv.Total.Minor() - inv.AmountDue.Minor()
		}
	}
	return returned, err
}
