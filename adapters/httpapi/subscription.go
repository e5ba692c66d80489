package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

type priceChoiceWire struct {
	PriceID  string `json:"priceId"`
	Interval string `json:"interval"`
	Currency string `json:"currency"`
}

type subscribeWire struct {
	priceChoiceWire
	CustomerID      string `json:"customerId"`
	PaymentMethodID string `json:"paymentMethodId"`
	NoTrial         bool   `json:"no_trial"`
	Quote           string `json:"quote"`
	retryWire
}

type changePlanWire struct {
	priceChoiceWire
	When  whenWire `json:"when"`
	Quote string   `json:"quote"`
	retryWire
}

// retryWire names the invoice of an earlier attempt that was declined, if the front end remembers one.
type retryWire struct {
	RetryInvoiceID string `json:"retryInvoiceId"`
}

type subscriptionWire struct {
	ID                 string             `json:"id"`
	Status             billing.Status     `json:"status"`
	PriceID            string             `json:"priceId"`
	Currency           string             `json:"currency"`
	LatestInvoice      *invoiceWire       `json:"latest_invoice"`
	PendingSetupIntent *intentWire        `json:"pending_setup_intent"`
	PendingChange      *pendingChangeWire `json:"pending_change"`
	continuationWire
}

// continuationWire describes how a subscription continues.
type continuationWire struct {
	ScheduledChange *scheduledChangeWire `json:"scheduled_change"`
	EndsAt          *time.Time           `json:"ends_at"`
	PlanEndsAt      *time.Time           `json:"plan_ends_at"`
	Hold            *billing.Hold        `json:"hold"`
	Pause           *pauseWire           `json:"pause,omitempty"`
	NextChargeAt    *time.Time           `json:"next_charge_at"`
	Invoiced        *invoicedWire        `json:"invoiced"`
}

type scheduledChangeWire struct {
	PriceID  string             `json:"priceId"`
	Product  string             `json:"product"`
	Interval catalogue.Interval `json:"interval"`
	Currency string             `json:"currency"`
	Amount   *int64             `json:"amount"` // in minor units
	At       time.Time          `json:"at"`
}

// purchaseWire is the response to a payment: the subscription, with the outcome and what the customer
// has to do next.
type purchaseWire struct {
	subscriptionWire
	Outcome        billing.Outcome     `json:"outcome"`
	Next           *nextActionWire     `json:"next"`
	ChargedDiffers *chargedDiffersWire `json:"charged_differs,omitempty"`
}

// chargedDiffersWire is a charge of another amount than quoted.
type chargedDiffersWire struct {
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
}

type instructionWire struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

type pendingChangeWire struct {
	PriceID   string             `json:"priceId"`
	Product   string             `json:"product"`
	Interval  catalogue.Interval `json:"interval"`
	Currency  string             `json:"currency"`
	InvoiceID string             `json:"invoiceId"`
	Amount    int64              `json:"amount"` // in minor units
	ExpiresAt *time.Time         `json:"expires_at"`
	// Replaces is the scheduled change that stays if this one is not made.
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

func (a *api) subscribe(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	req, err := decode[subscribeWire](r)
	if err != nil {
		return err
	}
	sub, err := a.UseCases.Subscribe.Do(r.Context(), who, app.SubscribeRequest{
		CustomerID: req.CustomerID, MethodID: req.PaymentMethodID,
		Price: app.PriceChoice(req.priceChoiceWire), NoTrial: req.NoTrial, Quote: req.Quote,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPurchaseWire(sub, billing.Decide(sub, req.retries(sub))))
}

func (a *api) changePlan(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	req, err := decode[changePlanWire](r)
	if err != nil {
		return err
	}
	when, err := req.When.parse()
	if err != nil {
		return err
	}
	sub, err := a.UseCases.ChangePlan.Do(r.Context(), who, app.ChangeRequest{
		PriceChoice: app.PriceChoice(req.priceChoiceWire), When: when, Quote: req.Quote,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPurchaseWire(sub, billing.Decide(sub, req.retries(sub))))
}

func (a *api) endSubscription(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	req, err := decodeOptional[struct {
		Reason  billing.EndReason `json:"reason"`
		Comment string            `json:"comment"`
	}](r)
	if err != nil {
		return err
	}
	sub, err := a.UseCases.EndSubscription.Do(r.Context(), who, app.EndRequest{Reason: req.Reason, Comment: req.Comment})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toSubscriptionWire(sub))
}

func (a *api) cancelPendingChange(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	return changeSubscription(w, r, who, a.UseCases.CancelPendingChange.Do)
}

func (a *api) cancelScheduledChange(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	return changeSubscription(w, r, who, a.UseCases.CancelScheduledChange.Do)
}

func (a *api) resumeSubscription(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	return changeSubscription(w, r, who, a.UseCases.ResumeSubscription.Do)
}

// changeSubscription calls a use case that needs no parameters.
func changeSubscription(
	w http.ResponseWriter, r *http.Request, who identity.Identity,
	do func(context.Context, identity.Identity) (billing.Subscription, error),
) error {
	if _, err := decodeOptional[empty](r); err != nil {
		return err
	}
	sub, err := do(r.Context(), who)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toSubscriptionWire(sub))
}

func (a *api) listSubscriptions(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	req, err := decodeOptional[struct {
		Status billing.Status `json:"status"`
	}](r)
	if err != nil {
		return err
	}
	if err := checkStatus(req.Status); err != nil {
		return err
	}
	subs, err := a.UseCases.ListSubscriptions.Do(r.Context(), who, req.Status)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, list[subscriptionWire]{Data: mapEach(subs, toSubscriptionWire)})
}

