package httpapi

import (
	"net/http"
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

// expandDefaultCard asks for the default card itself instead of its id.
const expandDefaultCard = "invoice_settings.default_payment_method"

type customerWire struct {
	ID              string              `json:"id"`
	Currency        *string             `json:"currency"`
	Metadata        currencyMetadata    `json:"metadata"`
	InvoiceSettings invoiceSettingsWire `json:"invoice_settings"`
}

// editedCustomerWire is the answer to choosing a default card.
type editedCustomerWire struct {
	customerWire
	Payment *billPaymentWire `json:"payment"`
}

type currencyMetadata struct {
	Currency string `json:"currency,omitempty"`
}

type invoiceSettingsWire struct {
	DefaultPaymentMethod any `json:"default_payment_method"` // null, an id, or a cardWire
}

func (a *api) customer(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	in, err := decodeOptional[struct {
		Expand []string `json:"expand"`
	}](r)
	if err != nil {
		return err
	}
	customer, err := a.UseCases.ShowCustomer.Do(r.Context(), who)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, toCustomerWire(customer, slices.Contains(in.Expand, expandDefaultCard)))
}

func (a *api) newCustomer(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	customer, err := a.UseCases.NewCustomer.Do(r.Context(), who)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, toCustomerWire(customer, false))
}

func (a *api) editCustomer(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	in, err := decode[struct {
		InvoiceSettings struct {
			DefaultPaymentMethod string `json:"default_payment_method"`
		} `json:"invoice_settings"`
	}](r)
	if err != nil {
		return err
	}
	cardID := in.InvoiceSettings.DefaultPaymentMethod
	if err := required("invoice_settings.default_payment_method", cardID); err != nil {
		return err
	}
	customer, err := a.UseCases.SetDefaultCard.Do(r.Context(), who, cardID)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, editedCustomerWire{toCustomerWire(customer.Customer, true), toBillPaymentWire(customer.Payment)})
}

func toCustomerWire(c billing.Customer, expanded bool) customerWire {
	wire := customerWire{ID: c.ID, Metadata: currencyMetadata{Currency: c.Preferred}}
	if c.Currency != "" {
		wire.Currency = &c.Currency
	}
	switch {
	case c.Default != nil && expanded:
		wire.InvoiceSettings.DefaultPaymentMethod = toCardWire(*c.Default)
	case c.Default != nil:
		wire.InvoiceSettings.DefaultPaymentMethod = c.Default.ID
	}
	return wire
}
