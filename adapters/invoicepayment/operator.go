package invoicepayment

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// The methods in this file are for the operator. They may run beside servers: the next Tick of a server
// reports the customer, so that the application updates its copy.

// InvoiceInfo is an invoice as an operator sees it. Times are in the zone of the invoice, and EndsAt is in that of the
// customer, so that their dates are those that the customer sees.
type InvoiceInfo struct {
	Number       string
	Organisation string // id
	Customer     string // name
	Status       billing.InvoiceStatus
	Due          money.Amount // the total less credit
	Paid         money.Amount // including what was refunded
	Refunded     money.Amount
	Balance      money.Amount // still owed; zero unless the invoice is open
	Credit       money.Amount // of the customer
	Created      time.Time
	DueAt        time.Time
	Subscription billing.Status
	EndsAt       time.Time // when the subscription ends unless the invoice is paid; zero unless it is past due
}

// Filter selects invoices; the zero Filter selects the unpaid ones of all organisations.
type Filter struct {
	All            bool   // those that are paid or void, too
	OrganisationID string // "" for all
}

const (
	selectOpenCustomers = `SELECT DISTINCT customer_id FROM invoice_invoices WHERE status = 'open' ORDER BY customer_id`
	selectAllCustomers  = `SELECT DISTINCT customer_id FROM invoice_invoices ORDER BY customer_id`
	selectByNumber      = "SELECT customer_id, id FROM invoice_invoices WHERE number = ?"
	insertApproval      = "INSERT INTO invoice_approvals (organisation_id, approved_at) VALUES (?, ?) ON CONFLICT DO NOTHING"
)

// Invoices returns invoices, those of a customer newest first. It does not process what is due.
func (p *Provider) Invoices(ctx context.Context, filter Filter) (found []InvoiceInfo, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		found = nil
		ids, err := customersWithInvoices(ctx, tx, filter)
		if err != nil {
			return err
		}
		return p.forEach(ctx, tx, ids, func(l *ledger) {
			for _, inv := range l.account.Invoices {
				if filter.All || inv.Status == billing.InvoiceOpen {
					found = append(found, l.info(inv.ID))
				}
			}
		})
	})
	return found, unavailable(err)
}

// forEach calls fn with the ledgers of the customers that are not deleted.
func (p *Provider) forEach(ctx context.Context, tx plugin.Tx, customers []string, fn func(*ledger)) error {
	for _, id := range customers {
		l, err := p.load(ctx, tx, id, false, scope{all: true})
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		fn(l)
	}
	return nil
}

func customersWithInvoices(ctx context.Context, tx plugin.Tx, filter Filter) (ids []string, err error) {
	if filter.OrganisationID == "" {
		query := selectOpenCustomers
		if filter.All {
			query = selectAllCustomers
		}
		return ids, tx.List(ctx, &ids, query)
	}
	customers, err := customersOf(ctx, tx, filter.OrganisationID)
	for _, c := range customers {
		ids = append(ids, c.ID)
	}
	return ids, err
}

func (l *ledger) info(invoiceID string) InvoiceInfo {
	inv := l.invoice(invoiceID)
	out := InvoiceInfo{
		Number: l.Terms.Number(inv.Number), Organisation: l.customer.Organisation, Customer: l.customer.Name, Status: inv.Status,
		Due: amountOf(inv.Due, inv.Currency), Paid: amountOf(inv.Paid, inv.Currency), Refunded: amountOf(inv.Refunded, inv.Currency),
		Balance: amountOf(0, inv.Currency), Credit: amountOf(l.account.Credit, inv.Currency),
		Created: inv.zone().In(inv.Created), DueAt: inv.zone().In(inv.DueAt),
	}
	if inv.Status == billing.InvoiceOpen {
		out.Balance = amountOf(inv.Balance(), inv.Currency)
	}
	if s, err := l.account.Subscription(inv.Subscription); err == nil {
		out.Subscription = s.Status
		if s.Status == billing.PastDue {
			out.EndsAt = l.customer.Details.Address.TimeZone().In(l.account.EndsUnpaid(inv.Invoice))
		}
	}
	return out
}

