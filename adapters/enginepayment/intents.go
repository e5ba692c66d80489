package enginepayment

import (
	"context"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// setIntents sets the fields about payments of a customer who enters cards in a field: the intents without their secrets,
// and the next action. If the customer authenticates a card on a page, the next action is a redirect without the URL.
func setIntents(r *ledger.Record, s engine.AccountSubscription, out *billing.Subscription) {
	payment, setup := r.Account.LatestAttempt(s.LatestInvoice), trialSetup(r, s)
	out.LatestInvoice.Payment, out.PendingSetup = paymentIntent(r, r.Account.Invoice(s.LatestInvoice)), setupIntent(setup)
	reason, _ := latestFailure(r, s.LatestInvoice)
	switch {
	case out.PendingSetup != nil:
		reason = setup.Reason
	case r.Account.NeedsApproval(s.LatestInvoice):
		reason = "" // nothing has failed, as for a payment that is open
	}
	out.Next = billing.DeriveNextAction(*out, reason)
	isOnPage := out.Next.Kind == billing.ConfirmPayment && payment.OnPage || out.Next.Kind == billing.ConfirmSetup && setup.OnPage
	if isOnPage {
		out.Next.Kind = billing.Redirect
	}
}

// paymentIntent returns the payment of an invoice as an intent with the id of the invoice, or nil if nothing was due. A
// renewal that the customer has to approve requires an action. Its intent has a secret only after the customer has paid
// again with the card.
func paymentIntent(r *ledger.Record, inv engine.Invoice) *billing.Intent {
	if inv.AmountDue == 0 {
		return nil
	}
	intent := &billing.Intent{ID: inv.ID, Status: billing.RequiresPaymentMethod}
	attempt := r.Account.LatestAttempt(inv.ID)
	switch {
	case inv.Status == billing.InvoicePaid:
		intent.Status = billing.Succeeded
	case inv.Status == billing.InvoiceVoid:
		intent.Status = billing.IntentCanceled
	case attempt.DelaysNextStep():
		intent.Status, intent.ExpectedBy = billing.Processing, attempt.ExpectedBy
		if attempt.MethodDetails != (billing.PaymentMethod{}) {
			intent.ChargedMethod = &attempt.MethodDetails
		}
	case attempt.State == engine.AttemptOpen, r.Account.NeedsApproval(inv.ID):
		intent.Status = billing.RequiresAction
	default:
		intent.HardDecline = attempt.HardDecline && !attempt.HasUnknownToken()
		_, intent.LastFailure = latestFailure(r, inv.ID)
	}
	return intent
}

// trialSetup returns the attempt to save or authenticate the card that is charged after the trial; the zero attempt for
// none.
func trialSetup(r *ledger.Record, s engine.AccountSubscription) engine.Attempt {
	if s.Status != billing.Trialing {
		return engine.Attempt{}
	}
	setup, _ := r.Account.Attempt(s.SetupKey) // the zero attempt if there is none
	return setup
}

// setupIntent returns the authentication that the attempt is for, or nil for the zero attempt. It has the key of the attempt as
// its id.
func setupIntent(setup engine.Attempt) *billing.Intent {
	switch {
	case setup.Key == "":
		return nil
	case setup.DelaysNextStep():
		return &billing.Intent{ID: setup.Key, Status: billing.Processing}
	case setup.State == engine.AttemptOpen:
		return &billing.Intent{ID: setup.Key, Status: billing.RequiresAction}
	}
	return &billing.Intent{
		ID: setup.Key, Status: billing.RequiresPaymentMethod, LastFailure: billing.FailedAttempt{At: setup.FailedAt},
	}
}

// confirmableSubscription is a subscription with the open attempts that the customer confirms in the browser. The attempts
// are zero if there is nothing to confirm.
type confirmableSubscription struct {
	billing.Subscription
	customer       ledger.Customer
	payment, setup engine.Attempt
}

func (p *Provider) readConfirmableSubscription(ctx context.Context, customerID, id string) (out confirmableSubscription, err error) {
	err = p.Read(ctx, customerID, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) error {
		s, err := r.Account.Subscription(id)
		if err != nil {
			return err
		}
		out = confirmableSubscription{customer: r.Customer}
		if attempt := r.Account.LatestAttempt(s.LatestInvoice); attempt.State == engine.AttemptOpen {
			out.payment = attempt
		}
		if setup := trialSetup(r, s); setup.State == engine.AttemptOpen {
			out.setup = setup
		}
		out.Subscription, err = r.Subscription(id)
		return err
	})
	return out, err
}

// Subscription implements payment.Provider. If the gateway has a card field, it reads the open payments of the subscription at
// the gateway, because the browser needs their secrets. All other reads return the stored account.
func (p *Provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	if !p.hasCardField() {
		return p.Ledger.Subscription(ctx, id)
	}
	customerID, err := p.ReadCustomerIDOfSubscription(ctx, id)
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.readSubscriptionWithSecrets(ctx, customerID, id, nil)
}

// readSubscription returns a subscription with the credentials with which the customer completes open payments.
func (p *Provider) readSubscription(
	ctx context.Context, customerID, id string, openPayments map[string]gateway.Payment,
) (billing.Subscription, error) {
	if p.hasCardField() {
		return p.readSubscriptionWithSecrets(ctx, customerID, id, openPayments)
	}
	return p.readSubscriptionWithURL(ctx, customerID, id, openPayments)
}

// readSubscriptionWithSecrets returns a subscription with the secrets of its open intents, or with the URL where the customer
// authenticates a payment. If the browser has completed an open payment, it first applies the outcome to the account.
func (p *Provider) readSubscriptionWithSecrets(
	ctx context.Context, customerID, id string, openPayments map[string]gateway.Payment,
) (billing.Subscription, error) {
	s, err := p.readConfirmableSubscription(ctx, customerID, id)
	if err != nil {
		return s.Subscription, err
	}
	foundPayments := map[string]gateway.Payment{}
	hasChanged := false
	for _, attempt := range []engine.Attempt{s.payment, s.setup} {
		if attempt.Key == "" {
			continue
		}
		found, err := p.readOpenPayment(ctx, s.customer, attempt, openPayments)
		if err == nil && found.State != gateway.Open {
			hasChanged = true
			_, err = p.markForLookup(ctx, gateway.Reference{Key: attempt.Key})
		}
		if err != nil {
			p.Log.WarnContext(ctx, "an open payment can't be read", "error", err)
			continue
		}
		foundPayments[attempt.Key] = found
	}
	if hasChanged {
		p.lookUpPayments(ctx, customerID)
		if s, err = p.readConfirmableSubscription(ctx, customerID, id); err != nil {
			return s.Subscription, err
		}
	}
	s.addCredentials(foundPayments[s.payment.Key], foundPayments[s.setup.Key])
	return s.Subscription, nil
}

// addCredentials adds the secrets of open payments to the intents, and the secret or the URL to the next action. A payment is
// zero if it is not open or its credentials are unknown.
func (s *confirmableSubscription) addCredentials(payment, setup gateway.Payment) {
	open := setup
	if payment.Key != "" {
		s.LatestInvoice.Payment.ClientSecret = payment.Secret
		open = payment
	}
	if setup.Key != "" {
		s.PendingSetup.ClientSecret = setup.Secret
	}
	switch s.Next.Kind {
	case billing.ConfirmPayment, billing.ConfirmSetup:
		s.Next.Secret = open.Secret
	case billing.Redirect:
		s.Next.URL = open.URL
	}
}
