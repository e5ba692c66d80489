package stripepayment

import (
	"context"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// Subscription returns the subscription's current state.
func (p *Provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	sub, err := p.readSubscription(ctx, id)
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, sub)
}

// readSubscription reads a subscription with the fields of subscriptionExpand.
func (p *Provider) readSubscription(ctx context.Context, id string) (*stripe.Subscription, error) {
	if err := checkID(id, "subscription"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionRetrieveParams{Expand: subscriptionExpand("")}
	sub, err := p.stripe.V1Subscriptions.Retrieve(ctx, id, params)
	if err != nil {
		return nil, p.logFault(ctx, "read subscription", err)
	}
	return sub, nil
}

// ListSubscriptions lists the customer's subscriptions, newest first, which is Stripe's order.
func (p *Provider) ListSubscriptions(
	ctx context.Context, customerID string, statuses ...billing.Status,
) ([]billing.Subscription, error) {
	if err := checkID(customerID, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionListParams{Customer: &customerID, Status: new("all"), Expand: subscriptionExpand("data.")}
	params.Limit = new(int64(pageSize))
	var stripeSubs []*stripe.Subscription
	for stripeSub, err := range p.stripe.V1Subscriptions.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "list subscriptions", err)
		}
		stripeSubs = append(stripeSubs, stripeSub)
	}
	subs := []billing.Subscription{}
	for _, stripeSub := range stripeSubs {
		if len(statuses) > 0 && !slices.Contains(statuses, statusOf(stripeSub)) {
			continue
		}
		sub, err := p.subscriptionOf(ctx, stripeSub)
		if err != nil {
			return nil, err
		}
		subs = append(subs, sub)
	}
	return subs, nil
}

// subscriptionExpand returns the fields to expand for every subscription. They are the confirmation secret and the
// payments of the latest invoice, the setup intent of a trial, the schedule of a plan change, the customer with
// discounts and hold, and the payment method of the subscription itself. Stripe allows four levels, counting the prefix
// of a list.
func subscriptionExpand(prefix string) []*string {
	paths := []string{"latest_invoice.confirmation_secret", "latest_invoice.payments", "pending_setup_intent", "schedule",
		"customer", "default_payment_method"}
	expand := make([]*string, len(paths))
	for i, path := range paths {
		expand[i] = stripe.String(prefix + path)
	}
	return expand
}

// subscriptionOf converts a subscription. It reads the payment intent of an open invoice, because the invoice does not
// contain its status.
func (p *Provider) subscriptionOf(ctx context.Context, s *stripe.Subscription) (billing.Subscription, error) {
	ref, inCatalogue := p.priceRefOf(ctx, s)
	billingSub := billing.Subscription{
		ID: s.ID, Status: statusOf(s), Price: ref, CreatedAt: timeOf(s.Created),
		PeriodStart: periodStart(s), CurrentPeriodEnd: periodEnd(s), TrialEnd: timeOf(s.TrialEnd), EndsAt: endsAt(s),
		PendingSetup: pendingSetupOf(s.PendingSetupIntent), Pending: p.pendingChangeOf(s),
		Managed: !inCatalogue || isOperatorManaged(s), Invoicing: invoicingOf(s), Method: ownMethodOf(s),
		Hold: holdOfSubscription(s), Pause: p.pauseOf(s), StartKey: s.Metadata[metaStartKey], ChangeKey: s.Metadata[metaChangeKey],
	}
	if s.Customer != nil {
		billingSub.CustomerID = s.Customer.ID
	}
	var err error
	if billingSub.Amount, err = p.periodAmount(ctx, s); err != nil {
		return billingSub, err
	}
	change, err := p.scheduledChangeOf(ctx, s)
	if err != nil {
		return billingSub, err
	}
	billingSub.SetScheduledChange(change)
	reason := setupFailureReason(s.PendingSetupIntent)
	if s.LatestInvoice != nil {
		payment, lastDecline, err := p.paymentOf(ctx, s.LatestInvoice)
		if err != nil {
			return billingSub, err
		}
		billingSub.LatestInvoice = invoiceOf(s.LatestInvoice, payment)
		if isPayable(s.LatestInvoice) {
			reason = lastDecline.reason
		}
		billingSub.UnpaidEndsAt = p.dunningEndsAt(s, lastDecline)
	}
	billingSub.Renewal = p.renewalAmount(ctx, s, billingSub)
	billingSub.Next = billing.DeriveNextAction(billingSub, reason)
	if billingSub.Next.Kind == billing.Wait && billingSub.Next.InvoiceID != "" {
		clearDeadlines(&billingSub)
	}
	return billingSub, nil
}

// setupFailureReason returns Stripe's message for the cardholder about the last authentication, or "" if that has not
// failed.
func setupFailureReason(si *stripe.SetupIntent) string {
	if si == nil || si.LastSetupError == nil {
		return ""
	}
	return si.LastSetupError.Msg
}

// statusOf converts the status. A paused subscription, whose trial ended without a payment method, is not billed and
// counts as unpaid.
func statusOf(s *stripe.Subscription) billing.Status {
	if s.Status == stripe.SubscriptionStatusPaused {
		return billing.Unpaid
	}
	return billing.Status(s.Status)
}

// pauseOf returns the pause of the collection that an operator has set in the dashboard, or nil. A pause does not change
// the status. Stripe charges no invoice during a pause, whatever its behaviour is.
func (p *Provider) pauseOf(s *stripe.Subscription) *billing.Pause {
	if s.PauseCollection == nil {
		return nil
	}
	resumesAt := timeOf(s.PauseCollection.ResumesAt)
	if !resumesAt.IsZero() && !p.Clock.Now().Before(resumesAt) {
		return nil
	}
	return &billing.Pause{Until: resumesAt}
}

// invoicingOf returns how the customer pays the invoices of the subscription, or nil if they are charged automatically.
func invoicingOf(s *stripe.Subscription) *billing.Invoicing {
	if s.CollectionMethod != stripe.SubscriptionCollectionMethodSendInvoice {
		return nil
	}
	return &billing.Invoicing{DaysUntilDue: int(s.DaysUntilDue)}
}

// ownMethodOf returns the payment method that an operator has set on the subscription, which Stripe charges instead of the
// customer's default method. It returns nil if there is none.
func ownMethodOf(s *stripe.Subscription) *billing.PaymentMethod {
	if s.DefaultPaymentMethod == nil || s.DefaultPaymentMethod.Type == "" {
		return nil
	}
	return new(paymentMethodOf(s.DefaultPaymentMethod))
}

// periodStart returns the start of the current period, which is a field of the items.
func periodStart(s *stripe.Subscription) time.Time { return timeOf(firstItem(s).CurrentPeriodStart) }

// periodEnd returns the end of the current period, which is a field of the items.
func periodEnd(s *stripe.Subscription) time.Time { return timeOf(firstItem(s).CurrentPeriodEnd) }

// pendingSetupOf returns the authentication that is still to be completed, or nil.
func pendingSetupOf(si *stripe.SetupIntent) *billing.Intent {
	if si == nil || si.Status == stripe.SetupIntentStatusSucceeded || si.Status == stripe.SetupIntentStatusCanceled {
		return nil
	}
	return &billing.Intent{ID: si.ID, Status: billing.IntentStatus(si.Status), ClientSecret: si.ClientSecret}
}

// timeOf converts a Unix time; 0 is the zero time.
func timeOf(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
