package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// metaChange holds the key of the last plan change that was started. Stripe accepts no metadata
// together with a pending update, so it is written before, under its own key.
const metaChange = "change"

// ChangePlan changes the subscription's price with a pending update, which applies once the
// difference is paid, or at the renewal with a schedule.
func (p *Provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.subscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if found.Metadata[metaChange] == req.Key {
		if after, err := p.subscriptionOf(ctx, found); err != nil || isChanged(after, req) {
			return after, err
		}
	}
	if err := p.checkChange(ctx, found, req); err != nil {
		return billing.Subscription{}, err
	}
	price, err := p.priceOfChange(ctx, found, req)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := p.recordChange(ctx, found, req); err != nil {
		return billing.Subscription{}, err
	}
	if req.When == payment.AtRenewal {
		return p.changeAtRenewal(ctx, found, req, price)
	}
	return p.changeNow(ctx, found, req, price)
}

// priceOfChange returns the id of the price. A change that has lapsed is scheduled again with its own one.
func (p *Provider) priceOfChange(ctx context.Context, s *stripe.Subscription, req payment.PriceChange) (string, error) {
	if lapsed := replacedChangeOf(s); lapsed != nil && req.When == payment.AtRenewal && futurePhase(s.Schedule) == nil {
		if scheduled, err := p.scheduledChangeOf(ctx, s); err != nil || scheduled.To == req.To {
			return lapsed.to, err
		}
	}
	return p.price(ctx, req.To)
}

// changeNow releases the schedule and sends the pending update.
func (p *Provider) changeNow(
	ctx context.Context, found *stripe.Subscription, req payment.PriceChange, price string,
) (billing.Subscription, error) {
	if err := p.releaseAny(ctx, req.Key, found); err != nil {
		return billing.Subscription{}, err
	}
	changed, err := p.stripe.V1Subscriptions.Update(ctx, found.ID, p.changeParams(req, price, found))
	if err != nil {
		return billing.Subscription{}, p.saleError(req.To.PriceID(), err,
			p.keyFault(ctx, "change plan", found.Customer.ID, req.Key, err))
	}
	p.disableCollection(ctx, req.Key, changed)
	if err := p.reclaimFromChange(ctx, changed); err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, changed)
}

// isChanged reports whether the subscription is in the state that the request leads to.
func isChanged(s billing.Subscription, req payment.PriceChange) bool {
	switch {
	case s.Price == req.To:
		return true
	case req.When == payment.AtRenewal:
		return s.Scheduled != nil && s.Scheduled.To == req.To && !s.Scheduled.Lapsed
	}
	return s.Pending != nil
}

func (p *Provider) checkChange(ctx context.Context, s *stripe.Subscription, req payment.PriceChange) error {
	if err := p.checkChangeable(s, req); err != nil {
		return err
	}
	return p.checkBillsPaid(ctx, s)
}

// checkChangeable refuses a change for what the subscription itself shows.
func (p *Provider) checkChangeable(s *stripe.Subscription, req payment.PriceChange) error {
	if req.When == payment.AtRenewal {
		req.EndTrial = s.Status == stripe.SubscriptionStatusTrialing // it does not end the trial
	}
	if err := p.checkSameState(s, req); err != nil {
		return err
	}
	switch {
	case !endsAt(s).IsZero():
		return errEnding()
	case holdOf(s) != billing.NoHold:
		return billing.ErrHold()
	case p.pauseOf(s) != nil:
		return billing.ErrPaused()
	case req.When != payment.AtRenewal:
		return p.checkReplaceable(s)
	}
	return nil
}

// checkSameState refuses a change of a subscription that is not as the request says.
func (p *Provider) checkSameState(s *stripe.Subscription, req payment.PriceChange) error {
	trialing := s.Status == stripe.SubscriptionStatusTrialing
	switch {
	case !statusOf(s).Live():
		return fault.New(fault.Conflict, "Only a running subscription can be changed.")
	case currencyCode(s.Currency) != req.To.Currency:
		return fault.Newf(fault.Invalid, "The subscription is paid in %s and can't be changed to %s.",
			currencyCode(s.Currency), req.To.Currency)
	case s.PendingUpdate != nil:
		return errChangePending()
	case p.priceRefOf(s) != req.From, trialing != req.EndTrial && statusOf(s) != billing.PastDue:
		return fault.New(fault.Conflict, "The subscription has changed meanwhile.")
	case statusOf(s) == billing.PastDue:
		return billing.ErrInvoiceOpen()
	case s.LatestInvoice != nil && s.LatestInvoice.Status == stripe.InvoiceStatusUncollectible:
		return fault.New(fault.Conflict, "Your last bill was never paid. Please contact us.")
	}
	return nil
}

// checkBillsPaid refuses a change while an invoice of the subscription is a draft or open, because
// Stripe credits the unused part of the period as if it were paid. For about an hour after a
// renewal the subscription is active and its invoice a draft. It also refuses a change after a charge of the customer
// was disputed.
func (p *Provider) checkBillsPaid(ctx context.Context, s *stripe.Subscription) error {
	params := &stripe.InvoiceListParams{Subscription: &s.ID}
	params.Limit = new(int64(pageSize))
	isCharged := false
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return p.fault(ctx, "list invoices", err)
		}
		if billing.InvoiceStatus(inv.Status).Collecting() {
			return billing.ErrInvoiceOpen()
		}
		isCharged = isCharged || inv.AmountPaid > 0
	}
	if !isCharged {
		return nil // as in a trial
	}
	return p.checkDisputes(ctx, s.Customer.ID)
}

