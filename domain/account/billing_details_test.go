package account_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/timezone"
)

// detailsForm contains billing details under the names of the form's fields. An empty TaxType means no tax id.
type detailsForm struct {
	LegalName     string `json:"legalName"`
	BillingEmail  string `json:"billingEmail"`
	Phone         string `json:"phone"`
	PurchaseOrder string `json:"purchaseOrder"`
	Country       string `json:"country"`
	State         string `json:"state"`
	Line1         string `json:"line1"`
	Line2         string `json:"line2"`
	District      string `json:"district"`
	Pincode       string `json:"pincode"`
	TaxType       string `json:"taxType"`
	TaxValue      string `json:"taxValue"`
}

func (f detailsForm) details() account.BillingDetails {
	d := account.BillingDetails{
		LegalName: f.LegalName, BillingEmail: f.BillingEmail, Phone: f.Phone, PurchaseOrder: f.PurchaseOrder,
		Address: account.Address{
			Line1: f.Line1, Line2: f.Line2, City: f.District, State: f.State, PostalCode: f.Pincode, Country: f.Country,
		},
	}
	if f.TaxType != "" {
		d.TaxID = &account.TaxID{Type: f.TaxType, Value: f.TaxValue}
	}
	return d
}

func TestBillingDetailsValidate_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "billing-details", func(input detailsForm) []fieldError {
		err := input.details().Validate()
		assert.Equal(t, err, input.details().Normalise().Validate(), "the result is the same after normalising")
		fieldErrors := []fieldError{}
		for _, f := range fault.FieldsOf(err) {
			fieldErrors = append(fieldErrors, fieldError{f.Name, f.Message})
		}
		return fieldErrors
	})
}

func TestBillingDetails_NormaliseRemovesBlanksAndInvisibleCharacters(t *testing.T) {
	input := detailsForm{
		LegalName: " Northside\u200b  Clinic ", BillingEmail: " Accounts@Northside.example", Phone: " +61 2 9000 0000 ",
		PurchaseOrder: " PO  4711", Country: "gb", TaxType: " gb_vat", TaxValue: "123 4567-89",
	}.details()
	want := detailsForm{
		LegalName: "Northside Clinic", BillingEmail: "accounts@northside.example", Phone: "+61 2 9000 0000",
		PurchaseOrder: "PO 4711", Country: "GB", TaxType: "gb_vat", TaxValue: "GB123456789",
	}.details()
	assert.Equal(t, want, input.Normalise())
	assert.Equal(t, " gb_vat", input.TaxID.Type, "the argument is unchanged")
}

// setEmail returns an edit that sets the billing email.
func setEmail(email string) func(*account.BillingDetails) {
	return func(d *account.BillingDetails) { d.BillingEmail = email }
}

func TestEditDetails_NewBillingEmailStaysUnconfirmed(t *testing.T) {
	details := detailsForm{
		LegalName: "Northside", Phone: "+61 2 9000 0000", Country: "AU", State: "NSW", Line1: "1 Road",
		District: "Sydney", Pincode: "2000",
	}.details()
	details.BillingEmail = "old@example.com"
	unconfirmedDetails := details
	unconfirmedDetails.UnconfirmedEmail = "new@example.com"
	for name, tt := range map[string]struct {
		initial                    account.BillingDetails
		edit                       func(*account.BillingDetails)
		wantEmail, wantUnconfirmed string
	}{
		"a new address":      {details, setEmail(" NEW@example.com"), "old@example.com", "new@example.com"},
		"the same address":   {details, setEmail("OLD@example.com"), "old@example.com", ""},
		"the user's address": {details, setEmail("ann@example.com"), "ann@example.com", ""},
		"no address":         {details, setEmail(""), "", ""},
		"another field": {unconfirmedDetails, func(d *account.BillingDetails) { d.LegalName = "B" },
			"old@example.com", "new@example.com"},
		"the unconfirmed address": {
			unconfirmedDetails, setEmail("new@example.com"), "old@example.com", "new@example.com",
		},
		"a third address": {
			unconfirmedDetails, setEmail("third@example.com"), "old@example.com", "third@example.com",
		},
		"the confirmed address":                  {unconfirmedDetails, setEmail("old@example.com"), "old@example.com", ""},
		"no address replaces an unconfirmed one": {unconfirmedDetails, setEmail(""), "", ""},
		"a first address": {account.BillingDetails{
			LegalName: "N", Phone: details.Phone, Address: details.Address,
		}, setEmail("old@example.com"), "", "old@example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			org := account.Organisation{ContactEmail: "Ann@example.com", Details: &tt.initial}
			editedDetails, err := org.EditDetails(tt.edit)
			require.NoError(t, err)
			assert.Equal(t, []string{tt.wantEmail, tt.wantUnconfirmed},
				[]string{editedDetails.BillingEmail, editedDetails.UnconfirmedEmail})
		})
	}
}

