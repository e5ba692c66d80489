package former

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Subscribe implements payment.Provider. The subscription is active at once, and its first invoice open.
func (p *Provider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	if in.MethodID != "" {
		return billing.Subscription{}, payment.Unsupported(payment.SavedMethods)
	}
	return runOnce(ctx, p, "subscribe", in.Key, in, func(tx plugin.Tx) (billing.Subscription, error) {
		id := newID(subscriptionPrefix)
		return p.changeSubscription(ctx, tx, in.CustomerID, id, func(l *ledger) error { return l.subscribe(id, in) })
	})
}

// subscribe stores a new subscription, and begins it if the customer is approved.
func (l *ledger) subscribe(id string, in payment.NewSubscription) error {
	amount, err := l.checkSubscribe(in)
	if err != nil {
		return err
	}
	s := subscription{ID: id, MadeBy: in.Key, TrialDays: in.TrialDays}
	s.Subscription = engine.Start(in.Price, amount, 0, l.now)
	l.customer.Currency = in.Price.Currency
	l.put(s)
	if l.approved {
		l.begin(s)
	}
	return nil
}

// checkSubscribe returns the amount of one period, or why the request is refused: nothing may be owed.
func (l *ledger) checkSubscribe(in payment.NewSubscription) (int64, error) {
	amount, err := l.price(in.Price)
	if err == nil {
		err = in.Check(l.customer.Currency, l.statuses())
	}
	if inv, owes := l.unpaidInvoice(); owes && err == nil {
		err = fault.Newf(fault.Conflict, "Invoice %s of %s is not paid yet. Please pay it first, or contact us.",
			l.number(inv), amountOf(inv.balance(), inv.Currency).FormatWithSymbol())
	}
	return amount, err
}

func (l *ledger) statuses() (all []billing.Status) {
	for _, s := range l.subscriptions {
		all = append(all, s.Status)
	}
	return all
}

// begin starts the subscription now and issues its first invoice.
func (l *ledger) begin(s subscription) {
	started, inv := l.firstInvoice(s)
	started.Created = s.Created
	s.Subscription, s.TrialDays = started, 0
	l.put(s)
	inv = l.bill(s, inv)
	if started.Status == billing.Trialing {
		s, _ = l.subscription(s.ID)
		s.Prepaid = inv.ID
		l.put(s)
	}
}

// firstInvoice returns the subscription as it begins now, and its first invoice. During a trial the
// invoice is for the period after it, and not due before its end.
func (l *ledger) firstInvoice(s subscription) (engine.Subscription, invoice) {
	started := engine.Start(s.Price, s.Amount, time.Duration(s.TrialDays)*day, l.now)
	inv := invoice{Created: l.now, DueAt: l.due(l.now)}
	if started.Status == billing.Trialing {
		inv.Lines = started.Renew().PeriodLines()
		if inv.DueAt.Before(started.TrialEnd) {
			inv.DueAt = started.TrialEnd
		}
		return started, inv
	}
	started.Status = billing.Active
	inv.Lines = started.PeriodLines()
	return started, inv
}

// Subscription implements payment.Provider.
func (p *Provider) Subscription(ctx context.Context, id string) (out billing.Subscription, err error) {
	var customerID string
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		customerID, err = ownerOf(ctx, tx, id)
		return err
	})
	if err != nil {
		return out, unavailable(err)
	}
	err = p.read(ctx, customerID, func(l *ledger) error {
		s, err := l.subscription(id)
		out = l.billingSubscription(s)
		return err
	})
	return out, err
}

// ListSubscriptions implements payment.Provider.
func (p *Provider) ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) (out []billing.Subscription, err error) {
	err = p.read(ctx, customerID, func(l *ledger) error {
		out = []billing.Subscription{}
		for _, s := range l.subscriptions {
			if len(statuses) == 0 || slices.Contains(statuses, s.Status) {
				out = append(out, l.billingSubscription(s))
			}
		}
		return nil
	})
	return out, err
}

// updateOnce calls update with a subscription, once per key, and returns the subscription afterwards.
func (p *Provider) updateOnce(
	ctx context.Context, name, key, id string, request any, update func(*ledger, subscription) (subscription, error),
) (billing.Subscription, error) {
	return runOnce(ctx, p, name, key, request, func(tx plugin.Tx) (billing.Subscription, error) {
		customerID, err := ownerOf(ctx, tx, id)
		if err != nil {
			return billing.Subscription{}, err
		}
		return p.changeSubscription(ctx, tx, customerID, id, func(l *ledger) error {
			s, err := l.subscription(id)
			if err != nil {
				return err
			}
			after, err := update(l, s)
			if err == nil && after != s {
				l.put(after)
			}
			return err
		})
	})
}

// CancelSubscription implements payment.Provider. What the customer owes for the current period stays
// owed, unless it is voided.
func (p *Provider) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel", in.Key, in.SubscriptionID, in, func(l *ledger, s subscription) (subscription, error) {
		switch {
		case s.Status.Ended(), in.Keeps(s.Status):
			return s, nil
		case s.Status == billing.Incomplete:
			s.Subscription, s.EndedAt = s.End(billing.IncompleteExpired), l.now
			return s, nil
		}
		return l.cancel(s, in.VoidInvoices), nil
	})
}

