package httpapi

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
)

type orgWire struct {
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	StripeCustomerID string          `json:"stripeCustomerId,omitempty"`
	BillingAddress   addressWire     `json:"billing_address"`
	Phone            string          `json:"phone"`
	Metadata         orgMetadataWire `json:"metadata"`
}

// orgMetadataWire is what was chosen at registration.
type orgMetadataWire struct {
	Currency string             `json:"currency,omitempty"`
	Product  string             `json:"product,omitempty"`
	Interval catalogue.Interval `json:"interval,omitempty"`
}

func (a *api) orgDetail(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	org, err := a.UseCases.ShowOrganisation.Do(r.Context(), who, chi.URLParam(r, "orgId"))
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, toOrgWire(org))
}

func toOrgWire(org account.Organisation) orgWire {
	return orgWire{
		ID: org.ID, Name: org.Name, StripeCustomerID: org.Billing.CustomerID,
		BillingAddress: toAddressWire(org.Address), Phone: org.Phone,
		Metadata: orgMetadataWire{Currency: org.Currency, Product: org.Choice.Product, Interval: org.Choice.Interval},
	}
}