// Void voids an open invoice: nothing is owed, and part payments become credit. The plan change that
// waits for it is dropped; a running subscription that it pays for ends, because its period is not paid.
func (p *Provider) Void(ctx context.Context, number string) (InvoiceInfo, error) {
	return p.changeInvoice(ctx, number, func(_ plugin.Tx, l *ledger, inv invoice) error { return l.account.Void(inv.ID) })
}

// changeInvoice changes the ledger of the customer of an invoice and returns the invoice afterwards.
func (p *Provider) changeInvoice(ctx context.Context, number string, do func(plugin.Tx, *ledger, invoice) error) (out InvoiceInfo, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		row, err := p.invoiceByNumber(ctx, tx, number)
		if err != nil {
			return err
		}
		l, err := p.change(ctx, tx, row.Customer, scope{all: true}, func(l *ledger) error {
			l.report = true
			if err := do(tx, l, l.invoice(row.ID)); err != nil {
				return err
			}
			l.account.Advance(l.account.Now) // an invoice that is unpaid again may be overdue
			return nil
		})
		if err == nil {
			out = l.info(row.ID)
		}
		return err
	})
	return out, unavailable(err)
}

// numberedInvoice is an invoice with its customer.
type numberedInvoice struct {
	Customer string `db:"customer_id"`
	ID       string `db:"id"`
}

// invoiceByNumber returns the invoice with a number; NotFound when there is none.
func (p *Provider) invoiceByNumber(ctx context.Context, tx plugin.Tx, number string) (found numberedInvoice, err error) {
	parsed, err := p.parseNumber(number)
	if err != nil {
		return numberedInvoice{}, err
	}
	err = tx.Get(ctx, &found, selectByNumber, parsed)
	if fault.Is(err, fault.NotFound) {
		err = errNoInvoiceNumber(number)
	}
	return found, err
}

// parseNumber returns the number of an invoice that is written with or without its prefix and zeros.
func (p *Provider) parseNumber(number string) (int64, error) {
	digits := strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(number)), strings.ToUpper(p.Terms.Prefix))
	parsed, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, errNoInvoiceNumber(number)
	}
	return parsed, nil
}

func errNoInvoiceNumber(number string) error {
	return fault.Newf(fault.NotFound, "There is no invoice %s.", number)
}

// Order is a subscription that waits for the approval of its organisation.
type Order struct {
	Organisation string // id
	Customer     string // name
	Price        catalogue.PriceRef
	Since        time.Time // in the customer's zone
}

// selectUnapproved selects the customers that may have an order. An order expires, so next_at is set.
const selectUnapproved = `SELECT id FROM invoice_customers WHERE next_at > 0
	AND organisation_id NOT IN (SELECT organisation_id FROM invoice_approvals) ORDER BY created_at, id`

// PendingOrders returns the orders that wait for [Provider.Allow], those of the oldest customer first. It
// does not process what is due.
func (p *Provider) PendingOrders(ctx context.Context) (found []Order, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		found = nil
		var ids []string
		if err := tx.List(ctx, &ids, selectUnapproved); err != nil {
			return err
		}
		return p.forEach(ctx, tx, ids, func(l *ledger) {
			for _, s := range l.account.Subscriptions {
				if s.Status == billing.Incomplete && l.account.Now.Before(s.ApprovalEnds()) {
					found = append(found, Order{l.customer.Organisation, l.customer.Name, s.Price, l.customer.Details.Address.TimeZone().In(s.Created)})
				}
			}
		})
	})
	return found, unavailable(err)
}

// Allow allows an organisation to pay by invoice and starts the subscriptions that wait for that. It
// returns how many there were.
func (p *Provider) Allow(ctx context.Context, organisationID string) (started int, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		started = 0
		if _, err := tx.Exec(ctx, insertApproval, organisationID, p.now().Unix()); err != nil {
			return err
		}
		customers, err := customersOf(ctx, tx, organisationID)
		if err != nil {
			return err
		}
		for _, c := range customers {
			_, err := p.change(ctx, tx, c.ID, scope{}, func(l *ledger) error {
				n := l.account.Approve()
				l.report = l.report || n > 0
				started += n
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return started, unavailable(err)
}
