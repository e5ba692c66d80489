package sqlstorage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	deleteSearchTermSQL    = "DELETE FROM search_terms WHERE organisation_id = ? AND term = ? AND kind = ?"
	deleteSearchTermsSQL   = "DELETE FROM search_terms WHERE organisation_id = ?"
	selectTermsOfPeopleSQL = "SELECT term, kind FROM search_terms WHERE organisation_id = ? AND kind IN ('person', 'email')"
)

// searchTerm is a term of an organisation.
type searchTerm struct {
	Term string           `db:"term"`
	Kind storage.TermKind `db:"kind"`
}

// termList collects terms.
type termList []searchTerm

func (l *termList) add(kind storage.TermKind, terms ...string) {
	for _, term := range terms {
		if term != "" {
			*l = append(*l, searchTerm{term, kind})
		}
	}
}

func (l *termList) addWords(kind storage.TermKind, text string) {
	words := searchWords(text)
	l.add(kind, words[:min(len(words), maxWordsOfText)]...)
}

// addMethod adds the last four digits of a payment method, which may be nil.
func (l *termList) addMethod(kind storage.TermKind, m *billing.PaymentMethod) {
	if m != nil {
		l.add(kind, lastFour(*m))
	}
}

// sorted returns the terms in the order of the primary key, without duplicates.
func (l termList) sorted() []searchTerm {
	slices.SortFunc(l, func(a, b searchTerm) int { return cmp.Or(cmp.Compare(a.Term, b.Term), cmp.Compare(a.Kind, b.Kind)) })
	return slices.Compact(l)
}

// lastFour returns the last four digits of a card, or of a bank account with a label such as "BECS •••• 3456". It returns ""
// without them.
func lastFour(m billing.PaymentMethod) string {
	digits := cmp.Or(m.Card.Last4, m.Label[max(0, len(m.Label)-4):])
	if len(digits) != 4 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return digits
}

// organisationTerms returns the terms of an organisation except those of its members and invoices.
func organisationTerms(o account.Organisation) []searchTerm {
	var terms termList
	terms.addWords(storage.NameTerm, o.Name)
	if o.Details != nil {
		terms.addWords(storage.NameTerm, o.Details.LegalName)
		terms.add(storage.BillingEmailTerm, searchToken(o.Details.BillingEmail))
	}
	terms.add(storage.CustomerTerm, searchToken(o.Billing.CustomerID))
	for _, s := range o.Billing.Subscriptions {
		terms.addMethod(storage.MethodTerm, s.Method)
		terms.addMethod(storage.MethodTerm, s.Next.Method)
	}
	return terms.sorted()
}

// memberTerms returns the terms of the members of an organisation.
func memberTerms(members []account.Member) []searchTerm {
	var terms termList
	for _, m := range members {
		terms.addWords(storage.PersonTerm, m.FirstName+" "+m.LastName)
		terms.add(storage.EmailTerm, searchToken(account.EmailKey(m.Email)))
	}
	return terms.sorted()
}

// signUpTerms returns the terms of a new organisation.
func signUpTerms(s storage.SignUp) []searchTerm {
	owner := account.Member{FirstName: s.User.FirstName, LastName: s.User.LastName, Email: s.User.Email}
	return slices.Concat(organisationTerms(s.Organisation), memberTerms([]account.Member{owner}))
}

// invoiceTerms returns the terms of an invoice.
func invoiceTerms(inv billing.Invoice) []searchTerm {
	var terms termList
	terms.add(storage.InvoiceTerm, searchToken(inv.Number))
	if inv.Payment != nil {
		terms.addMethod(storage.ChargedTerm, inv.Payment.ChargedMethod)
	}
	for _, p := range inv.ReceivedPayments {
		terms.addMethod(storage.ChargedTerm, p.Method)
	}
	for _, r := range inv.Returns {
		terms.addMethod(storage.ChargedTerm, r.Method)
	}
	return terms.sorted()
}

// replaceSearchTerms deletes and adds the differences between two sorted lists.
func (c conn) replaceSearchTerms(ctx context.Context, organisationID string, oldTerms, newTerms []searchTerm) error {
	if slices.Equal(oldTerms, newTerms) {
		return nil
	}
	for _, t := range oldTerms {
		if slices.Contains(newTerms, t) {
			continue
		}
		if _, err := c.exec(ctx, deleteSearchTermSQL, organisationID, t.Term, string(t.Kind)); err != nil {
			return err
		}
	}
	return c.addNewSearchTerms(ctx, organisationID, oldTerms, newTerms)
}

// addNewSearchTerms adds the new terms that are not among the old ones.
func (c conn) addNewSearchTerms(ctx context.Context, organisationID string, oldTerms, newTerms []searchTerm) error {
	return c.addSearchTerms(ctx, organisationID, slices.DeleteFunc(slices.Clone(newTerms), func(t searchTerm) bool {
		return slices.Contains(oldTerms, t)
	}))
}

// addSearchTerms adds terms and ignores those that exist. A statement inserts several rows. The number of rows has few
// values, because connections cache the statements.
func (c conn) addSearchTerms(ctx context.Context, organisationID string, terms []searchTerm) error {
	for _, count := range []int{16, 8, 4, 2, 1} {
		for len(terms) >= count {
			var args []any
			for _, t := range terms[:count] {
				args = append(args, t.Term, organisationID, string(t.Kind))
			}
			if _, err := c.exec(ctx, insertSearchTermsSQL(count), args...); err != nil {
				return err
			}
			terms = terms[count:]
		}
	}
	return nil
}

func insertSearchTermsSQL(count int) string {
	return "INSERT INTO search_terms (term, organisation_id, kind) VALUES (?, ?, ?)" + strings.Repeat(", (?, ?, ?)", count-1) +
		" ON CONFLICT DO NOTHING"
}

// syncMemberTerms updates the terms of an organisation's members. The organisation must be locked.
func (c conn) syncMemberTerms(ctx context.Context, organisationID string) error {
	members, err := c.readMembers(ctx, organisationID)
	if err != nil {
		return err
	}
	var storedTerms termList
	if err := c.list(ctx, &storedTerms, selectTermsOfPeopleSQL, organisationID); err != nil {
		return err
	}
	return c.replaceSearchTerms(ctx, organisationID, storedTerms.sorted(), memberTerms(members))
}

// syncMemberTermsOfUser updates the terms of all organisations of a user, whom the transaction has locked and changed. It locks
// the organisations after the user. If that causes a deadlock, the database ends one of the transactions, which is run again.
func (c conn) syncMemberTermsOfUser(ctx context.Context, userID string) error {
	if err := c.lockOrganisations(ctx, userID); err != nil {
		return err
	}
	var ids []string
	if err := c.list(ctx, &ids, selectOrganisationIDsSQL, userID); err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.syncMemberTerms(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
