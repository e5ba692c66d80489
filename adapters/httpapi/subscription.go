package httpapi

import (
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
}

type subscriptionWire struct {
	ID                 string             `json:"id"`
	Status             billing.Status     `json:"status"`
	PriceID            string             `json:"priceId"`
	Currency           string             `json:"currency"`
	LatestInvoice      *invoiceWire       `json:"latest_invoice"`
	PendingSetupIntent *intentWire        `json:"pending_setup_intent"`
	PendingChange      *pendingChangeWire `json:"pending_change"`
}

type pendingChangeWire struct {
	PriceID   string             `json:"priceId"`
	Product   string             `json:"product"`
	Interval  catalogue.Interval `json:"interval"`
	Currency  string             `json:"currency"`
	InvoiceID string             `json:"invoiceId"`
	Amount    int64              `json:"amount"` // in minor units
	ExpiresAt *time.Time         `json:"expires_at"`
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
	in, err := decode[subscribeWire](r)
	if err != nil {
		return err
	}
	sub, err := a.UseCases.Subscribe.Do(r.Context(), who, app.SubscribeRequest{
		CustomerID: in.CustomerID, CardID: in.PaymentMethodID,
		Price: app.PriceChoice(in.priceChoiceWire), NoTrial: in.NoTrial,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toSubscriptionWire(sub))
}

func (a *api) changePlan(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	in, err := decode[priceChoiceWire](r)
	if err != nil {
		return err
	}
	sub, err := a.UseCases.ChangePlan.Do(r.Context(), who, app.PriceChoice(in))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPurchaseWire(sub))
}

func (a *api) listSubscriptions(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	in, err := decodeOptional[struct {
		Status billing.Status `json:"status"`
	}](r)
	if err != nil {
		return err
	}
	if err := checkStatus(in.Status); err != nil {
		return err
	}
	subs, err := a.UseCases.ListSubscriptions.Do(r.Context(), who, in.Status)
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
	}
	if s.LatestInvoice != nil {
		wire.LatestInvoice = &invoiceWire{ID: s.LatestInvoice.ID, PaymentIntent: toIntentWire(s.LatestInvoice.Payment)}
	}
	return wire
}

// toPurchaseWire is toSubscriptionWire for the response to a payment. The specification reads active
// and trialing as success, so a change that still waits for its payment is reported as incomplete;
// everything else reports the license, which has not changed.
func toPurchaseWire(s billing.Subscription) subscriptionWire {
	wire := toSubscriptionWire(s)
	if s.Pending != nil {
		wire.Status = billing.Incomplete
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
	}
}

func toIntentWire(i *billing.Intent) *intentWire {
	if i == nil {
		return nil
	}
	return &intentWire{ID: i.ID, Status: i.Status, ClientSecret: i.ClientSecret}
}
