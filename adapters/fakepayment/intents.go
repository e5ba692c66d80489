package fakepayment

import (
	"cmp"
	"context"
	"crypto/subtle"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Outcome is the result of the cardholder's authentication.
type Outcome string

// The outcomes. A confirmation with NoOutcome attempts the payment or setup without an authentication.
const (
	NoOutcome       Outcome = ""
	OutcomeComplete Outcome = "complete"
	OutcomeFail     Outcome = "fail"
)

// Confirmation confirms an intent, as the browser does.
type Confirmation struct {
	ClientSecret string
	Outcome      Outcome
	MethodID     string // default: the customer's default card
}

// Confirm confirms an intent as Stripe.js does and returns the updated intent. It returns
// Declined for a declined card, NotFound for an unknown secret or card, and Conflict if the status
// does not allow the confirmation.
func (p *Provider) Confirm(ctx context.Context, req Confirmation) (billing.Intent, error) {
	pi, _, err := p.confirmIntent(ctx, req)
	if err != nil {
		return billing.Intent{}, err
	}
	return billing.Intent{ID: pi.ID, Status: pi.Status, ClientSecret: pi.Secret}, nil
}

// confirmIntent returns the updated intent and its card, even if the card was declined.
func (p *Provider) confirmIntent(ctx context.Context, req Confirmation) (pi intent, cd card, err error) {
	err = p.transact(ctx, func(t *tx) error {
		pi, err = t.intentBySecret(req.ClientSecret)
		if err != nil {
			return err
		}
		pi, err = t.applyConfirmation(pi, req)
		cd = t.cards.rows[pi.CardID]
		return err
	})
	return pi, cd, err
}

// readIntent returns the intent of a client secret and its card.
func (p *Provider) readIntent(ctx context.Context, secret string) (pi intent, cd card, err error) {
	err = p.transact(ctx, func(t *tx) error {
		pi, err = t.intentBySecret(secret)
		cd = t.cards.rows[pi.CardID]
		return err
	})
	return pi, cd, err
}

func (t *tx) intentBySecret(secret string) (intent, error) {
	id, _, _ := strings.Cut(secret, secretInfix)
	pi, ok := t.intents.get(id)
	if !ok || subtle.ConstantTimeCompare([]byte(pi.Secret), []byte(secret)) != 1 {
		return intent{}, fault.New(fault.NotFound, "There is no such intent.")
	}
	return pi, nil
}

// applyConfirmation returns the intent after the browser has confirmed it.
func (t *tx) applyConfirmation(pi intent, req Confirmation) (intent, error) {
	needsAction := pi.Status == billing.RequiresAction
	switch {
	case pi.Status == billing.Succeeded, pi.Status == billing.Processing:
		return pi, nil
	case needsAction && req.Outcome != NoOutcome:
		pi = t.authenticate(pi, req.Outcome == OutcomeComplete)
		t.applyResult(pi)
		return pi, nil
	case pi.Status == billing.IntentCanceled, req.Outcome != NoOutcome:
		return pi, fault.New(fault.Conflict, "This intent can't be confirmed: its status is "+string(pi.Status)+".")
	case needsAction && req.MethodID == "":
		return pi, nil
	}
	return t.attemptWithCard(pi, req.MethodID)
}

// attemptWithCard attempts the intent with the card, or with the customer's default card if cardID is "".
func (t *tx) attemptWithCard(pi intent, cardID string) (intent, error) {
	c := t.customers.rows[pi.CustomerID]
	if cardID == "" {
		cardID = c.DefaultCardID
	} else if _, err := t.findCard(c, cardID); err != nil {
		return pi, err
	}
	pi = t.attempt(pi, cardID)
	t.applyResult(pi)
	if pi.LastError != nil {
		return pi, asFault(pi.LastError)
	}
	return pi, nil
}

// attempt returns the intent after an attempt with the card. The caller passes it to applyResult.
func (t *tx) attempt(pi intent, cardID string) intent {
	cd, ok := t.cards.get(cardID)
	var outcome ChargeOutcome
	pi.CardID, pi.LastError, pi.FailedAt, pi.AcceptedAt = cardID, nil, time.Time{}, time.Time{}
	switch {
	case !ok && t.config.HostedPaymentPage:
		pi.CardID, pi.Status = "", billing.RequiresPaymentMethod
		return pi
	case !ok:
		pi.CardID, pi.LastError = "", &missingMethodError
	case pi.Kind == kindPayment:
		outcome = t.takeNextCharge()
		pi.LastError = cmp.Or(chargeDeclines[outcome], cd.checkCharge(t.now))
	default:
		pi.LastError = cd.checkSave(t.now)
	}
	switch {
	case pi.LastError != nil:
		pi = t.fail(pi, pi.LastError)
	case cd.needsAuthentication(), outcome == ChargeNeedsAuthentication:
		pi.Status = billing.RequiresAction
	default:
		pi = t.acceptCharge(pi, cd)
	}
	return pi
}

// fail returns the intent after its last attempt failed.
func (t *tx) fail(pi intent, err *CardError) intent {
	pi.Status, pi.LastError, pi.FailedAt = billing.RequiresPaymentMethod, err, t.now
	return pi
}

// acceptCharge returns the intent after the card was charged. Its status is processing if the payment takes days, and
// otherwise succeeded.
func (t *tx) acceptCharge(pi intent, cd card) intent {
	pi.Status = billing.Succeeded
	t.recordFirstCharge(pi, cd)
	delay := t.config.SettlementDelay
	if cd.AccountLast4 != "" {
		delay = settlementDelay
	}
	if pi.Kind == kindPayment && delay > 0 {
		pi.Status, pi.AcceptedAt, pi.SettlesAt, pi.Debited = billing.Processing, t.now, t.now.Add(delay), cd
	}
	return pi
}

// recordFirstCharge stores the first charge of a card whose later charges are declined.
func (t *tx) recordFirstCharge(pi intent, cd card) {
	if pi.Kind == kindPayment && cd.Behaviour == testcards.SucceedsOnce {
		cd.Charged = true
		t.cards.put(cd)
	}
}

// authenticate returns the intent after the cardholder's authentication. The caller passes it to applyResult.
func (t *tx) authenticate(pi intent, complete bool) intent {
	if !complete {
		return t.fail(pi, newAuthenticationError(pi.Kind))
	}
	if cd, ok := t.cards.get(pi.CardID); ok {
		cd.Authenticated = true
		t.cards.put(cd)
	}
	return t.acceptCharge(pi, t.cards.rows[pi.CardID])
}

// applyResult stores the intent and updates its card, invoice and subscription.
func (t *tx) applyResult(pi intent) {
	t.intents.put(pi)
	if pi.Status == billing.Succeeded || pi.Status == billing.Processing {
		t.saveUsedCard(pi)
	}
	if pi.Kind == kindSetup {
		t.applySetupResult(pi)
		return
	}
	inv, s := t.recordAttempt(pi.InvoiceID), t.subscriptions.rows[pi.SubscriptionID]
	var processing time.Duration
	if s.PaymentProcessing {
		processing = t.now.Sub(pi.AcceptedAt)
	}
	switch pi.Status {
	case billing.Succeeded:
		inv.PaidWith = t.cards.rows[pi.CardID]
		if !pi.AcceptedAt.IsZero() {
			inv.PaidWith = pi.Debited
		}
		t.markInvoicePaid(inv, s)
	case billing.Processing:
		t.markPaymentProcessing(pi, s)
	case billing.RequiresAction:
		s.Subscription = s.PaymentFailed(t.now, processing)
		t.saveSubscription(s)
		t.emit("invoice.payment_action_required", invoiceObject(inv))
	default:
		s.Subscription = s.PaymentFailed(t.now, processing)
		t.saveSubscription(s)
		t.emit("invoice.payment_failed", invoiceObject(inv))
	}
}

// recordAttempt stores that the payment of the invoice was attempted, and returns the invoice. As at Stripe, only the first
// attempt and automatic retries are counted, see retry.
func (t *tx) recordAttempt(invoiceID string) invoice {
	inv := t.invoices.rows[invoiceID]
	if inv.AttemptCount == 0 {
		inv.AttemptCount = 1
		t.invoices.put(inv)
	}
	return inv
}

// saveUsedCard attaches the card of a successful intent, if it is not saved yet.
func (t *tx) saveUsedCard(pi intent) {
	c, customerExists := t.customers.get(pi.CustomerID)
	if cd, ok := t.cards.get(pi.CardID); ok && customerExists && cd.CustomerID == "" {
		t.attach(c, cd)
	}
}

func (t *tx) markInvoicePaid(inv invoice, s subscription) {
	surplus := t.applyDeductions(inv.Deductions)
	if c, ok := t.customers.get(inv.CustomerID); ok && surplus != 0 {
		t.saveCustomer(c.withCreditChange(surplus))
	}
	inv.Status, inv.PaidAt, inv.Deductions = invoicePaid, t.now, nil
	t.invoices.put(inv)
	t.emit("invoice.paid", invoiceObject(inv))
	if s.LatestInvoiceID != inv.ID || s.Status == billing.Canceled {
		return // an old invoice does not restore the subscription
	}
	if s.Pending.Invoice == inv.ID {
		s = t.cancelSetup(s)
	}
	s.Subscription = s.PaymentSucceeded(inv.ID, t.now)
	t.saveSubscription(s)
}

func (t *tx) applySetupResult(pi intent) {
	if pi.Status != billing.Succeeded {
		return
	}
	t.emit("setup_intent.succeeded", setupObject(pi))
	if c, ok := t.customers.get(pi.CustomerID); ok && pi.SubscriptionID == "" {
		t.setDefaultCard(c, pi.CardID) // a page has saved the card, see SetUpMethod
	}
	s := t.subscriptions.rows[pi.SubscriptionID]
	if s.SetupID == pi.ID {
		s.SetupID = ""
		t.saveSubscription(s)
	}
}

// SetUpMethod opens a setup intent. A test provider redirects the customer to its page. The page saves a payment method
// by confirming the intent, see Confirm. Without Config.HostedPaymentPage, SetUpMethod returns Unsupported.
func (p *Provider) SetUpMethod(ctx context.Context, req payment.MethodSetup) (billing.NextAction, error) {
	if !p.config.HostedPaymentPage {
		return payment.Unimplemented{}.SetUpMethod(ctx, req)
	}
	return runOnce(ctx, p, "set up method", req.Key, req, func(t *tx) (billing.NextAction, error) {
		c, err := t.customer(req.CustomerID)
		if err != nil {
			return billing.NextAction{}, err
		}
		id := newID(setupPrefix)
		pi := intent{
			ID: id, Kind: kindSetup, Secret: newID(id + secretInfix), CustomerID: c.ID, Status: billing.RequiresPaymentMethod,
			Created: t.now,
		}
		t.intents.put(pi)
		return billing.NextAction{Kind: billing.ConfirmSetup, Secret: pi.Secret}, nil
	})
}

// Intent returns the payment or setup intent with the client secret, or NotFound.
func (p *Provider) Intent(ctx context.Context, clientSecret string) (billing.Intent, error) {
	pi, _, err := p.readIntent(ctx, clientSecret)
	return billing.Intent{ID: pi.ID, Status: pi.Status, ClientSecret: pi.Secret}, err
}