// cancel ends a live subscription now.
func (l *ledger) cancel(s subscription, void bool) subscription {
	l.void(l.invoice(s.Pending.Invoice))
	l.releasePrepaid(&s)
	if inv, open := l.openInvoice(s); open && void {
		l.void(inv)
	}
	s.Subscription, s.EndedAt = s.End(billing.Canceled), l.now
	return s
}

// SetEndAtPeriodEnd implements payment.Provider.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, in payment.EndRequest) (billing.Subscription, error) {
	return p.updateOnce(ctx, "end", in.Key, in.SubscriptionID, in, func(_ *ledger, s subscription) (subscription, error) {
		if err := s.CheckEnding(in.End); err != nil {
			return s, err
		}
		s.Subscription = s.SetEnding(in.End)
		return s, nil
	})
}

// ExtendTrial implements payment.Provider. The first invoice is due later by the same time.
func (p *Provider) ExtendTrial(ctx context.Context, in payment.TrialExtension) (billing.Subscription, error) {
	return p.updateOnce(ctx, "extend trial", in.Key, in.SubscriptionID, in, func(l *ledger, s subscription) (subscription, error) {
		until := in.Until.UTC().Truncate(time.Second)
		if err := s.CheckTrialExtension(until); err != nil {
			return s, err
		}
		longer := until.Sub(s.TrialEnd)
		s.Subscription = s.ExtendTrial(until)
		if inv := l.invoice(s.Prepaid); inv.ID != "" {
			inv.Lines, inv.DueAt = s.Renew().PeriodLines(), inv.DueAt.Add(longer)
			l.putInvoice(inv)
		}
		return s, nil
	})
}

func (l *ledger) billingSubscription(s subscription) billing.Subscription {
	out := billing.Subscription{
		ID: s.ID, CustomerID: l.customer.ID, Status: s.Status, Price: s.Price, Amount: amountOf(s.Amount, s.Price.Currency),
		Renewal: amountOf(s.RenewalTotal(), s.Price.Currency), CreatedAt: s.Created, PeriodStart: s.PeriodStart,
		CurrentPeriodEnd: s.PeriodEnd, TrialEnd: s.TrialEnd, EndsAt: cmp.Or(s.EndedAt, s.EndsAt()), MadeBy: s.MadeBy, ChangedBy: s.ChangedBy,
		Next: l.nextAction(s),
	}
	if inv := l.invoice(s.Invoice); inv.ID != "" {
		out.LatestInvoice = &billing.Invoice{
			ID: inv.ID, Status: inv.Status, Total: amountOf(inv.Total, inv.Currency), CreditUsed: amountOf(inv.Credit, inv.Currency),
			AmountDue: amountOf(inv.Due, inv.Currency), AmountPaid: amountOf(inv.Paid, inv.Currency), CreatedAt: inv.Created,
		}
	}
	if inv, open := l.openInvoice(s); open && s.Status == billing.PastDue {
		out.PlanEndsAt = l.endsAt(inv)
	}
	if to := s.Pending; to.Invoice != "" {
		out.Pending = &billing.PendingChange{
			To: to.Price, InvoiceID: to.Invoice, Amount: amountOf(l.invoice(to.Invoice).balance(), to.Price.Currency), ExpiresAt: to.Expires,
		}
	}
	if s.IsScheduled() {
		out.SetScheduled(&billing.ScheduledChange{
			To: s.Scheduled.Price, Amount: amountOf(s.Scheduled.Amount, s.Scheduled.Price.Currency), At: s.Scheduled.At,
		})
	}
	return out
}

// nextAction returns the instructions for the transfer: the account, the reference and the amount. An
// unpaid invoice is owed also after the end of the subscription.
func (l *ledger) nextAction(s subscription) billing.NextAction {
	if s.Status == billing.Incomplete {
		return billing.NextAction{
			Kind: billing.Wait, Until: s.Created.Add(approvalLimit),
			Reason: "We check your order before your plan starts. You need not do anything.",
		}
	}
	inv, open := l.openInvoice(s)
	if s.Pending.Invoice != "" {
		inv, open = l.invoice(s.Pending.Invoice), true
	}
	if !open {
		return billing.NextAction{}
	}
	return billing.NextAction{Kind: billing.Wait, InvoiceID: inv.ID, Until: inv.DueAt, Instructions: l.instructions(inv)}
}

// instructions returns what a customer needs to pay an open invoice.
func (p *Provider) instructions(inv invoice) []billing.Instruction {
	var lines []billing.Instruction
	for _, field := range p.Terms.Account {
		lines = append(lines, billing.Instruction(field))
	}
	return append(lines,
		billing.Instruction{Label: "Reference", Value: p.number(inv)},
		billing.Instruction{Label: "Amount", Value: amountOf(inv.balance(), inv.Currency).FormatWithSymbol() + " " + inv.Currency},
		billing.Instruction{Label: "Due", Value: inv.zone().Date(inv.DueAt)},
	)
}

// price returns the amount of one period.
func (l *ledger) price(ref catalogue.PriceRef) (int64, error) {
	amount, err := l.Catalogue.Price(ref)
	if err != nil {
		return 0, fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	return amount.Minor(), nil
}
