package fakepayment

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Subscription returns a subscription.
func (p *Provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return run(ctx, p, func(t *tx) (billing.Subscription, error) {
		s, err := t.subscription(id)
		return t.billingSubscription(s), err
	})
}

// ListSubscriptions returns the customer's subscriptions, newest first, optionally only those with
// one of the statuses.
func (p *Provider) ListSubscriptions(
	ctx context.Context, customerID string, statuses ...billing.Status,
) ([]billing.Subscription, error) {
	return run(ctx, p, func(t *tx) ([]billing.Subscription, error) {
		c, err := t.customer(customerID)
		subscriptions := []billing.Subscription{}
		for _, id := range c.SubscriptionIDs {
			s := t.subscriptions.rows[id]
			if len(statuses) == 0 || slices.Contains(statuses, s.Status) {
				subscriptions = append(subscriptions, t.billingSubscription(s))
			}
		}
		return subscriptions, err
	})
}

// updateOnce calls update with a subscription, once per key, and returns the updated subscription.
func (p *Provider) updateOnce(
	ctx context.Context, name, key, id string, req any, update func(*tx, subscription) (subscription, error),
) (billing.Subscription, error) {
	return runOnce(ctx, p, name, key, req, func(t *tx) (billing.Subscription, error) {
		s, err := t.subscription(id)
		if err == nil {
			s, err = update(t, s)
		}
		return t.billingSubscription(s), err
	})
}

// SetEndAtPeriodEnd ends the subscription when its period or trial ends or, if End is false, resumes it.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	return p.updateOnce(ctx, "set end", req.Key, req.SubscriptionID, req, func(t *tx, s subscription) (subscription, error) {
		return t.setEndAtPeriodEnd(s, req.End)
	})
}

func (t *tx) setEndAtPeriodEnd(s subscription, end bool) (subscription, error) {
	if err := s.CheckEndAtPeriodEnd(end); err != nil {
		return s, err
	}
	s.Subscription, s.CanceledAt = s.SetEndAtPeriodEnd(end), time.Time{}
	if end {
		s.CanceledAt = t.now
	}
	t.saveSubscription(s)
	return s, nil
}

// ExtendTrial moves the end of a running trial.
func (p *Provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	return p.updateOnce(ctx, "extend trial", req.Key, req.SubscriptionID, req, func(t *tx, s subscription) (subscription, error) {
		return t.extendTrial(s, req.Until)
	})
}

func (t *tx) extendTrial(s subscription, until time.Time) (subscription, error) {
	until = until.UTC().Truncate(time.Second)
	if err := s.CheckTrialExtension(until); err != nil {
		return s, err
	}
	s.Subscription = s.ExtendTrial(until)
	t.saveSubscription(s)
	return s, nil
}

// CancelSubscription ends the subscription now. Without VoidInvoices, the open invoice of a past due subscription stays
// open.
func (p *Provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel", req.Key, req.SubscriptionID, req, func(t *tx, s subscription) (subscription, error) {
		if req.LeavesUnchanged(s.Status) {
			return s, nil
		}
		if err := t.checkCancel(s, req.VoidInvoices); err != nil {
			return s, err
		}
		if s.Status == billing.PastDue && !req.VoidInvoices {
			return t.endKeepingInvoice(s, billing.Canceled), nil
		}
		return t.cancel(s), nil
	})
}

// cancel ends the subscription, unless it has ended. An incomplete subscription expires.
func (t *tx) cancel(s subscription) subscription {
	switch s.Status {
	case billing.Canceled, billing.IncompleteExpired:
		return s
	case billing.Incomplete:
		return t.endAndVoid(s, billing.IncompleteExpired)
	}
	return t.endAndVoid(s, billing.Canceled)
}

// endAndVoid ends the subscription and voids its open invoice.
func (t *tx) endAndVoid(s subscription, status billing.Status) subscription {
	t.voidLatestInvoice(s)
	return t.endKeepingInvoice(s, status)
}

// endKeepingInvoice ends the subscription. It voids the invoice of a pending change, and leaves any other open invoice open.
func (t *tx) endKeepingInvoice(s subscription, status billing.Status) subscription {
	if s.Pending.Invoice != "" {
		t.voidLatestInvoice(s)
	}
	s = t.cancelSetup(s)
	s.Subscription = s.End(status)
	if status != billing.Unpaid {
		s.EndedAt = t.now
		if s.CanceledAt.IsZero() {
			s.CanceledAt = t.now
		}
	}
	t.saveSubscription(s)
	return s
}

func (t *tx) subscription(id string) (subscription, error) {
	if s, ok := t.subscriptions.get(id); ok {
		return s, nil
	}
	return subscription{}, fault.New(fault.NotFound, "There is no such subscription.")
}

