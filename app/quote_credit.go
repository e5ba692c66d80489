package app

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
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
	amount := func(minor int64) (out money.Amount) {
		if err == nil {
			out, err = money.New(minor, price.Currency)
		}
		return out
	}
	now := q.bill(quote.Total.Minor(), quote.CreditBefore.Minor()+returned, price.Currency)
	next := q.bill(period.Minor(), now.CreditAfter, price.Currency)
	quote.DueNow, quote.Next.Amount = amount(now.Due), amount(next.Due)
	quote.CreditBefore, quote.CreditAfter = amount(now.CreditBefore), amount(now.CreditAfter)
	return quote, err
}

func (q quotes) bill(total, credit int64, currency string) engine.Bill {
	var minimum int64
	if q.provider.Capabilities().Entry != payment.EntryInvoice {
		minimum = engine.MinimumCharge(currency)
	}
	return engine.NewBill([]engine.Line{{Amount: total}}, credit, minimum)
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
