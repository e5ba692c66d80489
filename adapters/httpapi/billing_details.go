package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
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
	// UnconfirmedEmail is a new billing email whose link has not been confirmed.
	UnconfirmedEmail string `json:"unconfirmedEmail,omitempty"`
	// AttachPDF reports whether emails about invoices to the billing email have the PDF of the invoice.
	AttachPDF bool `json:"attachPdf"`
	// EmailPreferencesToken opens the email preferences of the signed-in user; "" if the user gets no emails about billing.
	EmailPreferencesToken string `json:"emailPreferencesToken,omitempty"`
}

type taxIDWire struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

func toBillingDetailsWire(d account.BillingDetails) billingDetailsWire {
	return billingDetailsWire{
		LegalName: d.LegalName, BillingEmail: d.BillingEmail, Phone: d.Phone, PurchaseOrder: d.PurchaseOrder,
		Address: toAddressWire(d.Address), TaxID: (*taxIDWire)(d.TaxID), UnconfirmedEmail: d.UnconfirmedEmail,
		AttachPDF: !d.OmitPDF,
	}
}

// billingDetailsEditWire contains the fields to change. Absent fields are not changed.
type billingDetailsEditWire struct {
	LegalName     *string             `json:"legalName"`
	BillingEmail  *emailAddress       `json:"billingEmail"`
	Phone         *string             `json:"phone"`
	PurchaseOrder *string             `json:"purchaseOrder"`
	Address       *addressWire        `json:"address"`
	TaxID         nullable[taxIDWire] `json:"taxId"`
	AttachPDF     *bool               `json:"attachPdf"`
}

// nullable distinguishes an absent value from null.
type nullable[T any] struct {
	isPresent bool
	value     *T // nil for null
}

// UnmarshalJSON implements json.Unmarshaler. encoding/json calls it only if the value is present.
func (n *nullable[T]) UnmarshalJSON(data []byte) error {
	n.isPresent = true
	return json.Unmarshal(data, &n.value)
}

// applyTo changes the details as requested.
func (req billingDetailsEditWire) applyTo(d *account.BillingDetails) {
	for field, value := range map[*string]*string{
		&d.LegalName: req.LegalName, &d.BillingEmail: (*string)(req.BillingEmail), &d.Phone: req.Phone, &d.PurchaseOrder: req.PurchaseOrder,
	} {
		if value != nil {
			*field = *value
		}
	}
	if req.Address != nil {
		d.Address = req.Address.toAddress()
	}
	if req.AttachPDF != nil {
		d.OmitPDF = !*req.AttachPDF
	}
	if req.TaxID.isPresent {
		d.TaxID = (*account.TaxID)(req.TaxID.value)
	}
}

func (a *api) showBillingDetails(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	details, err := a.UseCases.ShowBillingDetails.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	wire := toBillingDetailsWire(details)
	if wire.EmailPreferencesToken, err = a.UseCases.GetEmailPreferencesToken.Do(r.Context(), caller); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, wire)
}

func (a *api) editBillingDetails(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[billingDetailsEditWire](r)
	if err != nil {
		return err
	}
	// The token is read first, because an error after the edit would report that nothing was saved.
	preferencesToken, err := a.UseCases.GetEmailPreferencesToken.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	var details account.BillingDetails
	edit := func() (err error) {
		var sentEmail bool
		details, sentEmail, err = a.UseCases.EditBillingDetails.Do(r.Context(), caller, req.applyTo)
		if err == nil && !sentEmail {
			return errNoEmailSent
		}
		return err
	}
	if req.BillingEmail == nil {
		err = edit()
	} else {
		err = a.callWithinLimits(r, confirmationLimits(r, string(*req.BillingEmail)), edit)
	}
	if err != nil && !errors.Is(err, errNoEmailSent) {
		return err
	}
	wire := toBillingDetailsWire(details)
	wire.EmailPreferencesToken = preferencesToken
	return writeJSON(w, http.StatusOK, wire)
}

// resendConfirmationWire contains the email to confirm; "" selects the unconfirmed email of the billing details.
type resendConfirmationWire struct {
	Email emailAddress `json:"email"`
}

// resendBillingEmail sends another link that confirms an email address.
func (a *api) resendBillingEmail(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeOptionalBody[resendConfirmationWire](r)
	if err != nil {
		return err
	}
	details, err := a.UseCases.ShowBillingDetails.Do(r.Context(), caller)
	if err != nil {
		return err
	}
	err = a.callWithinLimits(r, confirmationLimits(r, cmp.Or(string(req.Email), details.UnconfirmedEmail)), func() error {
		return a.UseCases.ResendBillingEmailConfirmation.Do(r.Context(), caller, string(req.Email))
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, emptyObject{})
}

type billingEmailConfirmationWire struct {
	Org   string `json:"org"`
	Email string `json:"email"`
}

// showBillingEmail responds with the organisation and the email that a link confirms. It changes nothing, so a program
// that opens the links in emails confirms nothing.
func (a *api) showBillingEmail(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	email, org, err := a.UseCases.ShowBillingEmailConfirmation.Do(r.Context(), string(req.Token))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, billingEmailConfirmationWire{Org: org.Name, Email: email})
}

func (a *api) confirmBillingEmail(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.ConfirmBillingEmail.Do(r.Context(), string(req.Token)); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}
