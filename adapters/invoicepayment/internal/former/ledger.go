package former

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

// ledger holds everything about one customer in a transaction. Its methods change it in memory; save
// stores the changes.
type ledger struct {
	*Provider
	now           time.Time
	approved      bool
	customer      customer
	subscriptions []subscription // newest first
	invoices      []invoice      // newest first
	changed       map[string]bool
	report        bool // makes save count a change that Tick reports
	tables.Reports
}

const (
	selectCustomer      = "SELECT document, changes, reported, failures FROM invoice_customers WHERE id = ?"
	selectSubscriptions = "SELECT position, document FROM invoice_subscriptions WHERE customer_id = ? ORDER BY position DESC"
	selectInvoices      = "SELECT number, renewal_of, document FROM invoice_invoices WHERE customer_id = ? ORDER BY number DESC"
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
func (p *Provider) load(ctx context.Context, tx plugin.Tx, customerID string, lock bool) (*ledger, error) {
	get := tx.Get
	if lock {
		get = tx.Lock
	}
	l := &ledger{Provider: p, now: p.now(), changed: map[string]bool{}}
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
	l.approved = !p.Approval
	if p.Approval {
		if err := tx.Get(ctx, &l.approved, selectApproved, l.customer.Organisation); err != nil {
			return nil, err
		}
	}
	return l, l.loadRecords(ctx, tx)
}

func (l *ledger) loadRecords(ctx context.Context, tx plugin.Tx) error {
	var subscriptions []struct {
		Position int64  `db:"position"`
		Document string `db:"document"`
	}
	if err := tx.List(ctx, &subscriptions, selectSubscriptions, l.customer.ID); err != nil {
		return err
	}
	for _, row := range subscriptions {
		s := subscription{Position: row.Position}
		if err := json.Unmarshal([]byte(row.Document), &s); err != nil {
			return err
		}
		l.subscriptions = append(l.subscriptions, s)
	}
	var invoices []struct {
		Number    int64  `db:"number"`
		RenewalOf *int64 `db:"renewal_of"`
		Document  string `db:"document"`
	}
	if err := tx.List(ctx, &invoices, selectInvoices, l.customer.ID); err != nil {
		return err
	}
	for _, row := range invoices {
		inv := invoice{Number: row.Number, RenewalOf: row.RenewalOf}
		if err := json.Unmarshal([]byte(row.Document), &inv); err != nil {
			return err
		}
		l.invoices = append(l.invoices, inv)
	}
	return nil
}

// save stores what has changed and gives new invoices their numbers.
func (l *ledger) save(ctx context.Context, tx plugin.Tx) error {
	for _, s := range slices.Backward(l.subscriptions) {
		if !l.changed[s.ID] {
			continue
		}
		document, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, upsertSubscription, s.ID, l.customer.ID, s.Position, string(document)); err != nil {
			return err
		}
	}
	for i := range slices.Backward(l.invoices) {
		if l.changed[l.invoices[i].ID] {
			if err := l.saveInvoice(ctx, tx, &l.invoices[i]); err != nil {
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
	document, err := json.Marshal(l.customer)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, updateCustomer, l.NextAt(l.nextAt()), string(document), l.Changes, l.Reported, l.Failures, l.customer.ID)
	return err
}

func (l *ledger) saveInvoice(ctx context.Context, tx plugin.Tx, inv *invoice) error {
	isNew := inv.Number == 0
	if isNew {
		if err := tx.Get(ctx, &inv.Number, nextNumber); err != nil {
			return err
		}
	}
	document, err := json.Marshal(inv)
	switch {
	case err != nil:
	case isNew:
		_, err = tx.Exec(ctx, insertInvoice,
			inv.ID, inv.Number, l.customer.ID, inv.Subscription, inv.RenewalOf, string(inv.Status), string(document))
	default:
		_, err = tx.Exec(ctx, updateInvoice, string(inv.Status), string(document), inv.ID)
	}
	return err
}

// put replaces the subscription, or inserts a new one at the front.
func (l *ledger) put(s subscription) {
	l.changed[s.ID] = true
	if i := l.indexOf(s.ID); i >= 0 {
		s.Position = l.subscriptions[i].Position
		l.subscriptions[i] = s
		return
	}
	s.Position = int64(len(l.subscriptions)) + 1
	l.subscriptions = slices.Insert(l.subscriptions, 0, s)
}

func (l *ledger) indexOf(subscriptionID string) int {
	return slices.IndexFunc(l.subscriptions, func(s subscription) bool { return s.ID == subscriptionID })
}

func (l *ledger) subscription(id string) (subscription, error) {
	if i := l.indexOf(id); i >= 0 {
		return l.subscriptions[i], nil
	}
	return subscription{}, errNoSubscription()
}

// putInvoice replaces the invoice, or inserts a new one at the front.
func (l *ledger) putInvoice(inv invoice) {
	l.changed[inv.ID] = true
	i := slices.IndexFunc(l.invoices, func(known invoice) bool { return known.ID == inv.ID })
	if i >= 0 {
		l.invoices[i] = inv
		return
	}
	l.invoices = slices.Insert(l.invoices, 0, inv)
}

// invoice returns the invoice with the id, or the zero invoice.
func (l *ledger) invoice(id string) invoice {
	for _, inv := range l.invoices {
		if inv.ID == id {
			return inv
		}
	}
	return invoice{}
}

// openInvoice returns the open invoice of the subscription that is not that of a pending change. There
// is at most one, because an unpaid subscription ends before its next invoice.
func (l *ledger) openInvoice(s subscription) (invoice, bool) {
	for _, inv := range l.invoices {
		if inv.Subscription == s.ID && inv.Status == billing.InvoiceOpen && inv.ID != s.Pending.Invoice {
			return inv, true
		}
	}
	return invoice{}, false
}

// changeCustomer changes a customer's ledger once for the key and returns the customer.
func (p *Provider) changeCustomer(
	ctx context.Context, name, key, customerID string, request any, do func(*ledger) error,
) (billing.Customer, error) {
	return runOnce(ctx, p, name, key, request, func(tx plugin.Tx) (billing.Customer, error) {
		l, err := p.change(ctx, tx, customerID, do)
		if err != nil {
			return billing.Customer{}, err
		}
		return l.billingCustomer(), nil
	})
}

// changeSubscription changes a customer's ledger and returns the subscription.
func (p *Provider) changeSubscription(
	ctx context.Context, tx plugin.Tx, customerID, id string, do func(*ledger) error,
) (billing.Subscription, error) {
	l, err := p.change(ctx, tx, customerID, do)
	if err != nil {
		return billing.Subscription{}, err
	}
	s, err := l.subscription(id)
	return l.billingSubscription(s), err
}

// change locks a customer's ledger, processes what is due, calls do and stores the changes.
func (p *Provider) change(ctx context.Context, tx plugin.Tx, customerID string, do func(*ledger) error) (*ledger, error) {
	l, err := p.load(ctx, tx, customerID, true)
	if err != nil {
		return nil, err
	}
	l.advance()
	if err := do(l); err != nil {
		return nil, err
	}
	return l, l.save(ctx, tx)
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

func errNoCustomer() error { return fault.New(fault.NotFound, "There is no such customer.") }

func errNoSubscription() error { return fault.New(fault.NotFound, "There is no such subscription.") }

func errNoInvoice() error { return fault.New(fault.NotFound, "There is no such invoice.") }
