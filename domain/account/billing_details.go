package account

// BillingDetails are what invoices are addressed to. They apply from the next invoice. They change
// neither the currency nor the email address of the user.
type BillingDetails struct {
	LegalName     string
	BillingEmail  string // gets a copy of billing emails; "" for none
	Phone         string
	PurchaseOrder string // printed on invoices; "" for none
	Address       Address
	TaxID         *TaxID // nil for none
}

// TaxID is the number under which an organisation is registered for tax.
type TaxID struct {
	Type  string // as Stripe names it: "au_abn", "nz_gst", "gb_vat", "eu_vat"
	Value string
}