func checkStatus(s billing.Status) error {
	var fields fault.Fields
	fields.Check(s == "" || s == billing.Incomplete || s.Live() || s.Ended(), "status", "Unknown status")
	return fields.Err()
}

func toSubscriptionWire(s billing.Subscription) subscriptionWire {
	wire := subscriptionWire{
		ID: s.ID, Status: s.Status, PriceID: s.Price.PriceID(), Currency: s.Price.Currency,
		PendingSetupIntent: toIntentWire(s.PendingSetup), PendingChange: toPendingChangeWire(s.Pending),
		continuationWire: toContinuationWire(s),
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

// toPauseWire returns nil without a pause.
func toPauseWire(p *billing.Pause) *pauseWire {
	if p == nil {
		return nil
	}
	return &pauseWire{Until: timestamp(p.Until)}
}

// toHoldWire returns nil without a hold, and for one that has no effect any more.
func toHoldWire(h billing.Hold) *billing.Hold {
	if h != billing.HoldDisputed {
		return nil
	}
	return &h
}

func toContinuationWire(s billing.Subscription) continuationWire {
	return continuationWire{
		ScheduledChange: toScheduledChangeWire(s.Scheduled), EndsAt: timestamp(s.EndsAt), PlanEndsAt: timestamp(s.PlanEndsAt),
		Hold: toHoldWire(s.Hold), Pause: toPauseWire(s.Pause),
		NextChargeAt: timestamp(s.NextChargeAt()), Invoiced: toInvoicedWire(s),
	}
}

func toScheduledChangeWire(c *billing.ScheduledChange) *scheduledChangeWire {
	if c == nil {
		return nil
	}
	return &scheduledChangeWire{
		PriceID: c.To.PriceID(), Product: c.To.Product, Interval: c.To.Interval, Currency: c.To.Currency,
		Amount: priceWire(c.Amount), At: c.At.UTC(),
	}
}

// retries reports whether the latest invoice is the declined one.
func (req retryWire) retries(s billing.Subscription) bool {
	return req.RetryInvoiceID != "" && s.LatestInvoice != nil && s.LatestInvoice.ID == req.RetryInvoiceID
}

// toPurchaseWire returns the response to a payment. The specification reads active and trialing as
// success, so a change that still waits for its payment is reported as incomplete; everything else
// reports the license, which has not changed.
func toPurchaseWire(s billing.Subscription, outcome billing.Outcome) purchaseWire {
	wire := purchaseWire{subscriptionWire: toSubscriptionWire(s), Outcome: outcome, Next: toNextActionWire(s.Next)}
	if s.Pending != nil {
		wire.Status = billing.Incomplete
	}
	if d := s.QuoteDifference; d != nil {
		currency := d.Charged.Currency().Code
		wire.ChargedDiffers = &chargedDiffersWire{toMoneyWire(d.Quoted, currency), toMoneyWire(d.Charged, currency)}
	}
	return wire
}

func toNextActionWire(n billing.NextAction) *nextActionWire {
	if n.Kind == billing.NoAction {
		return nil
	}
	return &nextActionWire{
		Kind: n.Kind, Secret: n.Secret, URL: n.URL, Invoice: n.InvoiceID, Until: timestamp(n.Until), Reason: n.Reason,
		Instructions: mapEach(n.Instructions, func(i billing.Instruction) instructionWire { return instructionWire(i) }),
	}
}

func toPendingChangeWire(p *billing.PendingChange) *pendingChangeWire {
	if p == nil {
		return nil
	}
	return &pendingChangeWire{
		PriceID: p.To.PriceID(), Product: p.To.Product, Interval: p.To.Interval, Currency: p.To.Currency,
		InvoiceID: p.InvoiceID, Amount: p.Amount.Minor(), ExpiresAt: timestamp(p.ExpiresAt), Replaces: toScheduledChangeWire(p.Replaces),
	}
}

func toIntentWire(i *billing.Intent) *intentWire {
	if i == nil {
		return nil
	}
	return &intentWire{ID: i.ID, Status: i.Status, ClientSecret: i.ClientSecret}
}
