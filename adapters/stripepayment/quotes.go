package stripepayment

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// QuoteSubscription previews the first invoice. A trial's end is counted from the configured clock,
// because Stripe previews only a trial with a given end.
func (p *Provider) QuoteSubscription(ctx context.Context, req payment.NewSubscription) (billing.Quote, error) {
	price, err := p.price(ctx, req.Price)
	if err != nil {
		return billing.Quote{}, err
	}
	customer, err := p.customer(ctx, req.CustomerID, expandSubscriptions)
	if err != nil {
		return billing.Quote{}, err
	}
	if err := p.checkSale(customer, req); err != nil {
		return billing.Quote{}, err
	}
	params, err := p.newPreview(ctx, req.CustomerID, price, req.Price)
	if err != nil {
		return billing.Quote{}, err
	}
	if req.TrialDays != 0 {
		params.SubscriptionDetails.TrialEnd = new(p.Clock.Now().AddDate(0, 0, req.TrialDays).Unix())
	}
	inv, err := p.preview(ctx, req.Price, params)
	if err != nil {
		return billing.Quote{}, err
	}
	quote, err := p.quoteOf(ctx, inv)
	if err != nil {
		return billing.Quote{}, err
	}
	quote.At = timeOf(inv.Created)
	quote.Next.At = lastEnd(quote.Lines)
	if !hasDiscount(customer) {
		return p.withNextCharge(quote, req.Price)
	}
	return p.withFirstCharge(ctx, quote, req, params)
}

// withFirstCharge adds the charge at the end of the trial of a customer with a discount: the preview without the trial.
// Without a trial the next charge stays unknown, because the discount may end before it.
func (p *Provider) withFirstCharge(
	ctx context.Context, quote billing.Quote, req payment.NewSubscription, params *stripe.InvoiceCreatePreviewParams,
) (billing.Quote, error) {
	if req.TrialDays == 0 {
		quote.Next = billing.Charge{}
		return quote, nil
	}
	params.SubscriptionDetails.TrialEnd = nil
	inv, err := p.preview(ctx, req.Price, params)
	if err != nil {
		return billing.Quote{}, err
	}
	quote.Next.Amount = fromStripeUnits(inv.AmountDue, currencyCode(inv.Currency))
	return quote, nil
}

// QuoteChange previews the invoice of a plan change. It checks less than ChangePlan: of the invoices
// that may be unpaid only the latest, and no charges for disputes that no event has reported yet. The change
// itself is refused then.
func (p *Provider) QuoteChange(ctx context.Context, req payment.PriceChange) (billing.Quote, error) {
	found, err := p.subscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Quote{}, err
	}
	if err := p.checkChangeable(found, req); err != nil {
		return billing.Quote{}, err
	}
	if inv := found.LatestInvoice; inv != nil && billing.InvoiceStatus(inv.Status).Collecting() {
		return billing.Quote{}, billing.ErrInvoiceOpen()
	}
	price, err := p.price(ctx, req.To)
	if err != nil {
		return billing.Quote{}, err
	}
	if req.When == payment.AtRenewal {
		return p.quoteRenewal(ctx, found, req, price)
	}
	return p.quoteNow(ctx, found, req, price)
}

// quoteNow previews the parameters of changeParams. Without a proration date Stripe uses its own
// clock and reports the instant, for which the change can then be sent.
func (p *Provider) quoteNow(
	ctx context.Context, s *stripe.Subscription, req payment.PriceChange, price string,
) (billing.Quote, error) {
	details := &stripe.InvoiceCreatePreviewSubscriptionDetailsParams{
		Items: []*stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{{ID: p.itemToChange(s),
			Price: &price}},
		ProrationBehavior: new("always_invoice"),
	}
	if !req.At.IsZero() {
		details.ProrationDate = new(req.At.Unix())
	}
	switch {
	case req.EndTrial:
		details.TrialEndNow = new(true)
	case req.From.Interval != req.To.Interval:
		details.BillingCycleAnchorNow = new(true)
	}
	inv, err := p.preview(ctx, req.To, &stripe.InvoiceCreatePreviewParams{Subscription: &s.ID, SubscriptionDetails: details})
	if err != nil {
		return billing.Quote{}, err
	}
	quote, err := p.quoteOf(ctx, inv)
	if err != nil {
		return billing.Quote{}, err
	}
	if quote, err = p.withoutWithdrawnCredit(ctx, s, quote); err != nil {
		return billing.Quote{}, err
	}
	quote.EndsTrial = req.EndTrial
	quote.At = cmp.Or(req.At.UTC().Truncate(time.Second), timeOf(cmp.Or(prorationDate(inv), inv.Created)))
	if hasAdjustments(s) {
		return quote, nil // the next charge is unknown, because a discount may end before it
	}
	quote.Next.At = lastEnd(quote.Lines)
	return p.withNextCharge(quote, req.To)
}

// withoutWithdrawnCredit returns the quote without the credit that is withdrawn as soon as the change has created it, see reclaim.
func (p *Provider) withoutWithdrawnCredit(
	ctx context.Context, s *stripe.Subscription, q billing.Quote,
) (billing.Quote, error) {
	if q.Total.Minor() >= 0 {
		return q, nil
	}
	units, err := p.creditToWithdraw(ctx, s)
	if err != nil {
		return q, err
	}
	currency := q.Total.Currency().Code
	bill := engine.Bill{CreditBefore: q.CreditBefore.Minor(),
		CreditAfter: q.CreditAfter.Minor()}.Withdraw(fromStripeUnits(units, currency).Minor())
	q.CreditAfter, err = money.New(bill.CreditAfter, currency)
	return q, err
}

