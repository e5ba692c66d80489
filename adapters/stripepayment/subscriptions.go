package stripepayment

import (
	"context"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// Subscription returns the subscription's current state.
func (p *Provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	found, err := p.subscription(ctx, id)
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, found)
}

func (p *Provider) subscription(ctx context.Context, id string) (*stripe.Subscription, error) {
	if err := checkID(id, "subscription"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionRetrieveParams{Expand: subscriptionExpand("")}
	found, err := p.stripe.V1Subscriptions.Retrieve(ctx, id, params)
	if err != nil {
		return nil, p.fault(ctx, "read subscription", err)
	}
	return found, nil
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
	out, all := []billing.Subscription{}, []*stripe.Subscription(nil)
	for found, err := range p.stripe.V1Subscriptions.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "list subscriptions", err)
		}
		all = append(all, found)
	}
	if err := p.migrateHolds(ctx, all); err != nil {
		return nil, err
	}
	for _, found := range all {
		if len(statuses) > 0 && !slices.Contains(statuses, statusOf(found)) {
			continue
		}
		s, err := p.subscriptionOf(ctx, found)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// paused is a status that can only be set in the dashboard: nothing is billed.
const paused stripe.SubscriptionStatus = "paused"

// subscriptionExpand lists the fields to expand for every subscription: its invoice's confirmation
// secret and payments, the setup intent that a trial waits for, and the schedule that changes its
// price at the renewal, and the customer, who may have a discount, and whose metadata has the hold. Stripe allows four
// levels, counting the prefix of a list.
func subscriptionExpand(prefix string) []*string {
	paths := []string{"latest_invoice.confirmation_secret", "latest_invoice.payments", "pending_setup_intent", "schedule",
		"customer"}
	out := make([]*string, len(paths))
	for i, path := range paths {
		out[i] = stripe.String(prefix + path)
	}
	return out
}

// subscriptionOf converts a subscription. It reads the payment intent of an open invoice, because
// only that has the payment's status.
func (p *Provider) subscriptionOf(ctx context.Context, s *stripe.Subscription) (billing.Subscription, error) {
	out := billing.Subscription{
		ID: s.ID, Status: statusOf(s), Price: p.priceRefOf(s), CreatedAt: timeOf(s.Created),
		PeriodStart: periodStart(s), CurrentPeriodEnd: periodEnd(s), TrialEnd: timeOf(s.TrialEnd), EndsAt: endsAt(s),
		PlanEndsAt:   p.planEndsAt(s),
		PendingSetup: setupOf(s.PendingSetupIntent), Pending: p.pendingChangeOf(s), Hold: holdOf(s), Pause: p.pauseOf(s),
		MadeBy: s.Metadata[metaRequest], ChangedBy: s.Metadata[metaChange],
	}
	if s.Customer != nil {
		out.CustomerID = s.Customer.ID
	}
	var err error
	if out.Amount, err = p.periodAmount(ctx, s); err != nil {
		return out, err
	}
	scheduled, err := p.scheduledChangeOf(ctx, s)
	if err != nil {
		return out, err
	}
	out.SetScheduled(scheduled)
	reason := setupReason(s.PendingSetupIntent)
	if s.LatestInvoice != nil {
		payment, paymentReason, err := p.paymentOf(ctx, s.LatestInvoice)
		if err != nil {
			return out, err
		}
		out.LatestInvoice = invoiceOf(s.LatestInvoice, payment)
		if isOpen(s.LatestInvoice) {
			reason = paymentReason
		}
	}
	out.Renewal = p.renewalOf(ctx, s, out)
	out.Next = billing.NextActionOf(out, reason)
	if out.Next.Kind == billing.Wait && out.Next.InvoiceID != "" {
		out = withoutDeadlines(out)
	}
	return out, nil
}

// invoiceOf converts an invoice without its lines and what was returned of its payment.
func invoiceOf(inv *stripe.Invoice, payment *billing.Intent) *billing.Invoice {
	amount := func(units int64) money.Amount { return fromStripeUnits(units, currencyCode(inv.Currency)) }
	return &billing.Invoice{
		ID: inv.ID, Status: billing.InvoiceStatus(inv.Status), Total: amount(inv.Total), CreditUsed: amount(creditUsed(inv)),
		AmountDue: amount(inv.AmountDue), AmountPaid: amount(inv.AmountPaid), Tax: taxOf(inv),
		CreatedAt: timeOf(inv.Created), NextAttemptAt: timeOf(inv.NextPaymentAttempt), Payment: payment,
	}
}

// creditUsed returns the part of the customer's balance, in which credit is negative, that the invoice has used.
// Stripe returns it when the invoice is voided, and reports the balances of when it was finalised even then.
func creditUsed(inv *stripe.Invoice) int64 {
	if inv.Status == stripe.InvoiceStatusVoid || inv.Status == stripe.InvoiceStatusDraft {
		return 0
	}
	return inv.EndingBalance - inv.StartingBalance
}

// setupReason returns why the last authentication failed, in Stripe's words for the card's holder.
func setupReason(s *stripe.SetupIntent) string {
	if s == nil || s.LastSetupError == nil {
		return ""
	}
	return s.LastSetupError.Msg
}

func statusOf(s *stripe.Subscription) billing.Status {
	if s.Status == paused {
		return billing.Unpaid
	}
	return billing.Status(s.Status)
}

// pauseOf returns the pause of the charges that an operator has set in the dashboard, or nil. The status stays as it is,
// and no invoice is charged, whatever the pause does with invoices.
func (p *Provider) pauseOf(s *stripe.Subscription) *billing.Pause {
	if s.PauseCollection == nil {
		return nil
	}
	until := timeOf(s.PauseCollection.ResumesAt)
	if !until.IsZero() && !p.Clock.Now().Before(until) {
		return nil
	}
	return &billing.Pause{Until: until}
}

// periodStart returns the start of the current period, which Stripe keeps on the items.
func periodStart(s *stripe.Subscription) time.Time {
	for _, item := range items(s) {
		return timeOf(item.CurrentPeriodStart)
	}
	return time.Time{}
}

// periodEnd returns the end of the current period, which Stripe keeps on the items.
func periodEnd(s *stripe.Subscription) time.Time {
	for _, item := range items(s) {
		return timeOf(item.CurrentPeriodEnd)
	}
	return time.Time{}
}

// setupOf returns the authentication that is still to be completed, or nil.
func setupOf(s *stripe.SetupIntent) *billing.Intent {
	if s == nil || s.Status == stripe.SetupIntentStatusSucceeded || s.Status == stripe.SetupIntentStatusCanceled {
		return nil
	}
	return &billing.Intent{ID: s.ID, Status: billing.IntentStatus(s.Status), ClientSecret: s.ClientSecret}
}

// timeOf converts a timestamp; 0 is the zero time.
func timeOf(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
