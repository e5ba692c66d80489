package httpapi

import (
	"encoding/json"
	"net/http"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
)

type billingDetailsWire struct {
	LegalName     string      `json:"legalName"`
	BillingEmail  string      `json:"billingEmail"`
	Phone         string      `json:"phone"`
	PurchaseOrder string      `json:"purchaseOrder"`
	Address       addressWire `json:"address"`
	TaxID         *taxIDWire  `json:"taxId"`
}

type taxIDWire struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

func toBillingDetailsWire(d account.BillingDetails) billingDetailsWire {
	return billingDetailsWire{
		LegalName: d.LegalName, BillingEmail: d.BillingEmail, Phone: d.Phone, PurchaseOrder: d.PurchaseOrder,
		Address: toAddressWire(d.Address), TaxID: (*taxIDWire)(d.TaxID),
	}
}

// billingEditWire changes the fields that are present.
type billingEditWire struct {
	LegalName     *string             `json:"legalName"`
	BillingEmail  *string             `json:"billingEmail"`
	Phone         *string             `json:"phone"`
	PurchaseOrder *string             `json:"purchaseOrder"`
	Address       *addressWire        `json:"address"`
	TaxID         nullable[taxIDWire] `json:"taxId"`
}

// nullable is an optional value that can be null.
type nullable[T any] struct {
	present bool
	value   *T
}

// UnmarshalJSON implements json.Unmarshaler. It is called only if the value is present.
func (n *nullable[T]) UnmarshalJSON(data []byte) error {
	n.present = true
	return json.Unmarshal(data, &n.value)
}

func (in billingEditWire) edit(d *account.BillingDetails) {
	for field, typed := range map[*string]*string{
		&d.LegalName: in.LegalName, &d.BillingEmail: in.BillingEmail, &d.Phone: in.Phone, &d.PurchaseOrder: in.PurchaseOrder,
	} {
		if typed != nil {
			*field = *typed
		}
	}
	if in.Address != nil {
		d.Address = in.Address.address()
	}
	if in.TaxID.present {
		d.TaxID = (*account.TaxID)(in.TaxID.value)
	}
}

func (a *api) billingDetails(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	details, err := a.UseCases.ShowBillingDetails.Do(r.Context(), who)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toBillingDetailsWire(details))
}

func (a *api) editBillingDetails(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
	in, err := decode[billingEditWire](r)
	if err != nil {
		return err
	}
	details, err := a.UseCases.EditBillingDetails.Do(r.Context(), who, in.edit)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toBillingDetailsWire(details))
}
