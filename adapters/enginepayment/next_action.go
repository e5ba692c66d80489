package enginepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Subscription implements payment.Provider. If the customer has to pay on a page of the gateway and none is open, it opens
// one.
func (p *Provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	customerID, err := p.ReadCustomerOfSubscription(ctx, id)
	if err != nil {
		return billing.Subscription{}, err
	}
	p.resolveHints(ctx, customerID)
	return p.showSubscription(ctx, customerID, id, nil)
}

// ListSubscriptions implements payment.Provider. It opens no pages.
func (p *Provider) ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error) {
	p.resolveHints(ctx, customerID)
	return p.Ledger.ListSubscriptions(ctx, customerID, statuses...)
}

// shown is a subscription with the latest attempt to collect its invoice.
type shown struct {
	subscription billing.Subscription
	attempt      engine.Attempt
	customer     ledger.Customer
}

func (p *Provider) readSubscription(ctx context.Context, customerID, id string) (out shown, err error) {
	err = p.Read(ctx, customerID, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) error {
		s, err := r.Account.Subscription(id)
		if err != nil {
			return err
		}
		out = shown{customer: r.Customer, attempt: r.Account.LatestAttempt(invoiceToPay(r, s).ID)}
		out.subscription, err = r.Subscription(id)
		return err
	})
	return out, err
}

// showSubscription returns a subscription with the URL of the page where the customer pays it, if it waits for that.
func (p *Provider) showSubscription(
	ctx context.Context, customerID, id string, opened map[string]gateway.Payment,
) (billing.Subscription, error) {
	s, err := p.readSubscription(ctx, customerID, id)
	if err == nil && s.subscription.Next.Kind == billing.Redirect && s.attempt.State != engine.AttemptOpen {
		if opened, err = p.openPage(ctx, customerID, s.subscription); err != nil {
			p.Log.WarnContext(ctx, "no page can be opened for a payment", "error", err)
		}
		s, err = p.readSubscription(ctx, customerID, id)
	}
	if err != nil || s.subscription.Next.Kind != billing.Redirect || s.attempt.State != engine.AttemptOpen {
		return s.subscription, err
	}
	page, err := p.paymentOf(ctx, s.customer, s.attempt, opened)
	if err != nil {
		p.Log.WarnContext(ctx, "the page of an open payment can't be read", "error", err)
		return s.subscription, nil
	}
	s.subscription.Next.URL = page.URL
	return s.subscription, nil
}

// openPage begins an attempt to pay the invoice of the subscription on the gateway's page.
func (p *Provider) openPage(ctx context.Context, customerID string, s billing.Subscription) (map[string]gateway.Payment, error) {
	err := p.Database.Write(ctx, func(tx plugin.Tx) error {
		_, err := p.Change(ctx, tx, customerID, ledger.Scope{}, func(r *ledger.Record) error {
			inv := r.Account.Invoice(s.Next.InvoiceID)
			if inv.Status != billing.InvoiceOpen {
				return nil // it was paid meanwhile
			}
			last := r.Account.LatestAttempt(inv.ID)
			return r.Account.Pay(engine.InvoicePayment{
				Invoice: inv.ID, Amount: inv.Balance(), Ended: s.Status.Ended(), Source: engine.Source{ReturnTo: last.ReturnTo},
			})
		})
		return err
	})
	if err != nil {
		return nil, ledger.Unavailable(err)
	}
	return p.collect(ctx, customerID, sendTimeout)
}

// invoiceToPay returns the invoice that a subscription waits for, or that is owed after its end; the zero invoice for none.
func invoiceToPay(r *ledger.Record, s engine.AccountSubscription) engine.Invoice {
	inv := r.Account.Invoice(s.Invoice)
	if inv.Status != billing.InvoiceOpen {
		return engine.Invoice{}
	}
	return inv
}

// completeSubscription adds how the latest invoice is paid.
func completeSubscription(r *ledger.Record, s engine.AccountSubscription, out *billing.Subscription) {
	out.Hold, out.PlanEndsAt = r.Account.Hold, s.PlanEndsAt()
	inv := invoiceToPay(r, s)
	if inv.ID == "" {
		return
	}
	out.LatestInvoice.Returned = ledger.Amount(inv.BankReturned, inv.Currency)
	at := r.Account.LatestAttempt(inv.ID)
	if s.Status == billing.PastDue && !s.Processing {
		out.LatestInvoice.NextAttemptAt = s.RetryAt
	}
	if s.Processing && out.Pending != nil {
		out.Pending.ExpiresAt = time.Time{}
	}
	out.Next = nextAction(r, s, inv, at)
}

// nextAction returns what the customer has to do to pay the invoice, without the URL.
func nextAction(r *ledger.Record, s engine.AccountSubscription, inv engine.Invoice, at engine.Attempt) billing.NextAction {
	next := billing.NextAction{InvoiceID: inv.ID}
	switch {
	case s.Status.Ended() && s.Status != billing.Canceled:
		return billing.NextAction{}
	case at.Pauses():
		next.Kind, next.Until = billing.Wait, at.ExpectedBy
		if at.With != (billing.PaymentMethod{}) {
			next.Method = &at.With
		}
		return next
	case s.Status == billing.Active && s.Pending.Invoice == "", s.Status == billing.Trialing && s.Pending.Invoice == "":
		return billing.NextAction{}
	}
	next.Reason = lastReason(r, inv.ID)
	if s.Pending.Invoice != "" {
		next.Until = s.Pending.Expires
	} else if s.Status == billing.Incomplete {
		_, next.Until = s.NextStep()
	}
	next.Kind = billing.Redirect
	return next
}

// lastReason returns why the latest attempt to collect the invoice that is over has failed.
func lastReason(r *ledger.Record, invoiceID string) string {
	for _, at := range r.Account.Attempts {
		if at.Invoice == invoiceID && at.Reason != "" {
			return at.Reason
		}
	}
	return ""
}
