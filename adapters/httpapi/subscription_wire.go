package httpapi

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

type subscriptionWire struct {
	ID                 string             `json:"id"`
	Status             billing.Status     `json:"status"`
	PriceID            string             `json:"priceId"`
	Currency           string             `json:"currency"`
	LatestInvoice      *invoiceWire       `json:"latest_invoice"`
	PendingSetupIntent *intentWire        `json:"pending_setup_intent"`
	PendingChange      *pendingChangeWire `json:"pending_change"`
	subscriptionScheduleWire
}

// subscriptionScheduleWire contains the next events of a subscription, such as its next charge and a scheduled change or
// end, and the hold or pause that delays them.
type subscriptionScheduleWire struct {
	ScheduledChange *scheduledChangeWire `json:"scheduled_change"`
	EndsAt          *time.Time           `json:"ends_at"`
	PlanEndsAt      *time.Time           `json:"plan_ends_at"`
	Hold            *billing.Hold        `json:"hold"`
	Pause           *pauseWire           `json:"pause,omitempty"`
	NextChargeAt    *time.Time           `json:"next_charge_at"`
	InvoiceDueAt    *time.Time           `json:"invoice_due_at,omitempty"`
	Managed         bool                 `json:"managed,omitempty"`
	DueInvoice      *dueInvoiceWire      `json:"invoiced"`
}

type scheduledChangeWire struct {
	PriceID  string             `json:"priceId"`
	Product  string             `json:"product"`
	Interval catalogue.Interval `json:"interval"`
	Currency string             `json:"currency"`
	Amount   *int64             `json:"amount"` // in minor units
	At       time.Time          `json:"at"`
}

// purchaseWire is the response to a payment. It contains the subscription, the outcome and the customer's next action.
type purchaseWire struct {
	subscriptionWire
	Outcome         billing.Outcome      `json:"outcome"`
	Next            *nextActionWire      `json:"next"`
	QuoteDifference *quoteDifferenceWire `json:"charged_differs,omitempty"`
}

// quoteDifferenceWire reports a charge that differs from its quote.
type quoteDifferenceWire struct {
	Quoted  moneyWire `json:"quoted"`
	Charged moneyWire `json:"charged"`
}

type nextActionWire struct {
	Kind         billing.NextActionKind `json:"kind"`
	Secret       string                 `json:"secret,omitempty"`
	URL          string                 `json:"url,omitempty"`
	Instructions []instructionWire      `json:"instructions"`
	Invoice      string                 `json:"invoice"`
	Until        *time.Time             `json:"until"`
	Reason       string                 `json:"reason"`
	// ReportedAt is when the customer reported to have paid the invoice by bank transfer.
	ReportedAt *time.Time `json:"reportedAt,omitempty"`
	// RemindersPausedUntil is in the future.
	RemindersPausedUntil *time.Time `json:"remindersPausedUntil,omitempty"`
}

type instructionWire struct {
	Label  string     `json:"label"`
	Value  string     `json:"value"`
	Amount *moneyWire `json:"amount,omitempty"`
}

func toInstructionWire(i billing.Instruction) instructionWire {
	wire := instructionWire{Label: i.Label, Value: i.Value}
	if i.Amount != (money.Amount{}) {
		wire.Amount = new(toMoneyWire(i.Amount, i.Amount.Currency().Code))
	}
	return wire
}

type pendingChangeWire struct {
	PriceID   string             `json:"priceId"`
	Product   string             `json:"product"`
	Interval  catalogue.Interval `json:"interval"`
	Currency  string             `json:"currency"`
	InvoiceID string             `json:"invoiceId"`
	Amount    int64              `json:"amount"` // in minor units
	ExpiresAt *time.Time         `json:"expires_at"`
	// Replaces is the scheduled change that stays in effect if this change is not paid.
	Replaces *scheduledChangeWire `json:"replaces"`
}

type invoiceWire struct {
	ID            string      `json:"id"`
	PaymentIntent *intentWire `json:"payment_intent"`
}

type intentWire struct {
	ID           string               `json:"id"`
	Status       billing.IntentStatus `json:"status"`
	ClientSecret string               `json:"client_secret"`
}

