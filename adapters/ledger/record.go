package ledger

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

// Record is a customer with its account, as read in a transaction. Requests change it in memory.
// Ledger.UpdateInTx stores the changes.
type Record struct {
	*Ledger
	Customer       Customer // Currency and Credit are as last saved; Account has the current values
	Account        *engine.Account
	InvoiceDetails map[string]InvoiceDetails // by the id of the invoice
	NeedsReport    bool                      // whether the transaction makes a change that Tick has to report
	tables.ReportState
}

// Scope selects further invoices and attempts for a record. A record always contains those that engine.Account needs.
type Scope struct {
	InvoiceID   string // "" for none
	AllInvoices bool
	AttemptKeys []string // for Config.LoadState

	lock bool // no other transaction can change the customer until the transaction ends
}

const (
	selectCustomerSQL      = "SELECT document, changes, reported, failures FROM @customers WHERE id = ?"
	selectSubscriptionsSQL = "SELECT document FROM @subscriptions WHERE customer_id = ? ORDER BY position DESC"
	selectInvoicesSQL      = "SELECT i.number, i.document FROM @invoices i WHERE i.customer_id = ?"
	// whereNeededSQL restricts selectInvoicesSQL to open invoices, invoices with the given ids, and invoices that meet
	// Config.NeededInvoicesSQL.
	whereNeededSQL      = " AND (i.status = 'open' OR i.id IN (%s) OR (%s))"
	orderNewestFirstSQL = " ORDER BY i.number DESC"

	updateCustomerSQL = `UPDATE @customers
		SET organisation_id = ?, next_at = ?, document = ?, changes = ?, reported = ?, failures = ? WHERE id = ?`
	upsertSubscriptionSQL = `INSERT INTO @subscriptions (id, customer_id, position, document) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET document = excluded.document`
	nextNumberSQL    = "UPDATE @numbers SET last = last + 1 WHERE name = 'invoice' RETURNING last"
	insertInvoiceSQL = `INSERT INTO @invoices (id, number, customer_id, subscription_id, renewal_of, status, document)
		VALUES (?, ?, ?, ?, ?, ?, ?)`
	updateInvoiceSQL = "UPDATE @invoices SET status = ?, document = ? WHERE id = ?"
)

// LoadInTx reads the record of a customer without processing due steps.
func (l *Ledger) LoadInTx(ctx context.Context, tx plugin.Tx, customerID string, scope Scope) (*Record, error) {
	r, err := l.loadCustomer(ctx, tx, customerID, scope.lock)
	if err != nil {
		return nil, err
	}
	r.Account = &engine.Account{
		Terms: l.Terms, NewInvoiceID: func() string { return l.IDPrefixes.Invoice + rand.Text() }, Approved: true, Now: l.Now(),
		TimeZone: r.Customer.Details.Address.TimeZone(), Currency: r.Customer.Currency, Credit: r.Customer.Credit,
	}
	if l.IsApproved != nil {
		if r.Account.Approved, err = l.IsApproved(ctx, tx, r.Customer.OrganisationID); err != nil {
			return nil, err
		}
	}
	r.Account.Subscriptions, err = QueryDocuments[engine.AccountSubscription](ctx, tx, l.sql(selectSubscriptionsSQL), customerID)
	if err != nil {
		return nil, err
	}
	invoiceIDs := []string{scope.InvoiceID}
	if l.LoadState != nil {
		neededIDs, err := l.LoadState(ctx, tx, r, scope)
		if err != nil {
			return nil, err
		}
		invoiceIDs = append(invoiceIDs, neededIDs...)
	}
	return r, r.loadInvoices(ctx, tx, scope.AllInvoices, invoiceIDs)
}

// loadCustomer reads the record of a customer without its account.
func (l *Ledger) loadCustomer(ctx context.Context, tx plugin.Tx, customerID string, lock bool) (*Record, error) {
	get := tx.Get
	if lock {
		get = tx.Lock
	}
	r := &Record{Ledger: l, InvoiceDetails: map[string]InvoiceDetails{}}
	var row struct {
		Document string `db:"document"`
		tables.ReportState
	}
	err := get(ctx, &row, l.sql(selectCustomerSQL), customerID)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, errNoCustomer()
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal([]byte(row.Document), &r.Customer); err != nil {
		return nil, err
	}
	if r.Customer.Deleted {
		return nil, fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "There is no such customer.")
	}
	r.ReportState = row.ReportState
	return r, nil
}

// QueryDocuments runs a query that selects a column of documents, and returns the decoded documents.
func QueryDocuments[T any](ctx context.Context, tx plugin.Tx, query string, args ...any) ([]T, error) {
	var texts []string
	if err := tx.List(ctx, &texts, query, args...); err != nil {
		return nil, err
	}
	documents := make([]T, len(texts))
	for i, text := range texts {
		if err := json.Unmarshal([]byte(text), &documents[i]); err != nil {
			return nil, err
		}
	}
	return documents, nil
}

