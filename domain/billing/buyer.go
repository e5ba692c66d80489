package billing

// Buyer is the addressee of an invoice as of when it was issued. Any part may be empty.
type Buyer struct {
	Name                                  string
	Line1, Line2, City, State, PostalCode string
	Country                               string // ISO 3166 alpha-2
	TaxIDType, TaxID                      string // "au_abn"; both are empty without a tax id
	PurchaseOrder                         string
}