// priceAmount returns the amount of one period in minor units.
func (t *tx) priceAmount(ref catalogue.PriceRef) (int64, error) {
	price, err := t.config.Prices.Price(ref)
	if err != nil {
		return 0, fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	return price.Minor(), nil
}

// saveSubscription stores the subscription, schedules its next step and emits an event. It does nothing if the subscription
// has not changed.
func (t *tx) saveSubscription(s subscription) {
	previous, exists := t.subscriptions.get(s.ID)
	if exists && previous == s {
		return
	}
	t.subscriptions.put(s)
	_, scheduledAt := previous.NextStep()
	if _, at := s.NextStep(); !at.Equal(scheduledAt) {
		t.schedule.addSubscription(s)
	}
	eventType := "customer.subscription.updated"
	switch {
	case !exists:
		eventType = "customer.subscription.created"
	case s.Status == billing.Canceled && previous.Status != billing.Canceled:
		eventType = "customer.subscription.deleted"
	}
	t.emit(eventType, subscriptionObject(s))
}

func (t *tx) billingSubscription(s subscription) billing.Subscription {
	out := billing.Subscription{
		ID: s.ID, CustomerID: s.CustomerID, Status: s.Status, Price: s.Price, CreatedAt: s.Created,
		Amount: amountOf(s.Amount, s.Price.Currency), Renewal: amountOf(s.RenewalTotal(), s.Price.Currency),
		PeriodStart: s.PeriodStart, CurrentPeriodEnd: s.PeriodEnd, TrialEnd: s.TrialEnd,
		EndsAt: cmp.Or(s.EndedAt, s.EndsAt()), UnpaidEndsAt: s.UnpaidEndsAt(), Hold: t.customers.rows[s.CustomerID].Hold,
		PendingSetup: t.billingIntent(s.SetupID), StartKey: s.StartKey, ChangeKey: s.ChangeKey,
	}
	lastIntent := t.intents.rows[s.SetupID]
	if inv, ok := t.invoices.get(s.LatestInvoiceID); ok {
		out.LatestInvoice = t.billingInvoice(inv, s)
		if inv.Status == invoiceOpen {
			lastIntent = t.intents.rows[inv.PaymentID]
		}
	}
	if s.Pending.Invoice != "" {
		out.Pending = &billing.PendingChange{
			To: s.Pending.Price, InvoiceID: s.Pending.Invoice, Amount: out.LatestInvoice.AmountDue, ExpiresAt: s.Pending.Expires,
		}
		if s.PaymentProcessing {
			out.Pending.ExpiresAt = time.Time{}
		}
	}
	if s.HasScheduledChange() {
		out.SetScheduledChange(&billing.ScheduledChange{
			To: s.Scheduled.Price, Amount: amountOf(s.Scheduled.Amount, s.Scheduled.Price.Currency), At: s.Scheduled.At,
		})
	}
	reason := ""
	if lastIntent.LastError != nil {
		reason = lastIntent.LastError.Message
	}
	out.Next = billing.DeriveNextAction(out, reason)
	return out
}

// billingInvoice converts the invoice with the fields of a subscription's latest invoice.
func (t *tx) billingInvoice(inv invoice, s subscription) *billing.Invoice {
	out := &billing.Invoice{
		ID: inv.ID, Status: billing.InvoiceStatus(inv.Status), CreatedAt: inv.Created,
		Total: amountOf(inv.total(), inv.Currency), Tax: amountOf(inv.Tax, inv.Currency),
		CreditUsed: amountOf(inv.creditUsed(), inv.Currency), CarriedForward: amountOf(inv.carriedForward(), inv.Currency),
		AmountDue:  amountOf(inv.AmountDue, inv.Currency),
		AmountPaid: amountOf(inv.amountPaid(), inv.Currency), Returned: inv.amountReturned(),
		Payment: t.billingIntent(inv.PaymentID),
	}
	if s.LatestInvoiceID == inv.ID && inv.Status == invoiceOpen {
		out.NextAttemptAt = s.NextAttemptAt()
	}
	return out
}

// billingIntent converts the intent with the id to the type of the payment port. It returns nil for an unknown id.
func (t *tx) billingIntent(id string) *billing.Intent {
	pi, ok := t.intents.get(id)
	if !ok {
		return nil
	}
	out := &billing.Intent{ID: pi.ID, Status: pi.Status, ClientSecret: pi.Secret, HardDecline: isHardDecline(pi.LastError)}
	if pi.LastError != nil {
		out.LastFailure.At, out.LastFailure.IsReturn = pi.FailedAt, pi.LastError.Code == returnedDebitError.Code
		if !isAuthenticationFailure(pi.LastError) {
			out.LastFailure.MethodID = pi.CardID
		}
	}
	if pi.Status == billing.Processing {
		out.ChargedMethod, out.ExpectedBy = new(pi.Debited.paymentMethod()), pi.SettlesAt
	}
	return out
}
