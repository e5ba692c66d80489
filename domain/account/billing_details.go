package account

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// maxPurchaseOrder is the largest number of characters of a custom field that all payment providers print on an invoice.
const maxPurchaseOrder = 140

// BillingDetails contains the addressee of invoices. A change applies to future invoices. It changes neither the
// currency nor the email address of the user. The details are stored as JSON.
type BillingDetails struct {
	LegalName     string  `json:"legal_name"`
	BillingEmail  string  `json:"billing_email"` // confirmed; gets a copy of billing emails; "" for none
	Phone         string  `json:"phone"`
	PurchaseOrder string  `json:"purchase_order"` // printed on invoices; "" for none
	Address       Address `json:"address"`
	TaxID         *TaxID  `json:"tax_id"` // nil for none
	// UnconfirmedEmail replaces BillingEmail when the recipient confirms it; "" for none. Until then it receives only
	// the confirmation link.
	UnconfirmedEmail string `json:"unconfirmed_email,omitempty"`
	// OmitPDF is set if the emails about invoices to BillingEmail have no PDF; see Organisation.GetsPDF.
	OmitPDF bool `json:"omit_pdf,omitempty"`
}

// Buyer returns the addressee of an invoice. It uses name, the organisation's name, if the details have no legal name.
func (d BillingDetails) Buyer(name string) *billing.Buyer {
	b := billing.Buyer{
		Name: cmp.Or(d.LegalName, name), Line1: d.Address.Line1, Line2: d.Address.Line2, City: d.Address.City,
		State: d.Address.State, PostalCode: d.Address.PostalCode, Country: d.Address.Country, PurchaseOrder: d.PurchaseOrder,
	}
	if d.TaxID != nil {
		b.TaxIDType, b.TaxID = d.TaxID.Type, d.TaxID.Value
	}
	return &b
}

// Correct returns the details with the corrections that an operator has made at the payment provider, and reports whether
// there are any. buyer and phone are the provider's details for the next invoice. Correct does not validate them, because
// the details are shown as they are at the provider. It ignores a missing name, address or phone number, and a different
// spelling of the tax id or the phone number.
func (d BillingDetails) Correct(buyer billing.Buyer, phone string) (corrected BillingDetails, hasChanged bool) {
	corrected = d
	if buyer.Name != "" {
		corrected.LegalName = buyer.Name
	}
	address := Address{
		Line1: buyer.Line1, Line2: buyer.Line2, City: buyer.City, State: buyer.State, PostalCode: buyer.PostalCode,
		Country: buyer.Country,
	}
	if address != (Address{}) {
		corrected.Address = address
	}
	if phone != "" && withoutSeparators(phone) != withoutSeparators(d.Phone) {
		corrected.Phone = phone
	}
	corrected.PurchaseOrder = buyer.PurchaseOrder
	taxID := TaxID{Type: buyer.TaxIDType, Value: buyer.TaxID}
	switch {
	case taxID == TaxID{}:
		corrected.TaxID = nil
	case d.TaxID == nil || taxID.normalise() != d.TaxID.normalise():
		corrected.TaxID = &taxID
	}
	return corrected, corrected != d
}

// withoutSeparators returns the phone number without the separators that providers remove.
func withoutSeparators(phone string) string {
	return strings.NewReplacer(" ", "", ".", "", "-", "").Replace(phone)
}

// Normalise returns the stored form of the details: text as in Registration.Normalise, and the tax id
// in capitals without spaces and punctuation.
func (d BillingDetails) Normalise() BillingDetails {
	d.LegalName, d.PurchaseOrder = clean(d.LegalName), clean(d.PurchaseOrder)
	d.BillingEmail, d.Phone = EmailKey(d.BillingEmail), cleanPhone(d.Phone)
	d.Address = d.Address.normalise()
	if d.TaxID != nil {
		id := d.TaxID.normalise()
		d.TaxID = &id
	}
	return d
}

// Validate returns nil for valid details, otherwise an Invalid fault with a message for each invalid
// field, in the form's order. The fields of the address have the names of the registration form. It
// validates the normalised details.
func (d BillingDetails) Validate() error {
	d = d.Normalise()
	var f fault.Fields
	addMessage(&f, "legalName", checkText(d.LegalName), messages{
		missing: "Legal name is required", invalid: "Legal name contains invalid characters", tooLong: "Legal name is too long",
	})
	if d.BillingEmail != "" {
		addMessage(&f, "billingEmail", checkEmail(d.BillingEmail), messages{invalid: "Invalid email address!"})
	}
	addMessage(&f, "phone", checkPhone(d.Phone), messages{missing: "Phone no. required", invalid: "Invalid contact details"})
	addMessage(&f, "purchaseOrder", checkPurchaseOrder(d.PurchaseOrder), messages{
		invalid: "Purchase order number contains invalid characters", tooLong: "Purchase order number is too long",
	})
	d.Address.validate(&f)
	if d.TaxID != nil {
		problem := d.TaxID.problem(d.Address.Country)
		f.Check(problem == "", "taxId", problem)
	}
	return f.Err()
}

func checkPurchaseOrder(text string) verdict {
	switch {
	case text == "":
		return valid
	case utf8.RuneCountInString(text) > maxPurchaseOrder:
		return tooLong
	}
	return checkText(text)
}

// Encode returns the details as JSON, the form in which they are stored.
func (d BillingDetails) Encode() string {
	text, err := json.Marshal(d)
	if err != nil { // impossible: the details consist of strings
		panic("account: " + err.Error())
	}
	return string(text)
}

// DecodeBillingDetails decodes the result of Encode.
func DecodeBillingDetails(text string) (BillingDetails, error) {
	var d BillingDetails
	err := json.Unmarshal([]byte(text), &d)
	return d, err
}
