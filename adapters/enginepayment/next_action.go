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

// payableSubscription is a subscription with the latest attempt to collect its open invoice.
type payableSubscription struct {
	billing.Subscription
	customer ledger.Customer
	attempt  engine.Attempt
}

// needsPage reports whether the customer has to pay on a page, which may not be open yet.
func (s payableSubscription) needsPage() bool { return s.Next.Kind == billing.Redirect }

// hasOpenPage reports whether the customer has to pay on a page that is open.
func (s payableSubscription) hasOpenPage() bool {
	return s.needsPage() && s.attempt.State == engine.AttemptOpen
}

func (p *Provider) readPayableSubscription(ctx context.Context, customerID, id string) (out payableSubscription, err error) {
	err = p.Read(ctx, customerID, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) error {
		s, err := r.Account.Subscription(id)
		if err != nil {
			return err
		}
		out = payableSubscription{customer: r.Customer, attempt: r.Account.LatestAttempt(latestOpenInvoice(r, s).ID)}
		out.Subscription, err = r.Subscription(id)
		return err
	})
	return out, err
}

// readSubscriptionWithURL returns a subscription. If the customer has to pay on a page, it opens the page if necessary and
// adds the page's URL.
func (p *Provider) readSubscriptionWithURL(
	ctx context.Context, customerID, id string, openPayments map[string]gateway.Payment,
) (billing.Subscription, error) {
	s, err := p.readPayableSubscription(ctx, customerID, id)
	if err == nil && s.needsPage() && !s.hasOpenPage() {
		if openPayments, err = p.openPage(ctx, customerID, s.Subscription); err != nil {
			p.Log.WarnContext(ctx, "no page can be opened for a payment", "error", err)
		}
		s, err = p.readPayableSubscription(ctx, customerID, id)
	}
	if err != nil || !s.hasOpenPage() {
		return s.Subscription, err
	}
	page, err := p.readOpenPayment(ctx, s.customer, s.attempt, openPayments)
	if err != nil {
		p.Log.WarnContext(ctx, "the page of an open payment can't be read", "error", err)
		return s.Subscription, nil
	}
	s.Next.URL = page.URL
	return s.Subscription, nil
}

// openPage opens a page for the invoice of s.Next: it begins an attempt to pay the invoice, and returns the open payments.
func (p *Provider) openPage(
	ctx context.Context, customerID string, s billing.Subscription,
) (map[string]gateway.Payment, error) {
	_, err := p.Update(ctx, customerID, ledger.Scope{}, func(r *ledger.Record) error {
		inv := r.Account.Invoice(s.Next.InvoiceID)
		if inv.Status != billing.InvoiceOpen {
			return nil // the invoice has been paid
		}
		returnTo := r.Account.LatestAttempt(inv.ID).ReturnTo
		return r.Account.Pay(engine.PayRequest{
			Invoice: inv.ID, Amount: inv.AmountRemaining(), SubscriptionEnded: s.Status.Ended(), Source: engine.Source{ReturnTo: returnTo},
		})
	})
	if err != nil {
		return nil, err
	}
	return p.processOutbox(ctx, customerID, sendTimeout)
}

// latestOpenInvoice returns the latest invoice of the subscription if the invoice is open, and the zero invoice otherwise.
// The subscription may have ended.
func latestOpenInvoice(r *ledger.Record, s engine.AccountSubscription) engine.Invoice {
	inv := r.Account.Invoice(s.LatestInvoice)
	if inv.Status != billing.InvoiceOpen {
		return engine.Invoice{}
	}
	return inv
}

// setPaymentFields sets the hold, the end of the plan, and the fields about the payment of the latest invoice.
func (p *Provider) setPaymentFields(r *ledger.Record, s engine.AccountSubscription, out *billing.Subscription) {
	out.Hold, out.UnpaidEndsAt = r.Account.Hold, s.UnpaidEndsAt()
	if s.PaymentProcessing && out.Pending != nil {
		out.Pending.ExpiresAt = time.Time{}
	}
	if p.hasCardField() {
		setIntents(r, s, out)
		return
	}
	inv := latestOpenInvoice(r, s)
	switch {
	case inv.ID != "":
		out.Next = nextAction(r, s, inv)
	case s.Status == billing.Trialing && r.Account.DefaultMethod == "":
		out.Next.Reason = latestSetupReason(r.Account)
	}
}

// latestSetupReason returns why the newest attempt to save a method was refused, or "".
func latestSetupReason(a *engine.Account) string {
	for _, attempt := range a.Attempts { // the newest is first
		if attempt.Amount == 0 && attempt.Invoice == "" {
			return attempt.Reason
		}
	}
	return ""
}

// nextAction returns what the customer has to do to pay the invoice, without the URL.
func nextAction(r *ledger.Record, s engine.AccountSubscription, inv engine.Invoice) billing.NextAction {
	next := billing.NextAction{InvoiceID: inv.ID}
	switch attempt := r.Account.LatestAttempt(inv.ID); {
	case s.Status.Ended() && s.Status != billing.Canceled:
		return billing.NextAction{}
	case attempt.DelaysNextStep():
		next.Kind, next.Until = billing.Wait, attempt.ExpectedBy
		if attempt.MethodDetails != (billing.PaymentMethod{}) {
			next.Method = &attempt.MethodDetails
		}
		return next
	case (s.Status == billing.Active || s.Status == billing.Trialing) && s.Pending.Invoice == "":
		return billing.NextAction{}
	}
	next.Reason, next.Failed = latestFailure(r, inv.ID)
	if s.Pending.Invoice != "" {
		next.Until = s.Pending.Expires
	} else if s.Status == billing.Incomplete {
		_, next.Until = s.NextStep()
	}
	next.Kind = billing.Redirect
	return next
}

// latestFailure returns the reason and the method of the newest attempt to collect the invoice that has failed or was
// returned. The reason is "" if there is no such attempt, or if the provider reports none.
func latestFailure(r *ledger.Record, invoiceID string) (reason string, failed billing.FailedAttempt) {
	for _, attempt := range r.Account.Attempts {
		isReturn := attempt.State == engine.AttemptReturned
		if attempt.Invoice != invoiceID || attempt.Reason == "" && !isReturn {
			continue
		}
		failed.At, failed.IsReturn = attempt.FailedAt, isReturn
		if !attempt.CustomerNeeded {
			failed.MethodID = attempt.Method
		}
		return attempt.Reason, failed
	}
	return "", billing.FailedAttempt{}
}
