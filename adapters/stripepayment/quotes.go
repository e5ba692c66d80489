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

// QuoteSubscription previews the first invoice. Stripe previews a trial only if the request contains its end, so
// QuoteSubscription calculates the end with the configured clock.
func (p *Provider) QuoteSubscription(ctx context.Context, req payment.NewSubscription) (billing.Quote, error) {
	priceID, err := p.lookUpPriceID(ctx, req.Price)
	if err != nil {
		return billing.Quote{}, err
	}
	customer, err := p.readCustomer(ctx, req.CustomerID, expandSubscriptions)
	if err != nil {
		return billing.Quote{}, err
	}
	return p.quoteSubscription(ctx, customer, priceID, req)
}

// quoteSubscription quotes a subscription to the price for a customer that was read with its subscriptions.
func (p *Provider) quoteSubscription(
	ctx context.Context, customer *stripe.Customer, priceID string, req payment.NewSubscription,
) (billing.Quote, error) {
	if err := p.checkPurchaseTerms(customer, req); err != nil {
		return billing.Quote{}, err
	}
	params, err := p.newSubscriptionPreviewParams(ctx, req.CustomerID, priceID, req.Price)
	if err != nil {
		return billing.Quote{}, err
	}
	if req.TrialDays != 0 {
		params.SubscriptionDetails.TrialEnd = new(p.Clock.Now().AddDate(0, 0, req.TrialDays).Unix())
	}
	inv, quote, err := p.previewQuote(ctx, req.Price, params)
	if err != nil {
		return billing.Quote{}, err
	}
	quote.At = timeOf(inv.Created)
	quote.Next.At = paidPeriodEnd(quote.Lines)
	if !hasDiscount(customer) {
		return p.withNextCharge(quote, req.Price)
	}
	return p.withDiscountedNextCharge(ctx, quote, req, params)
}

// withDiscountedNextCharge returns the quote with the next charge of a customer with a discount. The charge at the end of
// a trial comes from a preview without the trial. Without a trial the next charge is unknown, because the discount may
// end before it.
func (p *Provider) withDiscountedNextCharge(
	ctx context.Context, quote billing.Quote, req payment.NewSubscription, params *stripe.InvoiceCreatePreviewParams,
) (billing.Quote, error) {
	if req.TrialDays == 0 {
		quote.Next = billing.Charge{}
		return quote, nil
	}
	params.SubscriptionDetails.TrialEnd = nil
	inv, err := p.createPreview(ctx, req.Price, params)
	if err != nil {
		return billing.Quote{}, err
	}
	quote.Next.Amount = fromStripeUnits(inv.AmountDue, currencyCode(inv.Currency))
	return quote, nil
}

// QuoteChange previews the invoice of a plan change. It makes only the checks of ChangePlan that need no further request,
// and deducts the returned payments that are recorded. So it finds neither earlier unpaid invoices nor unrecorded disputes.
func (p *Provider) QuoteChange(ctx context.Context, req payment.PriceChange) (billing.Quote, error) {
	sub, err := p.readSubscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Quote{}, err
	}
	if err := p.checkChangeWithoutRequests(ctx, sub, req); err != nil {
		return billing.Quote{}, err
	}
	if inv := sub.LatestInvoice; inv != nil && billing.InvoiceStatus(inv.Status).IsCollectible() {
		return billing.Quote{}, billing.ErrInvoiceOpen()
	}
	priceID, err := p.lookUpPriceID(ctx, req.To)
	if err != nil {
		return billing.Quote{}, err
	}
	if req.When == billing.ChangeAtRenewal {
		return p.quoteChangeAtRenewal(ctx, sub, req, priceID)
	}
	item, err := p.findDeductionItem(ctx, sub, &req)
	if err != nil {
		return billing.Quote{}, err
	}
	return p.quoteImmediateChange(ctx, sub, req, priceID, item)
}

