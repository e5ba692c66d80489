package fakepayment

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// EventDelivery determines how the provider delivers events, so that a receiver can be tested with the faults of a network.
type EventDelivery string

// The ways to deliver events.
const (
	EventsInOrder    EventDelivery = ""           // each once, in the order in which they happened
	EventsDuplicated EventDelivery = "duplicated" // each twice
	EventsDelayed    EventDelivery = "delayed"    // EventDelay after they happened
	EventsReordered  EventDelivery = "reordered"  // of the events that wait, the newest first
	EventsHeld       EventDelivery = "held"       // not at all
)

// EventDelay is the delay of EventsDelayed by the provider's clock.
const EventDelay = time.Minute

// ChargeOutcome replaces the outcome of a charge.
type ChargeOutcome string

// The outcomes of a charge.
const (
	ChargeByTestCard          ChargeOutcome = "" // that of the charged card or bank account
	ChargeDeclined            ChargeOutcome = "declined"
	ChargeInsufficientFunds   ChargeOutcome = "insufficient_funds"
	ChargeLostCard            ChargeOutcome = "lost_card"      // a hard decline
	ChargeNeedsAuthentication ChargeOutcome = "authentication" // the cardholder has to authenticate the payment
)

// chargeDeclines contains the errors of the outcomes that are declines.
var chargeDeclines = map[ChargeOutcome]*CardError{
	ChargeDeclined: &genericDecline, ChargeInsufficientFunds: &insufficientFundsDecline, ChargeLostCard: &lostCardDecline,
}

// controls changes the behaviour of the provider. They are not stored: a restart resets them.
type controls struct {
	eventDelivery EventDelivery
	nextCharge    ChargeOutcome
}

// takeNextCharge returns the outcome for the next charge, and resets it.
func (c *controls) takeNextCharge() ChargeOutcome {
	outcome := c.nextCharge
	c.nextCharge = ChargeByTestCard
	return outcome
}

// SetEventDelivery determines how events are delivered from now on, those that wait included. Drain does not wait for
// events that are held or delayed. A restart resets it to EventsInOrder. It returns Invalid for an unknown value.
func (p *Provider) SetEventDelivery(ctx context.Context, d EventDelivery) error {
	if !slices.Contains([]EventDelivery{EventsInOrder, EventsDuplicated, EventsDelayed, EventsReordered, EventsHeld}, d) {
		return fault.Newf(fault.Invalid, "There is no delivery of events called %q.", string(d))
	}
	return p.transact(ctx, func(t *tx) error {
		t.eventDelivery = d
		p.commits.wakeAll()
		return nil
	})
}

// SetNextCharge determines the outcome of the next charge of any customer; later charges depend on their cards again. A
// restart resets it to ChargeByTestCard. It returns Invalid for an unknown value.
func (p *Provider) SetNextCharge(ctx context.Context, outcome ChargeOutcome) error {
	if chargeDeclines[outcome] == nil && outcome != ChargeByTestCard && outcome != ChargeNeedsAuthentication {
		return fault.Newf(fault.Invalid, "There is no outcome of a charge called %q.", string(outcome))
	}
	return p.transact(ctx, func(t *tx) error {
		t.nextCharge = outcome
		return nil
	})
}

// CheckPay returns nil if the open invoice can be charged to the customer's default card, and otherwise the reason.
func (s Snapshot) CheckPay(invoiceID string) error {
	inv, err := s.t.requireOpenInvoice(invoiceID)
	if err == nil && s.t.customers.rows[inv.CustomerID].DefaultCardID == "" {
		err = fault.New(fault.Conflict, "The customer has no saved card.")
	}
	return err
}

// Refundable returns how much of the payment of the invoice can be refunded, or Conflict with the reason why nothing can.
func (s Snapshot) Refundable(invoiceID string) (money.Amount, error) {
	inv := s.t.invoices.rows[invoiceID]
	switch {
	case inv.amountPaid() == 0:
		return money.Amount{}, errNothingPaid()
	case inv.refundable() <= 0:
		return money.Amount{}, fault.New(fault.Conflict, "The whole payment was refunded or disputed.")
	}
	return amountOf(inv.refundable(), inv.Currency), nil
}