func TestConfirmBillingEmail_ReplacesEmailWithUnconfirmedEmail(t *testing.T) {
	org := account.Organisation{Details: &account.BillingDetails{
		BillingEmail: "old@example.com", UnconfirmedEmail: "new@example.com",
	}, DetailsSentTo: "cus_1"}
	org.Billing.CustomerID = "cus_1"

	for _, other := range []string{"", "third@example.com"} {
		assert.False(t, org.ConfirmBillingEmail(other))
	}
	assert.False(t, org.HasUnsentDetails())
	for range 2 {
		assert.True(t, org.ConfirmBillingEmail("new@example.com"))
		assert.Equal(t, account.BillingDetails{BillingEmail: "new@example.com"}, org.BillingDetails())
		assert.True(t, org.HasUnsentDetails(), "the provider gets a confirmed address")
	}
	assert.False(t, org.ConfirmBillingEmail("old@example.com"))
}

// The email is confirmed after the provider has accepted an edit and before the edit is stored.
func TestSetDetails_KeepsEmailConfirmedAfterEdit(t *testing.T) {
	const old, confirmed, other, own = "old@example.com", "new@example.com", "other@example.com", "ada@example.com"
	for name, tt := range map[string]struct {
		entered                           string
		wantBillingEmail, wantUnconfirmed string
	}{
		"edit of another field":               {confirmed, confirmed, ""},
		"edit to another email":               {other, confirmed, other},
		"edit back to the earlier email":      {old, confirmed, old},
		"edit to no email":                    {"", "", ""},
		"edit to the email of the registrant": {own, own, ""},
	} {
		t.Run(name, func(t *testing.T) {
			org := account.Organisation{ContactEmail: own, Details: &account.BillingDetails{
				LegalName: "Harbour Clinic", BillingEmail: old, UnconfirmedEmail: confirmed,
			}}
			org.Billing.CustomerID = "cus_1"
			editedDetails, _ := org.EditDetails(func(d *account.BillingDetails) {
				d.BillingEmail, d.PurchaseOrder = tt.entered, "PO 1"
			})
			sentEmail := editedDetails.BillingEmail
			require.True(t, org.ConfirmBillingEmail(confirmed))

			org.SetDetails(editedDetails, "cus_1")

			details := org.BillingDetails()
			assert.Equal(t, []string{tt.wantBillingEmail, tt.wantUnconfirmed, "PO 1"},
				[]string{details.BillingEmail, details.UnconfirmedEmail, details.PurchaseOrder})
			assert.Equal(t, sentEmail != tt.wantBillingEmail, org.HasUnsentDetails())
		})
	}
}

func TestOrganisation_OnlyTheConfirmedBillingEmailGetsThePDF(t *testing.T) {
	tests := map[string]struct {
		details account.BillingDetails
		address string
		want    bool
	}{
		"billing email":              {account.BillingDetails{BillingEmail: "accounts@example.com"}, "accounts@example.com", true},
		"turned off":                 {account.BillingDetails{BillingEmail: "accounts@example.com", OmitPDF: true}, "accounts@example.com", false},
		"user":                       {account.BillingDetails{BillingEmail: "accounts@example.com"}, "Ann@example.com", false},
		"user without billing email": {account.BillingDetails{}, "Ann@example.com", false},
		"user who is the accountant": {account.BillingDetails{BillingEmail: "ann@example.com"}, "Ann@example.com", true},
		"unconfirmed billing email":  {account.BillingDetails{UnconfirmedEmail: "accounts@example.com"}, "accounts@example.com", false},
	}
	for name, tt := range tests {
		org := account.Organisation{ContactEmail: "Ann@example.com", Details: &tt.details}
		assert.Equal(t, tt.want, org.GetsPDF(tt.address), name)
	}

	org := account.Organisation{Details: &account.BillingDetails{BillingEmail: "accounts@example.com", OmitPDF: true}}
	org.ImportDetails(account.BillingDetails{LegalName: "Corrected"})
	assert.True(t, org.BillingDetails().OmitPDF, "a correction at the provider keeps the setting")
}

