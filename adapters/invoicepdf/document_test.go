package invoicepdf

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func aud(minor int64) money.Amount {
	a, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return a
}

// newDocument returns the document of a paid invoice for a plan change.
func newDocument(buyerName string) Document {
	return Document{
		Seller: Party{Brand: "Vision", Name: "Seller Pty Ltd", Lines: []string{"1 Example Street", "Sydney NSW 2000", "Australia"}},
		Buyer:  Party{Name: buyerName, Lines: []string{"2 Example Street"}}, PurchaseOrder: "PO 17", Tax: "GST 10 %",
		Invoice: billing.Invoice{
			Number: "ABCDEFGH-0002", Status: billing.InvoicePaid, CreatedAt: noon, PaidAt: noon,
			Lines: []billing.Line{
				{Description: "Unused time on Standard", Amount: aud(-16110), Start: noon, End: noon.AddDate(0, 4, 0), Proration: true},
				{Description: "Professional", Amount: aud(31299), Start: noon, End: noon.AddDate(0, 4, 0), Proration: true},
			},
			Total: aud(15189), Tax: aud(1381), CreditUsed: aud(1000), AmountDue: aud(14189), AmountPaid: aud(14189),
		},
	}
}

func TestParty_SellerIsNilWithoutName(t *testing.T) {
	lines := []string{"1 Example Street"}
	assert.Equal(t, &billing.Seller{Name: "Seller Pty Ltd", Lines: lines}, Party{Name: "Seller Pty Ltd", Lines: lines}.Seller())
	assert.Nil(t, Party{Brand: "Vision"}.Seller())
}

func TestNewBuyer_PrefersLegalNameOfBillingDetails(t *testing.T) {
	details := account.BillingDetails{
		LegalName: "Northside Clinic Pty Ltd", BillingEmail: "accounts@example.com",
		Address: account.Address{Line1: "1 High Street", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
		TaxID:   &account.TaxID{Type: "au_abn", Value: "51824753556"},
	}
	assert.Equal(t, Party{
		ID: "org_1", Name: "Northside Clinic Pty Ltd",
		Lines: []string{"1 High Street", "Sydney NSW 2000", "Australia", "accounts@example.com", "ABN 51 824 753 556"},
	}, NewBuyer("org_1", "Northside", details))
	assert.Equal(t, "Northside", NewBuyer("org_1", "Northside", account.BillingDetails{}).Name)
}

func TestDocument_TitleIsTaxInvoiceInvoiceOrCreditNote(t *testing.T) {
	d := newDocument("Northside")
	assert.Equal(t, "Tax invoice", d.title())
	d.Tax = ""
	assert.Equal(t, "Invoice", d.title())
	d.Invoice.Total = aud(-100)
	assert.Equal(t, "Credit note", d.title())
}

// statusVector is an invoice of the test vectors, with amounts in cents.
type statusVector struct {
	Status                                                   billing.InvoiceStatus
	Total, CreditUsed, CarriedForward, AmountDue, AmountPaid int64
	Processing, Overdue                                      bool
	DueAt, PaidAt                                            time.Time
	Zone                                                     timezone.Zone
}

func TestDocument_StatusTextMatchesTestVectors(t *testing.T) {
	faces, err := loadTypefaces()
	require.NoError(t, err)
	domaintest.RunVectors(t, "invoice-status", func(in statusVector) string {
		d := Document{IsOverdue: in.Overdue, Invoice: billing.Invoice{
			Status: in.Status, Total: aud(in.Total), CreditUsed: aud(in.CreditUsed), CarriedForward: aud(in.CarriedForward),
			AmountDue: aud(in.AmountDue), AmountPaid: aud(in.AmountPaid), DueAt: in.DueAt, PaidAt: in.PaidAt, TimeZone: in.Zone,
		}}
		if in.Processing {
			d.Invoice.Payment = &billing.Intent{Status: billing.Processing}
		}
		return d.statusText(faces.newCurrencyFormat(d.Invoice.Total.Currency()))
	})
}

func TestIsReverseCharge_AppliesOnlyToForeignBuyersWithVATNumber(t *testing.T) {
	foreignBuyer := newDocument("Praxis Nord")
	foreignBuyer.Tax, foreignBuyer.Invoice.Tax = "", aud(0)
	foreignBuyer.Buyer = NewBuyer("org_1", "Praxis Nord", account.BillingDetails{
		Address: account.Address{Country: "DE"}, TaxID: &account.TaxID{Type: "eu_vat", Value: "DE123456789"},
	})
	taxedInvoice, domesticBuyer, sellerWithoutCountry, buyerWithoutVAT := foreignBuyer, foreignBuyer, foreignBuyer, foreignBuyer
	taxedInvoice.Invoice.Tax = aud(1381)
	domesticBuyer.Seller.Lines = []string{"1 Straße", "Germany"}
	sellerWithoutCountry.Seller.Lines = []string{"1 Example Street"}
	buyerWithoutVAT.Buyer = NewBuyer("org_1", "Praxis Nord", account.BillingDetails{Address: account.Address{Country: "DE"}})

	assert.True(t, foreignBuyer.isReverseCharge())
	for name, d := range map[string]Document{
		"with tax": taxedInvoice, "domestic buyer": domesticBuyer, "seller without country": sellerWithoutCountry,
		"buyer without VAT number": buyerWithoutVAT,
	} {
		assert.False(t, d.isReverseCharge(), name)
	}
}
