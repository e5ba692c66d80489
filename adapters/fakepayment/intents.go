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

// Confirm does what Stripe.js does with a client secret and returns the updated intent. It returns
// Declined for a declined card, NotFound for an unknown secret or card, and Conflict if the status
// does not allow the confirmation.
func (p *Provider) Confirm(ctx context.Context, in Confirmation) (billing.Intent, error) {
	after, _, err := p.confirm(ctx, in)
	if err != nil {
		return billing.Intent{}, err
	}
	return billing.Intent{ID: after.ID, Status: after.Status, ClientSecret: after.Secret}, nil
}

// confirm returns the updated intent and its card also when the card was declined.
func (p *Provider) confirm(ctx context.Context, in Confirmation) (after intent, used card, err error) {
	err = p.transact(ctx, func(t *tx) error {
		after, err = t.intentBySecret(in.ClientSecret)
		if err != nil {
			return err
		}
		after, err = t.confirm(after, in)
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
	in, known := t.intents.get(id)
	if !known || subtle.ConstantTimeCompare([]byte(in.Secret), []byte(secret)) != 1 {
		return intent{}, fault.New(fault.NotFound, "There is no such intent.")
	}
	return in, nil
}

func (t *tx) confirm(in intent, c Confirmation) (intent, error) {
	waiting := in.Status == billing.RequiresAction
	switch {
	case in.Status == billing.Succeeded, in.Status == billing.Processing:
		return in, nil
	case waiting && c.Outcome != NoOutcome:
		in = t.authenticate(in, c.Outcome == Complete)
		t.settle(in)
		return in, nil
	case in.Status == billing.IntentCanceled, c.Outcome != NoOutcome:
		return in, fault.New(fault.Conflict, "This intent can't be confirmed: its status is "+string(in.Status)+".")
	case waiting && c.MethodID == "":
		return in, nil
	}
	return t.confirmWith(in, c.MethodID)
}

// confirmWith attempts the intent with a card, by default the customer's default one.
func (t *tx) confirmWith(in intent, cardID string) (intent, error) {
	c := t.customers.rows[in.Customer]
	if cardID == "" {
		cardID = c.Default
	} else if _, err := t.cardFor(c, cardID); err != nil {
		return in, err
	}
	in = t.attempt(in, cardID)
	t.settle(in)
	if in.Problem != nil {
		return in, in.Problem.asFault()
	}
	return in, nil
}

// attempt returns the intent after an attempt with the card. settle applies the consequences.
func (t *tx) attempt(in intent, cardID string) intent {
	found, known := t.cards.get(cardID)
	in.Card, in.Problem, in.AcceptedAt = cardID, nil, time.Time{}
	switch {
	case !known && t.payLater:
		in.Card, in.Status = "", billing.RequiresPaymentMethod
		return in
	case !known:
		in.Card, in.Problem = "", &noCard
	case in.Kind == kindPayment:
		in.Problem = found.checkCharge(t.now)
	default:
		in.Problem = found.checkSave(t.now)
	}
	switch {
	case in.Problem != nil:
		in.Status = billing.RequiresPaymentMethod
	case found.needsAuthentication():
		in.Status = billing.RequiresAction
	default:
		in = t.accept(in, found)
	}
	return in
}

// accept returns the intent after the card was charged: succeeded, or processing if the payment takes days.
func (t *tx) accept(in intent, used card) intent {
	in.Status = billing.Succeeded
	t.noteCharge(in, used)
	takes := t.settlement
	if used.Account != "" {
		takes = settlementTime
	}
	if in.Kind == kindPayment && takes > 0 {
		in.Status, in.AcceptedAt, in.SettlesAt = billing.Processing, t.now, t.now.Add(takes)
	}
	return in
}

// noteCharge remembers the first charge of a card that is declined from then on.
func (t *tx) noteCharge(in intent, used card) {
	if in.Kind == kindPayment && used.Behaviour == succeedsOnce {
		used.Charged = true
		t.cards.put(used)
	}
}

// authenticate returns the intent after the cardholder's authentication. settle applies the
// consequences.
func (t *tx) authenticate(in intent, passed bool) intent {
	if !passed {
		in.Status, in.Problem = billing.RequiresPaymentMethod, authenticationFailed(in.Kind)
		return in
	}
	if found, known := t.cards.get(in.Card); known {
		found.Authenticated = true
		t.cards.put(found)
	}
	return t.accept(in, t.cards.rows[in.Card])
}

// settle stores the intent and updates its card, invoice and subscription.
func (t *tx) settle(in intent) {
	t.intents.put(in)
	if in.Status == billing.Succeeded || in.Status == billing.Processing {
		t.saveUsedCard(in)
	}
	if in.Kind == kindSetup {
		t.settleSetup(in)
		return
	}
	inv, s := t.invoices.rows[in.Invoice], t.subscriptions.rows[in.Subscription]
	switch in.Status {
	case billing.Succeeded:
		inv.PaidWith = t.cards.rows[in.Card]
		t.settlePaid(inv, s)
	case billing.Processing:
		t.settleAccepted(in, s)
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
func (t *tx) saveUsedCard(in intent) {
	c, known := t.customers.get(in.Customer)
	if found, exists := t.cards.get(in.Card); known && exists && found.Customer == "" {
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
	s.Subscription = s.Paid(inv.ID, t.now)
	t.saveSubscription(s)
}

func (t *tx) settleSetup(in intent) {
	if in.Status != billing.Succeeded {
		return
	}
	t.emit("setup_intent.succeeded", setupObject(in))
	s := t.subscriptions.rows[in.Subscription]
	if s.Setup == in.ID {
		s.Setup = ""
		t.saveSubscription(s)
	}
}