// prorationDate returns the instant for which Stripe calculated the preview, or 0.
func prorationDate(inv *stripe.Invoice) int64 {
	if inv.Parent == nil || inv.Parent.SubscriptionDetails == nil {
		return 0
	}
	return inv.Parent.SubscriptionDetails.SubscriptionProrationDate
}

// quoteRenewal previews one full period of the new price, which is what the invoice at the renewal
// has. Stripe can't preview that invoice with another interval, so the period is replaced.
func (p *Provider) quoteRenewal(
	ctx context.Context, s *stripe.Subscription, req payment.PriceChange, price string,
) (billing.Quote, error) {
	params, err := p.renewalPreview(ctx, s, req, price)
	if err != nil {
		return billing.Quote{}, err
	}
	inv, err := p.preview(ctx, req.To, params)
	if err != nil {
		return billing.Quote{}, err
	}
	quote, err := p.quoteOf(ctx, inv)
	if err != nil {
		return billing.Quote{}, err
	}
	quote.At = periodEnd(s)
	anchor := timeOf(s.BillingCycleAnchor)
	if req.From.Interval != req.To.Interval || s.Status == stripe.SubscriptionStatusTrialing {
		anchor = quote.At
	}
	for i := range quote.Lines {
		quote.Lines[i].Start, quote.Lines[i].End = quote.At, engine.PeriodEnd(anchor, quote.At, req.To.Interval)
	}
	quote.Next = billing.Charge{Amount: quote.DueNow, At: quote.At}
	quote.DueNow = fromStripeUnits(0, currencyCode(inv.Currency))
	quote.CreditAfter = quote.CreditBefore
	return quote, nil
}

// renewalPreview returns the parameters for one period of the new price: those of a new subscription, or of a change
// without proration if the subscription has discounts, which a new one would not have.
func (p *Provider) renewalPreview(
	ctx context.Context, s *stripe.Subscription, req payment.PriceChange, price string,
) (*stripe.InvoiceCreatePreviewParams, error) {
	if !hasAdjustments(s) {
		return p.newPreview(ctx, s.Customer.ID, price, req.To)
	}
	return &stripe.InvoiceCreatePreviewParams{
		Subscription: &s.ID,
		SubscriptionDetails: &stripe.InvoiceCreatePreviewSubscriptionDetailsParams{
			Items: []*stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{{ID: p.itemToChange(s),
				Price: &price}},
			ProrationBehavior: new("none"),
		},
	}, nil
}

// newPreview returns the parameters for the preview of a new subscription.
func (p *Provider) newPreview(
	ctx context.Context, customerID, price string, ref catalogue.PriceRef,
) (*stripe.InvoiceCreatePreviewParams, error) {
	rates, err := p.taxRatesFor(ctx, ref.Currency)
	return &stripe.InvoiceCreatePreviewParams{
		Customer: &customerID, Currency: stripe.String(strings.ToLower(ref.Currency)),
		SubscriptionDetails: &stripe.InvoiceCreatePreviewSubscriptionDetailsParams{
			Items:           []*stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{{Price: &price}},
			DefaultTaxRates: rates,
		},
	}, err
}

// preview requests an invoice without creating it. The request is a POST and has a key of its own.
func (p *Provider) preview(
	ctx context.Context, ref catalogue.PriceRef, params *stripe.InvoiceCreatePreviewParams,
) (*stripe.Invoice, error) {
	params.SetIdempotencyKey(newKey())
	inv, err := p.stripe.V1Invoices.CreatePreview(ctx, params)
	if err != nil {
		return nil, p.saleError(ref.PriceID(), err, p.fault(ctx, "preview invoice", err))
	}
	return inv, nil
}

// quoteOf converts a preview. A positive balance is an amount too small to charge, which Stripe adds to
// the next invoice, and credit is a negative one.
func (p *Provider) quoteOf(ctx context.Context, inv *stripe.Invoice) (billing.Quote, error) {
	lines, err := p.linesOf(ctx, inv)
	if err != nil {
		return billing.Quote{}, err
	}
	currency := currencyCode(inv.Currency)
	return billing.Quote{
		Lines: lines, Tax: taxOf(inv), Total: fromStripeUnits(inv.Total, currency),
		DueNow:       fromStripeUnits(inv.AmountDue, currency),
		CreditBefore: fromStripeUnits(-inv.StartingBalance, currency),
		CreditAfter:  fromStripeUnits(-endingBalance(inv), currency),
	}, nil
}

// endingBalance returns the customer's balance after the invoice. It may be null in a preview; it is
// calculated then: what the amount due leaves of the total and the balance.
func endingBalance(inv *stripe.Invoice) int64 {
	return cmp.Or(inv.EndingBalance, inv.StartingBalance+inv.Total-inv.AmountDue)
}

// lastEnd returns the end of the period that the lines pay for.
func lastEnd(lines []billing.Line) time.Time {
	var end time.Time
	for _, line := range lines {
		if line.Amount.Minor() >= 0 && line.End.After(end) {
			end = line.End
		}
	}
	return end
}

// withNextCharge adds the amount of the renewal: the price less the credit that remains.
func (p *Provider) withNextCharge(q billing.Quote, ref catalogue.PriceRef) (billing.Quote, error) {
	amount, err := p.Catalogue.Price(ref)
	if err != nil {
		return q, fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	renewal := engine.NewBill([]engine.Line{{Amount: amount.Minor()}}, q.CreditAfter.Minor(),
		engine.MinimumCharge(ref.Currency))
	q.Next.Amount, err = money.New(renewal.Due, ref.Currency)
	return q, err
}
