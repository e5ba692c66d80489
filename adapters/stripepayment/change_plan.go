package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// metaChangeKey holds the key of the last plan change that was started. It is written before the change, because Stripe
// accepts no metadata together with a pending update.
const metaChangeKey = "change"

// ChangePlan changes the subscription's price. An immediate change is a pending update, which Stripe applies once the
// difference is paid. A change at the renewal is the next phase of a schedule.
func (p *Provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	sub, err := p.readSubscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if sub.Metadata[metaChangeKey] == req.Key {
		if s, err := p.subscriptionOf(ctx, sub); err != nil || isChangeAccepted(s, req) {
			return s, err
		}
	}
	if err := p.checkChange(ctx, sub, req); err != nil {
		return billing.Subscription{}, err
	}
	priceID, err := p.priceIDForChange(ctx, sub, req)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := p.recordChange(ctx, sub, req); err != nil {
		return billing.Subscription{}, err
	}
	if req.When == billing.ChangeAtRenewal {
		return p.changeAtRenewal(ctx, sub, req, priceID)
	}
	return p.changeImmediately(ctx, sub, req, priceID)
}

// priceIDForChange returns the id of the price to change to. If the request schedules a lapsed change again, the price
// is that of the lapsed change, even if another price has replaced it in the catalogue.
func (p *Provider) priceIDForChange(ctx context.Context, s *stripe.Subscription, req payment.PriceChange) (string, error) {
	priceChange := parseReplacedPriceChange(s)
	if priceChange != nil && req.When == billing.ChangeAtRenewal && nextPhase(s.Schedule) == nil {
		if lapsedChange, err := p.scheduledChangeOf(ctx, s); err != nil || lapsedChange.To == req.To {
			return priceChange.nextPriceID, err
		}
	}
	return p.lookUpPriceID(ctx, req.To)
}

// changeImmediately releases the schedule that owns the subscription and sends the pending update.
func (p *Provider) changeImmediately(
	ctx context.Context, sub *stripe.Subscription, req payment.PriceChange, priceID string,
) (billing.Subscription, error) {
	if err := p.releaseScheduleIfOwned(ctx, req.Key, sub); err != nil {
		return billing.Subscription{}, err
	}
	item, err := p.findDeductionItem(ctx, sub, &req)
	if err != nil {
		return billing.Subscription{}, err
	}
	params := p.changeParams(req, priceID, sub)
	if err := p.addDeductionItem(ctx, item, params); err != nil {
		return billing.Subscription{}, err
	}
	if err := p.checkQuotedChange(ctx, sub, req, priceID, item); err != nil {
		return billing.Subscription{}, err
	}
	updatedSub, err := p.stripe.V1Subscriptions.Update(ctx, sub.ID, params)
	if err != nil {
		return billing.Subscription{}, p.convertPurchaseRefusal(req.To.PriceID(), err,
			p.logKeyFault(ctx, "change plan", sub.Customer.ID, req.Key, err))
	}
	if err := p.checkPendingInvoice(ctx, req, updatedSub); err != nil {
		return billing.Subscription{}, err
	}
	p.disableAutoAdvance(ctx, req.Key, updatedSub)
	if err := p.withdrawOwedAmountsAfterChange(ctx, updatedSub); err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, updatedSub)
}

// checkQuotedChange previews the change immediately before it is sent, and returns ErrQuoteOutdated if it would cost other
// amounts than quoted. Stripe charges the invoice of a pending update with the update itself, so that a change of the
// customer's balance between the preview and the update is charged, see docs/adr/0055-signed-quotes.md.
func (p *Provider) checkQuotedChange(
	ctx context.Context, sub *stripe.Subscription, req payment.PriceChange, priceID string, item *deductionItem,
) error {
	if req.Quoted == (billing.QuotedAmounts{}) {
		return nil
	}
	quote, err := p.quoteImmediateChange(ctx, sub, req, priceID, item)
	if err != nil {
		return err
	}
	return req.Quoted.Check(quote)
}

// checkPendingInvoice discards a pending change whose invoice is unpaid and has another amount than quoted, and returns
// ErrQuoteOutdated.
func (p *Provider) checkPendingInvoice(ctx context.Context, req payment.PriceChange, s *stripe.Subscription) error {
	if s.PendingUpdate == nil || !isOpen(s.LatestInvoice) {
		return nil
	}
	quoteErr := req.Quoted.Check(billing.Quote{
		DueNow: fromStripeUnits(s.LatestInvoice.AmountDue, currencyCode(s.Currency)), CreditAfter: req.Quoted.CreditAfter,
	})
	if quoteErr == nil {
		return nil
	}
	if err := p.voidInvoice(ctx, stepKey(req.Key, "void"), s, s.LatestInvoice.ID); err != nil {
		return err
	}
	updatedSub, err := p.readSubscription(ctx, s.ID)
	switch {
	case err != nil:
		return err
	case updatedSub.PendingUpdate != nil:
		return errPaymentInProgress()
	}
	return quoteErr
}

