package fakepayment

import (
	"context"
	"crypto/subtle"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Outcome is the result of the cardholder's authentication.
type Outcome string

// The outcomes. NoOutcome attempts the intent without an authentication.
const (
	NoOutcome Outcome = ""
	Complete  Outcome = "complete"
	Fail      Outcome = "fail"
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
	after, _, err := p.confirm(ctx, req)
	if err != nil {
		return billing.Intent{}, err
	}
	return billing.Intent{ID: after.ID, Status: after.Status, ClientSecret: after.Secret}, nil
}

// confirm returns the updated intent and its card also when the card was declined.
func (p *Provider) confirm(ctx context.Context, req Confirmation) (after intent, used card, err error) {
	err = p.transact(ctx, func(t *tx) error {
		after, err = t.intentBySecret(req.ClientSecret)
		if err != nil {
			return err
		}
		after, err = t.confirm(after, req)
		used = t.cards.rows[after.Card]
		return err
	})
	return after, used, err
}

// intentBySecret returns the intent of a client secret and its card.
func (p *Provider) intentBySecret(ctx context.Context, secret string) (found intent, used card, err error) {
	err = p.transact(ctx, func(t *tx) error {
		found, err = t.intentBySecret(secret)
		used = t.cards.rows[found.Card]
		return err
	})
	return found, used, err
}

func (t *tx) intentBySecret(secret string) (intent, error) {
	id, _, _ := strings.Cut(secret, secretInfix)
	pi, known := t.intents.get(id)
	if !known || subtle.ConstantTimeCompare([]byte(pi.Secret), []byte(secret)) != 1 {
		return intent{}, fault.New(fault.NotFound, "There is no such intent.")
	}
	return pi, nil
}

func (t *tx) confirm(pi intent, c Confirmation) (intent, error) {
	waiting := pi.Status == billing.RequiresAction
	switch {
	case pi.Status == billing.Succeeded, pi.Status == billing.Processing:
		return pi, nil
	case waiting && c.Outcome != NoOutcome:
		pi = t.authenticate(pi, c.Outcome == Complete)
		t.settle(pi)
		return pi, nil
	case pi.Status == billing.IntentCanceled, c.Outcome != NoOutcome:
		return pi, fault.New(fault.Conflict, "This intent can't be confirmed: its status is "+string(pi.Status)+".")
	case waiting && c.MethodID == "":
		return pi, nil
	}
	return t.confirmWith(pi, c.MethodID)
}

// confirmWith attempts the intent with a card, by default the customer's default one.
func (t *tx) confirmWith(pi intent, cardID string) (intent, error) {
	c := t.customers.rows[pi.Customer]
	if cardID == "" {
		cardID = c.Default
	} else if _, err := t.cardFor(c, cardID); err != nil {
		return pi, err
	}
	pi = t.attempt(pi, cardID)
	t.settle(pi)
	if pi.Problem != nil {
		return pi, pi.Problem.asFault()
	}
	return pi, nil
}

// attempt returns the intent after an attempt with the card. settle applies the consequences.
func (t *tx) attempt(pi intent, cardID string) intent {
	found, known := t.cards.get(cardID)
	pi.Card, pi.Problem, pi.AcceptedAt = cardID, nil, time.Time{}
	switch {
	case !known && t.payLater:
		pi.Card, pi.Status = "", billing.RequiresPaymentMethod
		return pi
	case !known:
		pi.Card, pi.Problem = "", &noCard
	case pi.Kind == kindPayment:
		pi.Problem = found.checkCharge(t.now)
	default:
		pi.Problem = found.checkSave(t.now)
	}
	switch {
	case pi.Problem != nil:
		pi.Status = billing.RequiresPaymentMethod
	case found.needsAuthentication():
		pi.Status = billing.RequiresAction
	default:
		pi = t.accept(pi, found)
	}
	return pi
}

// accept returns the intent after the card was charged: succeeded, or processing if the payment takes days.
func (t *tx) accept(pi intent, used card) intent {
	pi.Status = billing.Succeeded
	t.recordCharge(pi, used)
	delay := t.settlement
	if used.Account != "" {
		delay = settlementTime
	}
	if pi.Kind == kindPayment && delay > 0 {
		pi.Status, pi.AcceptedAt, pi.SettlesAt = billing.Processing, t.now, t.now.Add(delay)
	}
	return pi
}

// recordCharge stores the first charge of a card whose later charges are declined.
func (t *tx) recordCharge(pi intent, used card) {
	if pi.Kind == kindPayment && used.Behaviour == succeedsOnce {
		used.Charged = true
		t.cards.put(used)
	}
}

// authenticate returns the intent after the cardholder's authentication. settle applies the
// consequences.
func (t *tx) authenticate(pi intent, passed bool) intent {
	if !passed {
		pi.Status, pi.Problem = billing.RequiresPaymentMethod, authenticationFailed(pi.Kind)
		return pi
	}
	if found, known := t.cards.get(pi.Card); known {
		found.Authenticated = true
		t.cards.put(found)
	}
	return t.accept(pi, t.cards.rows[pi.Card])
}

// settle stores the intent and updates its card, invoice and subscription.
func (t *tx) settle(pi intent) {
	t.intents.put(pi)
	if pi.Status == billing.Succeeded || pi.Status == billing.Processing {
		t.saveUsedCard(pi)
	}
	if pi.Kind == kindSetup {
		t.settleSetup(pi)
		return
	}
	inv, s := t.invoices.rows[pi.Invoice], t.subscriptions.rows[pi.Subscription]
	switch pi.Status {
	case billing.Succeeded:
		inv.PaidWith = t.cards.rows[pi.Card]
		t.settlePaid(inv, s)
	case billing.Processing:
		t.settleAccepted(pi, s)
	case billing.RequiresAction:
		s.Subscription = s.PaymentFailed(t.now)
		t.saveSubscription(s)
		t.emit("invoice.payment_action_required", invoiceObject(inv))
	default:
		s.Subscription = s.PaymentFailed(t.now)
		t.saveSubscription(s)
		t.emit("invoice.payment_failed", invoiceObject(inv))
	}
}

// saveUsedCard attaches the card of a successful intent, if it is not saved yet.
func (t *tx) saveUsedCard(pi intent) {
	c, known := t.customers.get(pi.Customer)
	if found, exists := t.cards.get(pi.Card); known && exists && found.Customer == "" {
		t.attach(c, found)
	}
}

func (t *tx) settlePaid(inv invoice, s subscription) {
	inv.Status, inv.PaidAt = invoicePaid, t.now
	t.invoices.put(inv)
	t.emit("invoice.paid", invoiceObject(inv))
	if s.Invoice != inv.ID || s.Status == billing.Canceled {
		return // an old invoice does not restore the subscription
	}
	if s.Pending.Invoice == inv.ID {
		s = t.cancelSetup(s)
	}
	s.Subscription = s.PaymentSucceeded(inv.ID, t.now)
	t.saveSubscription(s)
}

func (t *tx) settleSetup(pi intent) {
	if pi.Status != billing.Succeeded {
		return
	}
	t.emit("setup_intent.succeeded", setupObject(pi))
	if c, known := t.customers.get(pi.Customer); known && pi.Subscription == "" {
		t.makeDefault(c, pi.Card) // set up on a page, see SetUpMethod
	}
	s := t.subscriptions.rows[pi.Subscription]
	if s.Setup == pi.ID {
		s.Setup = ""
		t.saveSubscription(s)
	}
}
