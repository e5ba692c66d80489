package stripepayment

import (
	"context"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// paused is a status that only somebody at the dashboard can bring about: nothing is billed and
// nothing is paid for.
const paused stripe.SubscriptionStatus = "paused"

// shown are the parts that every subscription is asked with: the invoice with what a browser
// needs to pay it and which payments it has, and the authentication a trial waits for. None goes
// deeper than Stripe's four levels, even inside of a list.
func shown(prefix string) []*string {
	paths := []string{"latest_invoice.confirmation_secret", "latest_invoice.payments", "pending_setup_intent"}
	out := make([]*string, len(paths))
	for i, path := range paths {
		out[i] = stripe.String(prefix + path)
	}
	return out
}

// subscriptionOf is the subscription in our terms. Stripe is asked for the payment of an invoice
// that is still to be paid, because nothing else tells how far it has come.
func (p *Provider) subscriptionOf(ctx context.Context, s *stripe.Subscription) (billing.Subscription, error) {
	out := billing.Subscription{
		ID: s.ID, Status: statusOf(s), Price: p.refOf(s), CreatedAt: instant(s.Created),
		CurrentPeriodEnd: periodEnd(s), TrialEnd: instant(s.TrialEnd), PendingSetup: setupOf(s.PendingSetupIntent),
		Pending: p.pendingChangeOf(s), MadeBy: s.Metadata[metaRequest], ChangedBy: s.Metadata[metaChange],
	}
	if s.Customer != nil {
		out.CustomerID = s.Customer.ID
	}
	reason := setupReason(s.PendingSetupIntent)
	if s.LatestInvoice != nil {
		payment, why, err := p.paymentOf(ctx, s.LatestInvoice)
		if err != nil {
			return out, err
		}
		out.LatestInvoice = invoiceOf(s.LatestInvoice, payment)
		if payable(s.LatestInvoice) {
			reason = why
		}
	}
	out.Next = billing.NextActionOf(out, reason)
	return out, nil
}

func invoiceOf(inv *stripe.Invoice, payment *billing.Intent) *billing.Invoice {
	return &billing.Invoice{
		ID: inv.ID, Status: billing.InvoiceStatus(inv.Status), AmountDue: amountOf(inv.AmountDue, code(inv.Currency)),
		CreatedAt: instant(inv.Created), NextAttemptAt: instant(inv.NextPaymentAttempt), Payment: payment,
	}
}

// setupReason is why the last authentication of the card failed, in Stripe's words for its holder.
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

// periodEnd sits on the items, which all have the same one here.
func periodEnd(s *stripe.Subscription) time.Time {
	for _, item := range items(s) {
		return instant(item.CurrentPeriodEnd)
	}
	return time.Time{}
}

// setupOf is the authentication of a card that is still to be finished.
func setupOf(s *stripe.SetupIntent) *billing.Intent {
	if s == nil || s.Status == stripe.SetupIntentStatusSucceeded || s.Status == stripe.SetupIntentStatusCanceled {
		return nil
	}
	return &billing.Intent{ID: s.ID, Status: billing.IntentStatus(s.Status), ClientSecret: s.ClientSecret}
}

// instant is the time of one of Stripe's timestamps; 0 is none.
func instant(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