func TestOrganisation_TimeZoneFollowsBillingDetails(t *testing.T) {
	org := account.Organisation{Address: account.Address{Country: "AU", State: "Western Australia"}}
	assert.Equal(t, timezone.Zone("Australia/Perth"), org.TimeZone())
	org.SetDetails(account.BillingDetails{Address: account.Address{Country: "US", State: "Hawaii"}}, "")
	assert.Equal(t, timezone.Zone("Pacific/Honolulu"), org.TimeZone())
}

func TestBillingDetails_DecodeRevertsEncode(t *testing.T) {
	details := detailsForm{
		LegalName: "Ömer \"Clinic\"", Country: "AU", TaxType: "au_abn", TaxValue: "51824753556",
	}.details()
	for _, want := range []account.BillingDetails{{}, details} {
		decodedDetails, err := account.DecodeBillingDetails(want.Encode())
		require.NoError(t, err)
		assert.Equal(t, want, decodedDetails)
	}
}

func TestCorrect_TakesOverWhatDiffersAtTheProvider(t *testing.T) {
	details := account.BillingDetails{
		LegalName: "Harbour Clinic", Phone: "+61 2 5550 1234", PurchaseOrder: "PO 1",
		Address: account.Address{Line1: "1 Bridge St", City: "Sydney", State: "New South Wales", PostalCode: "2000", Country: "AU"},
		TaxID:   &account.TaxID{Type: "au_abn", Value: "51824753556"},
	}
	same := *details.Buyer("")
	for name, c := range map[string]struct {
		change func(*billing.Buyer)
		phone  string
		want   func(*account.BillingDetails) // nil if nothing changes
	}{
		"nothing":                    {func(*billing.Buyer) {}, "+61255501234", nil},
		"another spelling of tax id": {func(b *billing.Buyer) { b.TaxID = "51 824 753 556" }, "", nil},
		"no name and no address": {func(b *billing.Buyer) {
			*b = billing.Buyer{TaxIDType: b.TaxIDType, TaxID: b.TaxID, PurchaseOrder: b.PurchaseOrder}
		}, "", nil},
		"name":           {func(b *billing.Buyer) { b.Name = "Harbour" }, "", func(d *account.BillingDetails) { d.LegalName = "Harbour" }},
		"city":           {func(b *billing.Buyer) { b.City = "Perth" }, "", func(d *account.BillingDetails) { d.Address.City = "Perth" }},
		"phone":          {func(*billing.Buyer) {}, "12345", func(d *account.BillingDetails) { d.Phone = "12345" }},
		"purchase order": {func(b *billing.Buyer) { b.PurchaseOrder = "" }, "", func(d *account.BillingDetails) { d.PurchaseOrder = "" }},
		"tax id removed": {func(b *billing.Buyer) { b.TaxIDType, b.TaxID = "", "" }, "", func(d *account.BillingDetails) { d.TaxID = nil }},
	} {
		t.Run(name, func(t *testing.T) {
			buyer, want := same, details
			c.change(&buyer)
			if c.want != nil {
				c.want(&want)
			}
			got, hasChanged := details.Correct(buyer, c.phone)
			assert.Equal(t, want, got)
			assert.Equal(t, c.want != nil, hasChanged)
		})
	}
}

func TestBillingRecipients_ListsEachAddressOnce(t *testing.T) {
	org := account.Organisation{ContactEmail: "ada@example.com", MemberEmails: []string{"Ada@example.com", "ben@example.com"}}
	assert.Equal(t, []string{"ada@example.com", "ben@example.com"}, org.BillingRecipients())
	org.Details = &account.BillingDetails{BillingEmail: "ben@example.com"}
	assert.Equal(t, []string{"ada@example.com", "ben@example.com"}, org.BillingRecipients())
	org.Details.BillingEmail = "books@example.com"
	assert.Equal(t, []string{"ada@example.com", "ben@example.com", "books@example.com"}, org.BillingRecipients())
}

func TestUnsentContactEmail_IsTheAddressThatTheCustomerDoesNotHave(t *testing.T) {
	for _, tt := range []struct {
		name, customerID, sent, want string
	}{
		{name: "no customer"},
		{name: "a removed customer", sent: "old@example.com"},
		{name: "an address that was never sent", customerID: "cus_1"},
		{name: "the current address", customerID: "cus_1", sent: "ann@example.com"},
		{name: "an earlier address", customerID: "cus_1", sent: "old@example.com", want: "ann@example.com"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			org := account.Organisation{ContactEmail: "ann@example.com", SentContactEmail: tt.sent}
			org.Billing.CustomerID = tt.customerID
			assert.Equal(t, tt.want, org.UnsentContactEmail())
			assert.Equal(t, tt.want != "", org.NeedsCustomerUpdate())
		})
	}
}