// quoteImmediateChange previews a change with the parameters of changeParams and the item of findDeductionItem. Without
// a proration date Stripe prorates for the current time and reports it, so that the change can be sent for the same
// time.
func (p *Provider) quoteImmediateChange(
	ctx context.Context, s *stripe.Subscription, req payment.PriceChange, priceID string, item *deductionItem,
) (billing.Quote, error) {
	details := &stripe.InvoiceCreatePreviewSubscriptionDetailsParams{
		Items:             []*stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{{ID: p.planItemID(s), Price: &priceID}},
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
	params := &stripe.InvoiceCreatePreviewParams{Subscription: &s.ID, SubscriptionDetails: details}
	item.addToPreview(params)
	inv, quote, err := p.previewQuote(ctx, req.To, params)
	if err != nil {
		return billing.Quote{}, err
	}
	if quote, err = p.withdrawOwedAmountsFromQuote(ctx, s, quote, item.deductedSum()); err != nil {
		return billing.Quote{}, err
	}
	quote.EndsTrial = req.EndTrial
	quote.At = cmp.Or(req.At.UTC().Truncate(time.Second), timeOf(cmp.Or(prorationDate(inv), inv.Created)))
	if hasAdjustments(s) {
		return quote, nil // without the next charge, because a discount may end before it
	}
	quote.Next.At = paidPeriodEnd(quote.Lines)
	return p.withNextCharge(quote, req.To)
}

// withdrawOwedAmountsFromQuote deducts from the quote's credit the amount that withdrawOwedAmounts will withdraw after
// the change. deducted is the part of the owed amount that the change has deducted from the unused time.
func (p *Provider) withdrawOwedAmountsFromQuote(
	ctx context.Context, s *stripe.Subscription, q billing.Quote, deducted int64,
) (billing.Quote, error) {
	if q.Total.Minor() >= 0 {
		return q, nil
	}
	units, err := p.readOwedAmount(ctx, s)
	if err != nil {
		return q, err
	}
	currency := q.Total.Currency().Code
	draft := engine.InvoiceDraft{CreditBefore: q.CreditBefore.Minor(),
		CreditAfter: q.CreditAfter.Minor()}.Withdraw(fromStripeUnits(units-deducted, currency).Minor())
	q.CreditAfter, err = money.New(draft.CreditAfter, currency)
	return q, err
}

// prorationDate returns the time for which Stripe calculated the preview, or 0.
func prorationDate(inv *stripe.Invoice) int64 {
	if inv.Parent == nil || inv.Parent.SubscriptionDetails == nil {
		return 0
	}
	return inv.Parent.SubscriptionDetails.SubscriptionProrationDate
}

// quoteChangeAtRenewal previews one full period of the new price, which the invoice at the renewal will charge. Stripe
// can't preview that invoice if the interval changes, so the previewed period starts now, and quoteChangeAtRenewal
// replaces its dates.
func (p *Provider) quoteChangeAtRenewal(
	ctx context.Context, s *stripe.Subscription, req payment.PriceChange, priceID string,
) (billing.Quote, error) {
	params, err := p.renewalPreviewParams(ctx, s, req, priceID)
	if err != nil {
		return billing.Quote{}, err
	}
	inv, quote, err := p.previewQuote(ctx, req.To, params)
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
	if !hasAdjustments(s) {
		quote.Renewal = quote.Total
	}
	quote.DueNow = fromStripeUnits(0, currencyCode(inv.Currency))
	quote.CreditAfter = quote.CreditBefore
	return quote, nil
}

// renewalPreviewParams returns the parameters that preview one period of the new price. They describe a new
// subscription. If the current subscription has discounts, they describe a change without proration instead, because a
// new subscription has no discounts.
func (p *Provider) renewalPreviewParams(
	ctx context.Context, s *stripe.Subscription, req payment.PriceChange, priceID string,
) (*stripe.InvoiceCreatePreviewParams, error) {
	if !hasAdjustments(s) {
		return p.newSubscriptionPreviewParams(ctx, s.Customer.ID, priceID, req.To)
	}
	return &stripe.InvoiceCreatePreviewParams{
		Subscription: &s.ID,
		SubscriptionDetails: &stripe.InvoiceCreatePreviewSubscriptionDetailsParams{
			Items:             []*stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{{ID: p.planItemID(s), Price: &priceID}},
			ProrationBehavior: new("none"),
		},
	}, nil
}

// newSubscriptionPreviewParams returns the parameters that preview the first invoice of a new subscription.
func (p *Provider) newSubscriptionPreviewParams(
	ctx context.Context, customerID, priceID string, ref catalogue.PriceRef,
) (*stripe.InvoiceCreatePreviewParams, error) {
	rates, err := p.taxRateIDsOfCurrency(ctx, ref.Currency)
	return &stripe.InvoiceCreatePreviewParams{
		Customer: &customerID, Currency: stripe.String(strings.ToLower(ref.Currency)),
		SubscriptionDetails: &stripe.InvoiceCreatePreviewSubscriptionDetailsParams{
			Items:           []*stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{{Price: &priceID}},
			DefaultTaxRates: rates,
		},
	}, err
}

// previewQuote creates a preview and returns it with its quote.
func (p *Provider) previewQuote(
	ctx context.Context, ref catalogue.PriceRef, params *stripe.InvoiceCreatePreviewParams,
) (*stripe.Invoice, billing.Quote, error) {
	inv, err := p.createPreview(ctx, ref, params)
	if err != nil {
		return nil, billing.Quote{}, err
	}
	quote, err := p.quoteOf(ctx, inv)
	return inv, quote, err
}

// createPreview returns the invoice that a request with the parameters would create. A preview is a POST request, so it
// needs an idempotency key.
func (p *Provider) createPreview(
	ctx context.Context, ref catalogue.PriceRef, params *stripe.InvoiceCreatePreviewParams,
) (*stripe.Invoice, error) {
	params.SetIdempotencyKey(newKey())
	inv, err := p.stripe.V1Invoices.CreatePreview(ctx, params)
	if err != nil {
		return nil, p.convertPurchaseRefusal(ref.PriceID(), err, p.logFault(ctx, "preview invoice", err))
	}
	return inv, nil
}

// quoteOf converts a preview. Stripe counts credit as a negative balance; a positive balance is an amount too small to
// charge, which Stripe adds to the next invoice.
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

// endingBalance returns the customer's balance after the invoice. If it is null, as in some previews, it is calculated
// from the other amounts.
func endingBalance(inv *stripe.Invoice) int64 {
	return cmp.Or(inv.EndingBalance, inv.StartingBalance+inv.Total-inv.AmountDue)
}

// paidPeriodEnd returns the latest end of a line about a price that is not a credit.
func paidPeriodEnd(lines []billing.Line) time.Time {
	var end time.Time
	for _, line := range lines {
		if line.Amount.Minor() >= 0 && line.Price != (catalogue.PriceRef{}) && line.End.After(end) {
			end = line.End
		}
	}
	return end
}

// withNextCharge returns the quote with the price less the remaining credit as the amount of the next charge.
func (p *Provider) withNextCharge(q billing.Quote, ref catalogue.PriceRef) (billing.Quote, error) {
	amount, err := p.Catalogue.Price(ref)
	if err != nil {
		return q, fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	renewal := engine.NewInvoiceDraft([]engine.Line{{Amount: amount.Minor()}}, q.CreditAfter.Minor(),
		engine.MinimumCharge(ref.Currency))
	q.Renewal = amount
	q.Next.Amount, err = money.New(renewal.AmountDue, ref.Currency)
	return q, err
}