// isChangeAccepted reports whether the subscription has the price of the request, or will have it without a further
// request. It will have the price once a pending change is paid, or at the renewal for which the change is scheduled.
func isChangeAccepted(s billing.Subscription, req payment.PriceChange) bool {
	switch {
	case s.Price == req.To:
		return true
	case req.When == billing.ChangeAtRenewal:
		return s.Scheduled != nil && s.Scheduled.To == req.To && !s.Scheduled.Lapsed
	}
	return s.Pending != nil && s.Pending.To == req.To
}

// checkChange returns the error of checkChangeWithoutRequests or of checkInvoicesAndDisputes.
func (p *Provider) checkChange(ctx context.Context, s *stripe.Subscription, req payment.PriceChange) error {
	if err := p.checkChangeWithoutRequests(ctx, s, req); err != nil {
		return err
	}
	return p.checkInvoicesAndDisputes(ctx, s)
}

// checkChangeWithoutRequests refuses a change that the state of the subscription does not allow.
func (p *Provider) checkChangeWithoutRequests(ctx context.Context, s *stripe.Subscription, req payment.PriceChange) error {
	if err := p.checkExpectedState(ctx, s, req); err != nil {
		return err
	}
	switch {
	case !endsAt(s).IsZero():
		return errSubscriptionEnding()
	case holdOfSubscription(s) != billing.NoHold:
		return billing.HoldConflict()
	case isOperatorManaged(s):
		return billing.ErrManaged()
	case p.pauseOf(s) != nil:
		return billing.ErrPaused()
	case req.When != billing.ChangeAtRenewal:
		return p.checkReplaceable(s)
	}
	return nil
}

// checkExpectedState refuses a change unless the subscription is live, paid and in the state that the request assumes.
func (p *Provider) checkExpectedState(ctx context.Context, s *stripe.Subscription, req payment.PriceChange) error {
	isTrialing := s.Status == stripe.SubscriptionStatusTrialing
	switch {
	case !statusOf(s).Live():
		return fault.New(fault.Conflict, "Only a running subscription can be changed.")
	case currencyCode(s.Currency) != req.To.Currency:
		return fault.Newf(fault.Invalid, "The subscription is paid in %s and can't be changed to %s.",
			currencyCode(s.Currency), req.To.Currency)
	case s.PendingUpdate != nil:
		return errChangePending()
	case !p.hasPrice(ctx, s, req.From):
		return errSubscriptionChanged()
	case statusOf(s) == billing.PastDue:
		return billing.ErrInvoiceOpen()
	case isTrialing != req.EndTrial && req.When != billing.ChangeAtRenewal: // a change at the renewal does not end the trial
		return errSubscriptionChanged()
	case s.LatestInvoice != nil && s.LatestInvoice.Status == stripe.InvoiceStatusUncollectible:
		return fault.New(fault.Conflict, "Your last invoice was never paid. Please contact us.")
	}
	return nil
}

// checkInvoicesAndDisputes refuses a change while an invoice of the subscription is a draft or open, because Stripe
// would credit the unused part of an unpaid period. For about an hour after a renewal the subscription is active and
// its invoice is a draft. If the subscription was ever charged, the function also refuses a customer with a disputed
// charge.
func (p *Provider) checkInvoicesAndDisputes(ctx context.Context, s *stripe.Subscription) error {
	params := &stripe.InvoiceListParams{Subscription: &s.ID}
	params.Limit = new(int64(pageSize))
	wasCharged := false
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return p.logFault(ctx, "list invoices", err)
		}
		if billing.InvoiceStatus(inv.Status).IsCollectible() {
			return billing.ErrInvoiceOpen()
		}
		wasCharged = wasCharged || inv.AmountPaid > 0
	}
	if !wasCharged {
		return nil // for example in a trial
	}
	return p.checkDisputes(ctx, s.Customer.ID)
}

