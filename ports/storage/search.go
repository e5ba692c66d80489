package storage

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
)

// Search finds organisations for operators. The other methods of this package keep the terms of an organisation up to date in
// the transaction of each change.
type Search interface {
	// SearchOrganisations returns the organisations that match every word of the query. A word matches terms that begin with
	// it: words of the name, the legal name and the names of members, email addresses of members and of billing, the customer
	// id, invoice numbers, and the last four digits of payment methods. Case, diacritics and punctuation are ignored. For an
	// invoice number, or the id of an organisation, member, subscription or customer, it returns only that organisation,
	// with IsExact.
	//
	// It returns Invalid for the field "q" if the query has no word with at least two characters. It ignores shorter words and
	// all words after the eighth. If the search takes longer than two seconds, it sets TimedOut.
	SearchOrganisations(ctx context.Context, query string, limit int) (SearchResult, error)
}

// SearchResult is the result of a search.
type SearchResult struct {
	Matches  []SearchMatch // at most the limit, in the order of the rarest word's terms
	IsExact  bool
	TimedOut bool // without matches: the words are too common together
}

// SearchMatch is an organisation that was found.
type SearchMatch struct {
	Organisation account.Organisation
	Members      []account.Member // in the order in which they joined
	Kinds        []TermKind       // of the terms that match, sorted; empty if IsExact is set
	// NameKey is the name without case, diacritics and punctuation, with words separated by single spaces.
	NameKey string
}

// TermKind is the kind of a search term.
type TermKind string

// The kinds of search terms.
const (
	NameTerm         TermKind = "name"          // a word of the name or the legal name
	BillingEmailTerm TermKind = "billing_email" // of the billing details
	CustomerTerm     TermKind = "customer"      // the id of the customer at the payment provider
	MethodTerm       TermKind = "method"        // last four digits of the payment method of a subscription
	PersonTerm       TermKind = "person"        // a word of a member's name
	EmailTerm        TermKind = "email"         // of a member
	InvoiceTerm      TermKind = "invoice"       // the number of an invoice
	ChargedTerm      TermKind = "charged"       // last four digits of a payment method that was charged
)
