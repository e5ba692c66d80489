package invoicepayment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

// ledger holds a customer in a transaction. Requests change it in memory; save stores the changes.
type ledger struct {
	*Provider
	customer  customer // but for currency and credit, which are those of the account
	account   *engine.Account
	documents map[string]document // by the id of the invoice
	report    bool                // makes save count a change that Tick reports
	tables.Reports
}

// scope selects which invoices a ledger has in addition to those that an account always needs, see engine.Account.
type scope struct {
	invoice string // id; "" for no other
	all     bool
}

const (
	selectCustomer      = "SELECT document, changes, reported, failures FROM invoice_customers WHERE id = ?"
	selectSubscriptions = "SELECT document FROM invoice_subscriptions WHERE customer_id = ? ORDER BY position DESC"
	selectInvoices      = "SELECT i.number, i.document FROM invoice_invoices i WHERE i.customer_id = ?"
	// whereNeeded restricts selectInvoices to open and refunded invoices and those with some ids.
	whereNeeded = ` AND (i.status = 'open' OR i.id IN (%s)
		OR EXISTS (SELECT 1 FROM invoice_transfers t WHERE t.invoice_id = i.id AND t.applied < 0))`
	newestInvoicesFirst = " ORDER BY i.number DESC"
	selectApproved      = "SELECT EXISTS (SELECT 1 FROM invoice_approvals WHERE organisation_id = ?)"

	insertCustomer     = "INSERT INTO invoice_customers (id, organisation_id, created_at, next_at, document) VALUES (?, ?, ?, ?, ?)"
	updateCustomer     = "UPDATE invoice_customers SET next_at = ?, document = ?, changes = ?, reported = ?, failures = ? WHERE id = ?"
	upsertSubscription = `INSERT INTO invoice_subscriptions (id, customer_id, position, document) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET document = excluded.document`
	nextNumber    = "UPDATE invoice_numbers SET last = last + 1 WHERE name = 'invoice' RETURNING last"
	insertInvoice = `INSERT INTO invoice_invoices (id, number, customer_id, subscription_id, renewal_of, status, document)
		VALUES (?, ?, ?, ?, ?, ?, ?)`
	updateInvoice = "UPDATE invoice_invoices SET status = ?, document = ? WHERE id = ?"
)

// load reads the ledger of a customer. With lock, no other transaction can change it until this one ends.
func (p *Provider) load(ctx context.Context, tx plugin.Tx, customerID string, lock bool, with scope) (*ledger, error) {
	get := tx.Get
	if lock {
		get = tx.Lock
	}
	l := &ledger{Provider: p, documents: map[string]document{}}
	var row struct {
		Document string `db:"document"`
		tables.Reports
	}
	err := get(ctx, &row, selectCustomer, customerID)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil, errNoCustomer()
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal([]byte(row.Document), &l.customer); err != nil {
		return nil, err
	}
	if l.customer.Deleted {
		return nil, fault.Wrap(payment.ErrCustomerDeleted, fault.NotFound, "There is no such customer.")
	}
	l.Reports = row.Reports
	l.account = &engine.Account{
		Terms: p.Terms.Terms, NewInvoiceID: newInvoiceID, Approved: !p.Approval, Now: p.now(),
		Currency: l.customer.Currency, Credit: l.customer.Credit,
	}
	if p.Approval {
		if err := tx.Get(ctx, &l.account.Approved, selectApproved, l.customer.Organisation); err != nil {
			return nil, err
		}
	}
	if err := l.loadSubscriptions(ctx, tx); err != nil {
		return nil, err
	}
	return l, l.loadInvoices(ctx, tx, with)
}

func (l *ledger) loadSubscriptions(ctx context.Context, tx plugin.Tx) error {
	var documents []string
	if err := tx.List(ctx, &documents, selectSubscriptions, l.customer.ID); err != nil {
		return err
	}
	l.account.Subscriptions = make([]engine.AccountSubscription, len(documents))
	for i, text := range documents {
		if err := json.Unmarshal([]byte(text), &l.account.Subscriptions[i]); err != nil {
			return err
		}
	}
	return nil
}

func (l *ledger) loadInvoices(ctx context.Context, tx plugin.Tx, with scope) error {
	query, args := selectInvoices, []any{l.customer.ID}
	if !with.all {
		ids := []any{with.invoice}
		for _, s := range l.account.Subscriptions {
			ids = append(ids, s.Invoice, s.Prepaid, s.Pending.Invoice)
		}
		query += fmt.Sprintf(whereNeeded, placeholders(len(ids)))
		args = append(args, ids...)
	}
	found, err := queryInvoices(ctx, tx, query+newestInvoicesFirst, args...)
	for _, inv := range found {
		l.account.Invoices = append(l.account.Invoices, inv.Invoice)
		l.documents[inv.ID] = inv.document
	}
	return err
}

// placeholders returns n placeholders of a statement, at least one.
func placeholders(n int) string { return "?" + strings.Repeat(", ?", n-1) }

