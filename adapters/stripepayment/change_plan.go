package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// metaChange is the key of the last plan change that was begun. Stripe accepts no metadata together
// with a change that may become pending, so it is written before, under a key of its own.
const metaChange = "change"

// ChangePlan moves a subscription to another price once the difference is paid, by means of Stripe's
// pending updates.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.subscription(ctx, in.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if marked := found.Metadata[metaChange] == in.Key; marked && (found.PendingUpdate != nil || p.refOf(found) == in.To) {
		return p.subscriptionOf(ctx, found)
	}
	if err := p.mayChange(ctx, found, in); err != nil {
		return billing.Subscription{}, err
	}
	price, err := p.price(ctx, in.To)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := p.markChange(ctx, found, in.Key); err != nil {
		return billing.Subscription{}, err
	}
	changed, err := p.stripe.V1Subscriptions.Update(ctx, found.ID, p.planChange(in, price, found))
	if err != nil {
		return billing.Subscription{}, p.notSold(in.To.PriceID(), err, p.keyFault(ctx, "change plan", found.Customer.ID, in.Key, err))
	}
	p.stopRetries(ctx, in.Key, changed)
	return p.subscriptionOf(ctx, changed)
}

func (p *Provider) mayChange(ctx context.Context, s *stripe.Subscription, in payment.PlanChange) error {
	trialing := s.Status == stripe.SubscriptionStatusTrialing
	switch {
	case !statusOf(s).Live():
		return fault.New(fault.Conflict, "Only a running subscription can be changed.")
	case code(s.Currency) != in.To.Currency:
		return fault.Newf(fault.Invalid, "The subscription is paid in %s and can't be changed to %s.", code(s.Currency), in.To.Currency)
	case s.PendingUpdate != nil:
		return fault.New(fault.Conflict, "Another plan change is pending.")
	case p.refOf(s) != in.From, trialing != in.EndTrial && statusOf(s) != billing.PastDue:
		return fault.New(fault.Conflict, "The subscription has changed meanwhile.")
	case statusOf(s) == billing.PastDue:
		return billing.ErrBillCollected()
	case s.LatestInvoice != nil && s.LatestInvoice.Status == stripe.InvoiceStatusUncollectible:
		return fault.New(fault.Conflict, "Your last bill was never paid. Please contact us.")
	}
	return p.checkBillsPaid(ctx, s.ID)
}

// checkBillsPaid refuses a change while an invoice of the subscription is still to be paid: Stripe
// credits the unused part of the period as if it would be. For about an hour after a renewal the
// subscription is active and its invoice a draft.
func (p *Provider) checkBillsPaid(ctx context.Context, subscriptionID string) error {
	params := &stripe.InvoiceListParams{Subscription: &subscriptionID}
	params.Limit = new(int64(page))
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return p.fault(ctx, "list invoices", err)
		}
		switch inv.Status {
		case stripe.InvoiceStatusDraft, stripe.InvoiceStatusOpen:
			return billing.ErrBillCollected()
		}
	}
	return nil
}

// markChange writes down which request is about to change the subscription. A mark without a change
// means nothing: by the mark and the price together a repeat knows that the change was made.
func (p *Provider) markChange(ctx context.Context, s *stripe.Subscription, key string) error {
	params := &stripe.SubscriptionUpdateParams{Metadata: metadata(metaChange, key)}
	params.IdempotencyKey = keyFor(key, "mark")
	_, err := p.stripe.V1Subscriptions.Update(ctx, s.ID, params)
	if err == nil {
		return nil
	}
	return p.keyFault(ctx, "mark plan change", s.Customer.ID, *params.IdempotencyKey, err)
}

// planChange is the request for the change. It depends on nothing but the port's request and the id
// of the item, so that a repeat sends the same bytes. The item is named, or Stripe would add a
// second one beside it. A trial is ended only where one runs: on a paid period it would begin one.
func (p *Provider) planChange(in payment.PlanChange, price string, s *stripe.Subscription) *stripe.SubscriptionUpdateParams {
	params := &stripe.SubscriptionUpdateParams{
		Items:             []*stripe.SubscriptionUpdateItemParams{{ID: p.ourItem(s), Price: &price}},
		ProrationBehavior: new("always_invoice"),
		PaymentBehavior:   new("pending_if_incomplete"),
		Expand:            shown(""),
	}
	if !in.At.IsZero() {
		params.ProrationDate = new(in.At.Unix())
	}
	switch {
	case in.EndTrial:
		params.TrialEndNow = new(true)
	case in.From.Interval != in.To.Interval:
		params.BillingCycleAnchorNow = new(true)
	}
	params.SetIdempotencyKey(in.Key)
	return params
}

// stopRetries keeps Stripe from charging the invoice of a pending change by itself. Whether it would
// is not documented; a failure here is logged and changes nothing else.
func (p *Provider) stopRetries(ctx context.Context, key string, s *stripe.Subscription) {
	if s.PendingUpdate == nil || !payable(s.LatestInvoice) {
		return
	}
	params := &stripe.InvoiceUpdateParams{AutoAdvance: new(false)}
	params.IdempotencyKey = keyFor(key, "hold")
	_, err := p.stripe.V1Invoices.Update(ctx, s.LatestInvoice.ID, params)
	_ = p.fault(ctx, "hold invoice of plan change", err) // it is logged there
}

// CancelPendingChange discards a pending change by voiding its invoice, which Stripe either does or
// has paid, never both.
func (p *Provider) CancelPendingChange(ctx context.Context, in payment.PendingCancellation) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.subscription(ctx, in.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if found.PendingUpdate == nil {
		return p.subscriptionOf(ctx, found)
	}
	if found.LatestInvoice == nil || found.LatestInvoice.ID != in.InvoiceID {
		return billing.Subscription{}, fault.New(fault.Conflict, "Another plan change is pending.")
	}
	if err := p.void(ctx, in.Key, found); err != nil {
		return billing.Subscription{}, err
	}
	after, err := p.subscription(ctx, in.SubscriptionID)
	if err == nil && after.PendingUpdate != nil {
		err = errPaymentUnderWay()
	}
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, after)
}

func errPaymentUnderWay() error {
	return fault.New(fault.Conflict, "A payment is on its way. Please try again in a moment.")
}

// pendingChangeOf returns the plan change that waits for its payment, or nil. Its invoice is the
// latest one.
func (p *Provider) pendingChangeOf(s *stripe.Subscription) *billing.PendingChange {
	if s.PendingUpdate == nil || s.LatestInvoice == nil {
		return nil
	}
	out := &billing.PendingChange{
		InvoiceID: s.LatestInvoice.ID, ExpiresAt: instant(s.PendingUpdate.ExpiresAt),
		Amount: amountOf(s.LatestInvoice.AmountDue, code(s.LatestInvoice.Currency)),
	}
	for _, item := range s.PendingUpdate.SubscriptionItems {
		if product, interval, ours := p.named(item.Price); ours {
			out.To = catalogue.PriceRef{Product: product, Interval: interval, Currency: code(s.Currency)}
		}
	}
	return out
}

// ourItem is the item that carries one of our prices, or the only one there is.
func (p *Provider) ourItem(s *stripe.Subscription) *string {
	var first *string
	for _, item := range items(s) {
		if _, _, ours := p.named(item.Price); ours {
			return &item.ID
		}
		if first == nil {
			first = &item.ID
		}
	}
	return first
}