func (r *Record) loadInvoices(ctx context.Context, tx plugin.Tx, all bool, ids []string) error {
	query, args := selectInvoicesSQL, []any{r.Customer.ID}
	if !all {
		for _, s := range r.Account.Subscriptions {
			ids = append(ids, s.LatestInvoice, s.PrepaidInvoice, s.Pending.Invoice)
		}
		query += fmt.Sprintf(whereNeededSQL, Placeholders(len(ids)), r.NeededInvoicesSQL)
		for _, id := range ids {
			args = append(args, id)
		}
	}
	invoices, err := r.queryInvoices(ctx, tx, query+orderNewestFirstSQL, args...)
	for _, inv := range invoices {
		r.Account.Invoices = append(r.Account.Invoices, inv.Invoice)
		r.InvoiceDetails[inv.ID] = inv.InvoiceDetails
	}
	return err
}

// Placeholders returns n placeholders of a statement, separated by commas. n is at least 1.
func Placeholders(n int) string { return "?" + strings.Repeat(", ?", n-1) }

// queryInvoices runs a query that begins with selectInvoicesSQL and returns the invoices.
func (l *Ledger) queryInvoices(ctx context.Context, tx plugin.Tx, query string, args ...any) ([]Invoice, error) {
	var rows []struct {
		Number   int64  `db:"number"`
		Document string `db:"document"`
	}
	if err := tx.List(ctx, &rows, l.sql(query), args...); err != nil {
		return nil, err
	}
	invoices := make([]Invoice, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal([]byte(row.Document), &invoices[i]); err != nil {
			return nil, err
		}
		invoices[i].Number = row.Number
	}
	return invoices, nil
}

// addInvoiceDetails adds details with the customer's current name and address for each new invoice.
func (r *Record) addInvoiceDetails() {
	for _, inv := range r.Account.Invoices {
		if _, exists := r.InvoiceDetails[inv.ID]; exists {
			continue
		}
		tax, _ := r.Catalogue.Tax(inv.Currency)
		r.InvoiceDetails[inv.ID] = InvoiceDetails{
			Tax: r.Catalogue.TaxIncluded(Amount(inv.Total, inv.Currency)).Minor(), TaxName: tax.Label(),
			Buyer: Buyer{r.Customer.Name, r.Customer.Details}, TimeZone: r.Account.TimeZone,
		}
	}
}

// ReportInvoice makes Tick report the customer, with the invoice in Event.InvoiceIDs.
func (r *Record) ReportInvoice(id string) {
	r.NeedsReport = true
	if !slices.Contains(r.Customer.ChangedInvoices, id) {
		r.Customer.ChangedInvoices = append(r.Customer.ChangedInvoices, id)
	}
}

// save stores the changes of the record and assigns numbers to new invoices.
func (r *Record) save(ctx context.Context, tx plugin.Tx) error {
	r.addInvoiceDetails()
	subscriptions, invoices := r.Account.Subscriptions, r.Account.Invoices
	for i, s := range slices.Backward(subscriptions) {
		if !r.Account.HasChanged(s.ID) {
			continue
		}
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		position := len(subscriptions) - i // subscriptions are never removed
		if _, err := tx.Exec(ctx, r.sql(upsertSubscriptionSQL), s.ID, r.Customer.ID, position, string(text)); err != nil {
			return err
		}
	}
	for i := range slices.Backward(invoices) {
		if r.Account.HasChanged(invoices[i].ID) {
			if err := r.saveInvoice(ctx, tx, &invoices[i]); err != nil {
				return err
			}
			if r.NeedsReport {
				r.ReportInvoice(invoices[i].ID)
			}
		}
	}
	return r.saveCustomer(ctx, tx)
}

func (r *Record) saveCustomer(ctx context.Context, tx plugin.Tx) error {
	if r.NeedsReport {
		r.Changes++
	}
	r.Customer.Currency, r.Customer.Credit = r.Account.Currency, r.Account.Credit
	if r.SaveState != nil {
		if err := r.SaveState(ctx, tx, r); err != nil {
			return err
		}
	}
	text, err := json.Marshal(r.Customer)
	if err != nil {
		return err
	}
	nextAt := r.NextAt(r.Account.NextWorkAt())
	_, err = tx.Exec(ctx, r.sql(updateCustomerSQL),
		r.Customer.OrganisationID, nextAt, string(text), r.Changes, r.ReportedChanges, r.Failures, r.Customer.ID)
	return err
}

func (r *Record) saveInvoice(ctx context.Context, tx plugin.Tx, inv *engine.Invoice) error {
	isNew := inv.Number == 0
	if isNew {
		if err := tx.Get(ctx, &inv.Number, r.sql(nextNumberSQL)); err != nil {
			return err
		}
	}
	text, err := json.Marshal(Invoice{*inv, r.InvoiceDetails[inv.ID]})
	if err != nil {
		return err
	}
	if isNew {
		_, err = tx.Exec(ctx, r.sql(insertInvoiceSQL),
			inv.ID, inv.Number, r.Customer.ID, inv.Subscription, nullableUnix(inv.RenewedPeriodStart), string(inv.Status),
			string(text))
		return err
	}
	_, err = tx.Exec(ctx, r.sql(updateInvoiceSQL), string(inv.Status), string(text), inv.ID)
	return err
}

// nullableUnix returns t in seconds since 1970, or nil for the zero time.
func nullableUnix(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	seconds := t.Unix()
	return &seconds
}