// recordChange writes the request's key to the subscription, and the scheduled change that it replaces. A repeated
// request recognises its change by the key together with the price, because the key is written before the change.
func (p *Provider) recordChange(ctx context.Context, s *stripe.Subscription, req payment.PriceChange) error {
	if s.Metadata[metaChange] == req.Key {
		return nil // by an earlier attempt, which may have released the schedule already
	}
	data := metadata(metaChange, req.Key)
	switch replaced := changeToReplace(s); {
	case req.When == payment.AtRenewal:
	case replaced != nil:
		data[metaReplaces] = replaced.String()
	case s.Metadata[metaReplaces] != "":
		data[metaReplaces] = ""
	}
	return p.writeMetadata(ctx, s, req.Key, data)
}

// writeMetadata writes to the subscription's metadata under a key of its own. An empty value removes an entry.
func (p *Provider) writeMetadata(ctx context.Context, s *stripe.Subscription, key string, data map[string]string) error {
	params := &stripe.SubscriptionUpdateParams{Metadata: data}
	params.IdempotencyKey = keyFor(key, "mark")
	_, err := p.stripe.V1Subscriptions.Update(ctx, s.ID, params)
	if err == nil {
		return nil
	}
	return p.keyFault(ctx, "mark subscription", s.Customer.ID, *params.IdempotencyKey, err)
}

// changeParams returns the parameters of the change. They depend only on the request and the item's
// id, so that a repeated request sends the same bytes. Without the item's id Stripe would add a
// second item. trial_end=now is sent only during a trial.
func (p *Provider) changeParams(
	req payment.PriceChange, price string, s *stripe.Subscription,
) *stripe.SubscriptionUpdateParams {
	params := &stripe.SubscriptionUpdateParams{
		Items:             []*stripe.SubscriptionUpdateItemParams{{ID: p.itemToChange(s), Price: &price}},
		ProrationBehavior: new("always_invoice"),
		PaymentBehavior:   new("pending_if_incomplete"),
		Expand:            subscriptionExpand(""),
	}
	if !req.At.IsZero() {
		params.ProrationDate = new(req.At.Unix())
	}
	switch {
	case req.EndTrial:
		params.TrialEndNow = new(true)
	case req.From.Interval != req.To.Interval:
		params.BillingCycleAnchorNow = new(true)
	}
	params.SetIdempotencyKey(req.Key)
	return params
}

// disableCollection keeps Stripe from charging the invoice of a pending change by itself. Whether
// Stripe would is not documented, so a failure is only logged.
func (p *Provider) disableCollection(ctx context.Context, key string, s *stripe.Subscription) {
	if s.PendingUpdate == nil || !isOpen(s.LatestInvoice) {
		return
	}
	params := &stripe.InvoiceUpdateParams{AutoAdvance: new(false)}
	params.IdempotencyKey = keyFor(key, "hold")
	_, err := p.stripe.V1Invoices.Update(ctx, s.LatestInvoice.ID, params)
	_ = p.fault(ctx, "hold invoice of plan change", err) // it logs the error
}

// reclaimFromChange withdraws what is owed from the credit that a change has created.
func (p *Provider) reclaimFromChange(ctx context.Context, changed *stripe.Subscription) error {
	if changed.LatestInvoice == nil {
		return nil
	}
	inv := *changed.LatestInvoice
	inv.Customer = changed.Customer
	return p.reclaim(ctx, &inv)
}

// CancelPendingChange discards a pending change by voiding its invoice. Stripe either voids the
// invoice or has it paid, never both.
func (p *Provider) CancelPendingChange(ctx context.Context, req payment.PendingCancellation) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.subscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if found.PendingUpdate == nil {
		return p.subscriptionOf(ctx, found)
	}
	if found.LatestInvoice == nil || found.LatestInvoice.ID != req.InvoiceID {
		return billing.Subscription{}, errChangePending()
	}
	if err := p.voidInvoice(ctx, req.Key, found, req.InvoiceID); err != nil {
		return billing.Subscription{}, err
	}
	after, err := p.subscription(ctx, req.SubscriptionID)
	if err == nil && after.PendingUpdate != nil {
		err = errPaymentUnderWay()
	}
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, after)
}

// pendingChangeOf returns the change that waits for its payment, or nil. Its invoice is the latest
// one.
func (p *Provider) pendingChangeOf(s *stripe.Subscription) *billing.PendingChange {
	if s.PendingUpdate == nil || s.LatestInvoice == nil {
		return nil
	}
	out := &billing.PendingChange{
		InvoiceID: s.LatestInvoice.ID, ExpiresAt: timeOf(s.PendingUpdate.ExpiresAt),
		Amount: fromStripeUnits(s.LatestInvoice.AmountDue, currencyCode(s.LatestInvoice.Currency)),
	}
	for _, item := range s.PendingUpdate.SubscriptionItems {
		if product, interval, ours := p.parsePriceName(item.Price); ours {
			out.To = catalogue.PriceRef{Product: product, Interval: interval, Currency: currencyCode(s.Currency)}
		}
	}
	return out
}

// itemToChange returns the id of the item of the plan.
func (p *Provider) itemToChange(s *stripe.Subscription) *string {
	if item := p.planItem(s); item != nil {
		return &item.ID
	}
	return nil
}