// CheckDispute returns nil if a dispute of the payment of the invoice can be opened, and otherwise Conflict with the reason.
func (s Snapshot) CheckDispute(invoiceID string) error {
	inv := s.t.invoices.rows[invoiceID]
	if inv.disputeStatus() == billing.DisputeOpen {
		return fault.New(fault.Conflict, "A dispute is open.")
	}
	return inv.checkDispute()
}

// CheckReturn returns nil if the customer's bank can return the payment of the invoice, and otherwise Conflict with the reason.
func (s Snapshot) CheckReturn(invoiceID string) error {
	inv := s.t.invoices.rows[invoiceID]
	switch {
	case s.t.isProcessing(invoiceID):
		return fault.New(fault.Conflict, "The payment has not arrived yet.")
	case inv.amountPaid() == 0:
		return errNothingPaid()
	case inv.PaidWith.AccountLast4 == "":
		return fault.New(fault.Conflict, "Only payments from bank accounts are returned.")
	case inv.Disputed:
		return fault.New(fault.Conflict, "The payment was disputed.")
	case inv.Refunded == inv.amountPaid():
		return fault.New(fault.Conflict, "The payment was refunded.")
	}
	return nil
}

// ReturnPayment returns the payment of an invoice from a bank account, as the customer's bank does. An invoice that paid for
// the current period is open again.
func (p *Provider) ReturnPayment(ctx context.Context, invoiceID string) error {
	return p.transact(ctx, func(t *tx) error {
		inv, ok := t.invoices.get(invoiceID)
		if !ok {
			return errNoInvoice()
		}
		if err := (Snapshot{t}).CheckReturn(invoiceID); err != nil {
			return err
		}
		t.returnToBank(t.intents.rows[inv.PaymentID])
		return nil
	})
}

// EventDelivery returns how events are delivered.
func (s Snapshot) EventDelivery() EventDelivery { return s.t.eventDelivery }

// NextCharge returns the outcome of the next charge.
func (s Snapshot) NextCharge() ChargeOutcome { return s.t.nextCharge }

// WaitingEvent is an event that has not been delivered.
type WaitingEvent struct {
	Type      string // as at Stripe
	CreatedAt time.Time
}

// WaitingEvents returns the events that have not been delivered, oldest first.
func (s Snapshot) WaitingEvents() (events []WaitingEvent) {
	for _, id := range s.t.outbox {
		body := s.t.events.rows[id].body()
		events = append(events, WaitingEvent{body.Type, time.Unix(body.Created, 0).UTC()})
	}
	return events
}

// body returns the decoded payload. The payload was encoded by emit, so it can be decoded.
func (e event) body() (body eventBody) {
	if err := json.Unmarshal(e.Payload, &body); err != nil {
		return eventBody{}
	}
	return body
}

// DueStep is an upcoming step of a subscription or a payment.
type DueStep struct {
	At         time.Time
	CustomerID string
	Text       string // such as "Trial ends"
}

// DueSteps returns the upcoming steps of subscriptions and payments, the first one first.
func (s Snapshot) DueSteps() (steps []DueStep) {
	for _, sub := range s.t.subscriptions.rows {
		if step, at := sub.NextStep(); !at.IsZero() {
			steps = append(steps, DueStep{at, sub.CustomerID, stepText(sub, step)})
		}
	}
	for _, pi := range s.t.intents.rows {
		if pi.Status == billing.Processing {
			steps = append(steps, DueStep{pi.SettlesAt, pi.CustomerID, "Payment arrives or fails"})
		}
		if at := returnTime(pi); at.After(s.t.now) && s.CheckReturn(pi.InvoiceID) == nil {
			steps = append(steps, DueStep{at, pi.CustomerID, "Bank returns the payment"})
		}
	}
	slices.SortStableFunc(steps, func(x, y DueStep) int { return x.At.Compare(y.At) })
	return steps
}

func stepText(s subscription, step engine.Step) string {
	isTrial := s.Status == billing.Trialing
	switch {
	case step == engine.StepRenew && isTrial:
		return "Trial ends, first charge"
	case step == engine.StepRenew:
		return "Period ends, renewal"
	case step == engine.StepEnd && isTrial:
		return "Trial ends, plan ends"
	case step == engine.StepEnd:
		return "Period ends, plan ends"
	case step == engine.StepRetry:
		return "Unpaid invoice is charged again"
	case step == engine.StepEndUnpaid:
		return "Plan ends, because it is not paid"
	case step == engine.StepExpire:
		return "First payment expires"
	}
	return "Pending plan change expires"
}
