package httpapi

import (
	"net/http"
	"slices"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

// expandDefaultMethod is the value of "expand" that requests the default payment method instead of its ID.
const expandDefaultMethod = "invoice_settings.default_payment_method"

type customerWire struct {
	ID              string               `json:"id"`
	Currency        *string              `json:"currency"`
	Metadata        customerMetadataWire `json:"metadata"`
	InvoiceSettings invoiceSettingsWire  `json:"invoice_settings"`
}

// editedCustomerWire is the response to a change of the default payment method.
type editedCustomerWire struct {
	customerWire
	Payment *overduePaymentWire `json:"payment"`
}

type customerMetadataWire struct {
	Currency string `json:"currency,omitempty"`
}

type invoiceSettingsWire struct {
	DefaultPaymentMethod any `json:"default_payment_method"` // null, an ID or a savedMethodWire
}

func (a *api) showCustomer(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeOptionalBody[struct {
		Expand []string `json:"expand"`
	}](r)
	if err != nil {
		return err
	}
	customer, err := a.UseCases.ShowCustomer.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toCustomerWire(customer, slices.Contains(req.Expand, expandDefaultMethod)))
}

func (a *api) createCustomer(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	customer, err := a.UseCases.CreateCustomer.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toCustomerWire(customer, false))
}

func (a *api) editCustomer(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[struct {
		InvoiceSettings struct {
			DefaultPaymentMethod string `json:"default_payment_method"`
		} `json:"invoice_settings"`
	}](r)
	if err != nil {
		return err
	}
	methodID := req.InvoiceSettings.DefaultPaymentMethod
	if err := requireField("invoice_settings.default_payment_method", methodID); err != nil {
		return err
	}
	result, err := a.UseCases.SetDefaultCard.Do(r.Context(), caller, methodID)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, editedCustomerWire{
		toCustomerWire(result.Customer, true), toOverduePaymentWire(result.Payment),
	})
}

// toCustomerWire converts a customer. If expandDefault is true, the response contains the default payment method, and
// otherwise only its ID.
func toCustomerWire(c billing.Customer, expandDefault bool) customerWire {
	wire := customerWire{ID: c.ID, Metadata: customerMetadataWire{Currency: c.PreferredCurrency}}
	if c.Currency != "" {
		wire.Currency = &c.Currency
	}
	switch {
	case c.Default != nil && expandDefault:
		wire.InvoiceSettings.DefaultPaymentMethod = toSavedMethodWire(*c.Default)
	case c.Default != nil:
		wire.InvoiceSettings.DefaultPaymentMethod = c.Default.ID
	}
	return wire
}

type savedMethodWire struct {
	ID string `json:"id"`
	methodWire
}

type methodWire struct {
	Kind  billing.MethodKind `json:"kind,omitempty"`
	Label string             `json:"label,omitempty"` // of a method that is not a card
	Card  cardWire           `json:"card"`
}

type cardWire struct {
	Brand    string `json:"brand"`
	Last4    string `json:"last4"`
	ExpMonth int    `json:"exp_month"`
	ExpYear  int    `json:"exp_year"`
}

// addedMethodWire is the response to adding a payment method.
type addedMethodWire struct {
	savedMethodWire
	Payment *overduePaymentWire `json:"payment"`
}

// methodPageWire is the provider's page on which the customer saves a payment method.
type methodPageWire struct {
	URL string `json:"url"`
}

// overduePaymentWire is the result of charging an overdue invoice to a new payment method.
type overduePaymentWire struct {
	Status        app.OverduePaymentStatus `json:"status"`
	InvoiceID     string                   `json:"invoiceId"`
	Amount        int64                    `json:"amount"`
	Currency      string                   `json:"currency"`
	Message       string                   `json:"message"`
	PaymentIntent *intentWire              `json:"payment_intent"`
}

func toOverduePaymentWire(p *app.OverduePaymentResult) *overduePaymentWire {
	if p == nil {
		return nil
	}
	return &overduePaymentWire{
		Status: p.Status, InvoiceID: p.InvoiceID, Amount: p.Amount.Minor(), Currency: p.Amount.Currency().Code,
		Message: p.Message, PaymentIntent: toIntentWire(p.Intent),
	}
}

// methodIDWire identifies a payment method. The web app also sends set_default: true, which has no effect, because an
// added method becomes the default one.
type methodIDWire struct {
	PaymentMethodID string `json:"paymentMethodId"`
}

func (a *api) listCards(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	methods, err := a.UseCases.ListCards.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, listWire[savedMethodWire]{Data: mapEach(methods, toSavedMethodWire)})
}

func (a *api) addCard(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	id, err := decodeMethodID(r)
	if err != nil {
		return err
	}
	result, err := a.UseCases.AddCard.Do(r.Context(), caller, id)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, addedMethodWire{
		toSavedMethodWire(result.PaymentMethod), toOverduePaymentWire(result.Payment),
	})
}

func (a *api) setUpMethod(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	page, err := a.UseCases.SetUpMethod.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, methodPageWire{URL: page.URL})
}

func (a *api) deleteCard(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	id, err := decodeMethodID(r)
	if err != nil {
		return err
	}
	if err := a.UseCases.DeleteCard.Do(r.Context(), caller, id); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func decodeMethodID(r *http.Request) (string, error) {
	req, err := decodeBody[methodIDWire](r)
	if err != nil {
		return "", err
	}
	return req.PaymentMethodID, requireField("paymentMethodId", req.PaymentMethodID)
}

func toSavedMethodWire(m billing.PaymentMethod) savedMethodWire {
	return savedMethodWire{m.ID, toMethodWire(m)}
}

func toMethodWire(m billing.PaymentMethod) methodWire {
	return methodWire{Kind: m.Kind, Label: m.Label, Card: cardWire{
		Brand: m.Card.Brand, Last4: m.Card.Last4, ExpMonth: m.Card.ExpMonth, ExpYear: m.Card.ExpYear,
	}}
}