// recordChange writes the request's key to the subscription's metadata, and the scheduled change that it replaces. The
// key is written before the change, so a repeated request recognises its change by the key together with the price.
func (p *Provider) recordChange(ctx context.Context, s *stripe.Subscription, req payment.PriceChange) error {
	if s.Metadata[metaChangeKey] == req.Key {
		return nil // an earlier attempt has recorded it, and may have released the schedule
	}
	entries := newMetadata(metaChangeKey, req.Key)
	switch priceChange := findScheduledPriceChange(s); {
	case req.When == billing.ChangeAtRenewal: // keeps a schedule with a next phase
	case priceChange != nil:
		entries[metaReplacedChange] = priceChange.String()
	case s.Metadata[metaReplacedChange] != "":
		entries[metaReplacedChange] = ""
	}
	return p.writeMetadata(ctx, s, req.Key, entries)
}

// writeMetadata changes the entries in the subscription's metadata. An empty value removes an entry. The update is the
// step "mark" of the request with the key.
func (p *Provider) writeMetadata(ctx context.Context, s *stripe.Subscription, key string, entries map[string]string) error {
	markKey := stepKey(key, "mark")
	params := &stripe.SubscriptionUpdateParams{Metadata: entries}
	params.SetIdempotencyKey(markKey)
	_, err := p.stripe.V1Subscriptions.Update(ctx, s.ID, params)
	return p.logKeyFault(ctx, "mark subscription", s.Customer.ID, markKey, err)
}

// changeParams returns the parameters of an immediate change, without the item of findDeductionItem. They depend only
// on the request and the item's id, so that a repeated request sends the same bytes. Without the item's id Stripe would
// add a second item.
func (p *Provider) changeParams(
	req payment.PriceChange, priceID string, s *stripe.Subscription,
) *stripe.SubscriptionUpdateParams {
	params := &stripe.SubscriptionUpdateParams{
		Items:             []*stripe.SubscriptionUpdateItemParams{{ID: p.planItemID(s), Price: &priceID}},
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

// disableAutoAdvance sets auto_advance=false on the invoice of a pending change, so that Stripe does not charge it by
// itself. A failure is only logged, because the documentation does not say whether Stripe would charge the invoice.
func (p *Provider) disableAutoAdvance(ctx context.Context, key string, s *stripe.Subscription) {
	if s.PendingUpdate == nil || !isOpen(s.LatestInvoice) {
		return
	}
	params := &stripe.InvoiceUpdateParams{AutoAdvance: new(false)}
	params.SetIdempotencyKey(stepKey(key, "hold"))
	_, err := p.stripe.V1Invoices.Update(ctx, s.LatestInvoice.ID, params)
	_ = p.logFault(ctx, "hold invoice of plan change", err)
}

// CancelPendingChange discards a pending change by voiding its invoice. If the invoice is paid first, Stripe refuses to
// void it, and the result is the changed subscription.
func (p *Provider) CancelPendingChange(ctx context.Context, req payment.PendingChangeCancellation) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	sub, err := p.readSubscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if sub.PendingUpdate == nil {
		return p.subscriptionOf(ctx, sub)
	}
	if sub.LatestInvoice == nil || sub.LatestInvoice.ID != req.InvoiceID {
		return billing.Subscription{}, errChangePending()
	}
	if err := p.voidInvoice(ctx, req.Key, sub, req.InvoiceID); err != nil {
		return billing.Subscription{}, err
	}
	updatedSub, err := p.readSubscription(ctx, req.SubscriptionID)
	if err == nil && updatedSub.PendingUpdate != nil {
		err = errPaymentInProgress()
	}
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, updatedSub)
}

// pendingChangeOf returns the change that waits for the payment of the latest invoice, or nil.
func (p *Provider) pendingChangeOf(s *stripe.Subscription) *billing.PendingChange {
	if s.PendingUpdate == nil || s.LatestInvoice == nil {
		return nil
	}
	change := &billing.PendingChange{
		InvoiceID: s.LatestInvoice.ID, ExpiresAt: timeOf(s.PendingUpdate.ExpiresAt),
		Amount: fromStripeUnits(s.LatestInvoice.AmountDue, currencyCode(s.LatestInvoice.Currency)),
	}
	for _, item := range s.PendingUpdate.SubscriptionItems {
		if ref, ok := p.catalogueRef(item.Price, currencyCode(s.Currency)); ok {
			change.To = ref
		}
	}
	return change
}

// planItemID returns the id of the item whose price a change replaces, or nil.
func (p *Provider) planItemID(s *stripe.Subscription) *string {
	if item := p.planItem(s); item != nil {
		return &item.ID
	}
	return nil
}