// queryInvoices returns the invoices of a query that begins as selectInvoices.
func queryInvoices(ctx context.Context, tx plugin.Tx, query string, args ...any) ([]invoice, error) {
	var rows []struct {
		Number   int64  `db:"number"`
		Document string `db:"document"`
	}
	if err := tx.List(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	found := make([]invoice, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal([]byte(row.Document), &found[i]); err != nil {
			return nil, err
		}
		found[i].Number = row.Number
	}
	return found, nil
}

// completeInvoices adds the documents of new invoices, with the customer as it is now.
func (l *ledger) completeInvoices() {
	for _, inv := range l.account.Invoices {
		if _, known := l.documents[inv.ID]; known {
			continue
		}
		tax, _ := l.Catalogue.Tax(inv.Currency)
		l.documents[inv.ID] = document{
			Tax: l.Catalogue.TaxIncluded(amountOf(inv.Total, inv.Currency)).Minor(), TaxName: tax.Label(),
			Buyer: buyer{l.customer.Name, l.customer.Details}, TimeZone: l.customer.Details.Address.TimeZone(),
		}
	}
}

// change locks a customer's ledger, processes what is due, calls do and stores the changes.
func (p *Provider) change(ctx context.Context, tx plugin.Tx, customerID string, with scope, do func(*ledger) error) (*ledger, error) {
	l, err := p.load(ctx, tx, customerID, true, with)
	if err != nil {
		return nil, err
	}
	l.report = l.account.Advance(l.account.Now)
	l.completeInvoices()
	if err := do(l); err != nil {
		return nil, err
	}
	return l, l.save(ctx, tx)
}

// save stores what has changed and gives new invoices their numbers.
func (l *ledger) save(ctx context.Context, tx plugin.Tx) error {
	l.completeInvoices()
	subscriptions, invoices := l.account.Subscriptions, l.account.Invoices
	for i, s := range slices.Backward(subscriptions) {
		if !l.account.Changed(s.ID) {
			continue
		}
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		position := len(subscriptions) - i // none is ever removed
		if _, err := tx.Exec(ctx, upsertSubscription, s.ID, l.customer.ID, position, string(text)); err != nil {
			return err
		}
	}
	for i := range slices.Backward(invoices) {
		if l.account.Changed(invoices[i].ID) {
			if err := l.saveInvoice(ctx, tx, &invoices[i]); err != nil {
				return err
			}
		}
	}
	return l.saveCustomer(ctx, tx)
}

func (l *ledger) saveCustomer(ctx context.Context, tx plugin.Tx) error {
	if l.report {
		l.Changes++
	}
	l.customer.Currency, l.customer.Credit = l.account.Currency, l.account.Credit
	text, err := json.Marshal(l.customer)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, updateCustomer, l.NextAt(l.account.NextAt()), string(text), l.Changes, l.Reported, l.Failures, l.customer.ID)
	return err
}

func (l *ledger) saveInvoice(ctx context.Context, tx plugin.Tx, inv *engine.Invoice) error {
	isNew := inv.Number == 0
	if isNew {
		if err := tx.Get(ctx, &inv.Number, nextNumber); err != nil {
			return err
		}
	}
	text, err := json.Marshal(invoice{*inv, l.documents[inv.ID]})
	switch {
	case err != nil:
	case isNew:
		_, err = tx.Exec(ctx, insertInvoice,
			inv.ID, inv.Number, l.customer.ID, inv.Subscription, nullableUnix(inv.RenewalOf), string(inv.Status), string(text))
	default:
		_, err = tx.Exec(ctx, updateInvoice, string(inv.Status), string(text), inv.ID)
	}
	return err
}

// nullableUnix returns the time as it is stored, NULL for the zero time.
func nullableUnix(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	seconds := t.Unix()
	return &seconds
}

// changeCustomer changes a customer's ledger once for the key and returns the customer.
func (p *Provider) changeCustomer(
	ctx context.Context, name, key, customerID string, request any, do func(*ledger) error,
) (billing.Customer, error) {
	return runOnce(ctx, p, name, key, request, func(tx plugin.Tx) (billing.Customer, error) {
		l, err := p.change(ctx, tx, customerID, scope{}, do)
		if err != nil {
			return billing.Customer{}, err
		}
		return l.customer.billing(), nil
	})
}

const selectOwner = "SELECT customer_id FROM invoice_subscriptions WHERE id = ?"

// ownerOf returns the id of a subscription's customer.
func ownerOf(ctx context.Context, tx plugin.Tx, subscriptionID string) (id string, err error) {
	err = tx.Get(ctx, &id, selectOwner, subscriptionID)
	if fault.Is(err, fault.NotFound) {
		return "", errNoSubscription()
	}
	return id, err
}

// readOwner is ownerOf in a transaction of its own.
func (p *Provider) readOwner(ctx context.Context, subscriptionID string) (id string, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		id, err = ownerOf(ctx, tx, subscriptionID)
		return err
	})
	return id, unavailable(err)
}

func errNoCustomer() error { return fault.New(fault.NotFound, "There is no such customer.") }

func errNoSubscription() error { return fault.New(fault.NotFound, "There is no such subscription.") }

func errNoInvoice() error { return fault.New(fault.NotFound, "There is no such invoice.") }