func toSubscriptionWire(s billing.Subscription) subscriptionWire {
	wire := subscriptionWire{
		ID: s.ID, Status: s.Status, PriceID: s.Price.PriceID(), Currency: s.Price.Currency,
		PendingSetupIntent: toIntentWire(s.PendingSetup), PendingChange: toPendingChangeWire(s.Pending),
		subscriptionScheduleWire: toSubscriptionScheduleWire(s),
	}
	if s.LatestInvoice != nil {
		wire.LatestInvoice = &invoiceWire{ID: s.LatestInvoice.ID, PaymentIntent: toIntentWire(s.LatestInvoice.Payment)}
	}
	return wire
}

// pauseWire is a pause of the automatic charges.
type pauseWire struct {
	Until *time.Time `json:"until"`
}

// toPauseWire returns nil if the charges are not paused.
func toPauseWire(p *billing.Pause) *pauseWire {
	if p == nil {
		return nil
	}
	return &pauseWire{Until: timestamp(p.Until)}
}

// toHoldWire returns nil for no hold.
func toHoldWire(h billing.Hold) *billing.Hold {
	if h == billing.NoHold {
		return nil
	}
	return &h
}

func toSubscriptionScheduleWire(s billing.Subscription) subscriptionScheduleWire {
	return subscriptionScheduleWire{
		ScheduledChange: toScheduledChangeWire(s.Scheduled), EndsAt: timestamp(s.EndsAt), PlanEndsAt: timestamp(s.UnpaidEndsAt),
		Hold: toHoldWire(s.Hold), Pause: toPauseWire(s.Pause),
		NextChargeAt: timestamp(s.NextChargeAt()), InvoiceDueAt: timestamp(s.NextInvoiceDueAt()), Managed: s.Managed,
		DueInvoice: toDueInvoiceWire(s),
	}
}

func toScheduledChangeWire(c *billing.ScheduledChange) *scheduledChangeWire {
	if c == nil {
		return nil
	}
	return &scheduledChangeWire{
		PriceID: c.To.PriceID(), Product: c.To.Product, Interval: c.To.Interval, Currency: c.To.Currency,
		Amount: minorUnits(c.Amount), At: c.At.UTC(),
	}
}

// toPurchaseWire returns the response to a payment. In the specification, active and trialing mean success, so the status
// is incomplete while a plan change waits for its payment. Meanwhile all other fields describe the unchanged
// subscription.
func toPurchaseWire(s billing.Subscription, outcome billing.Outcome) purchaseWire {
	wire := purchaseWire{subscriptionWire: toSubscriptionWire(s), Outcome: outcome, Next: toNextActionWire(s.Next)}
	if s.Pending != nil {
		wire.Status = billing.Incomplete
	}
	if d := s.QuoteDifference; d != nil {
		currency := d.Charged.Currency().Code
		wire.QuoteDifference = &quoteDifferenceWire{toMoneyWire(d.Quoted, currency), toMoneyWire(d.Charged, currency)}
	}
	return wire
}

func toNextActionWire(n billing.NextAction) *nextActionWire {
	if n.Kind == billing.NoAction {
		return nil
	}
	return &nextActionWire{
		Kind: n.Kind, Secret: n.Secret, URL: n.URL, Invoice: n.InvoiceID, Until: timestamp(n.Until), Reason: n.Reason,
		Instructions: mapEach(n.Instructions, toInstructionWire),
	}
}

// toAccountNextActionWire returns the account's next action with the customer's report of a transfer for its invoice.
func toAccountNextActionWire(acc *billing.Account, now time.Time) *nextActionWire {
	wire := toNextActionWire(acc.NextAction())
	if wire == nil {
		return nil
	}
	if pausedUntil := acc.TransferReport.RemindersPausedUntil(wire.Invoice); !pausedUntil.IsZero() {
		wire.ReportedAt = timestamp(acc.TransferReport.At)
		if now.Before(pausedUntil) {
			wire.RemindersPausedUntil = timestamp(pausedUntil)
		}
	}
	return wire
}

func toPendingChangeWire(p *billing.PendingChange) *pendingChangeWire {
	if p == nil {
		return nil
	}
	return &pendingChangeWire{
		PriceID: p.To.PriceID(), Product: p.To.Product, Interval: p.To.Interval, Currency: p.To.Currency,
		InvoiceID: p.InvoiceID, Amount: p.Amount.Minor(), ExpiresAt: timestamp(p.ExpiresAt),
		Replaces: toScheduledChangeWire(p.Replaces),
	}
}

func toIntentWire(i *billing.Intent) *intentWire {
	if i == nil {
		return nil
	}
	return &intentWire{ID: i.ID, Status: i.Status, ClientSecret: i.ClientSecret}
}
