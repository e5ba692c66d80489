package invoicepayment

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// The methods in this file implement payment.Transfers. They may be called while servers run. The next Tick of a server reports
// each customer that they change, so that the application updates its copy.

const (
	selectCustomersWithOpenInvoicesSQL = `SELECT DISTINCT customer_id FROM invoice_invoices WHERE status = 'open'
		ORDER BY customer_id`
	selectCustomersWithInvoicesSQL = `SELECT DISTINCT customer_id FROM invoice_invoices ORDER BY customer_id`
	selectInvoiceByNumberSQL       = "SELECT customer_id, id FROM invoice_invoices WHERE number = ?"
	insertApprovalSQL              = `INSERT INTO invoice_approvals (organisation_id, approved_at) VALUES (?, ?)
		ON CONFLICT DO NOTHING`
)

// ListInvoiceInfo implements payment.Transfers.
func (p *Provider) ListInvoiceInfo(
	ctx context.Context, filter payment.InvoiceFilter,
) (invoices []payment.InvoiceInfo, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		invoices = nil
		if filter.Number != "" {
			inv, err := p.readInvoiceInfo(ctx, tx, filter.Number)
			invoices = append(invoices, inv)
			return err
		}
		ids, err := p.customerIDsWithInvoices(ctx, tx, filter)
		if err != nil {
			return err
		}
		return p.forEachCustomer(ctx, tx, ids, func(r *ledger.Record) {
			for _, inv := range r.Account.Invoices {
				if filter.All || inv.Status == billing.InvoiceOpen {
					invoices = append(invoices, invoiceInfo(r, inv.ID))
				}
			}
		})
	})
	return invoices, ledger.AsFault(err)
}

// readInvoiceInfo returns the invoice with the number, or NotFound.
func (p *Provider) readInvoiceInfo(ctx context.Context, tx plugin.Tx, number string) (payment.InvoiceInfo, error) {
	ids, err := p.findInvoice(ctx, tx, number)
	if err != nil {
		return payment.InvoiceInfo{}, err
	}
	r, err := p.LoadInTx(ctx, tx, ids.CustomerID, ledger.Scope{AllInvoices: true})
	if err != nil {
		return payment.InvoiceInfo{}, err
	}
	return invoiceInfo(r, ids.InvoiceID), nil
}

// forEachCustomer calls fn with the records of the customers. It skips deleted customers.
func (p *Provider) forEachCustomer(ctx context.Context, tx plugin.Tx, ids []string, fn func(*ledger.Record)) error {
	for _, id := range ids {
		r, err := p.LoadInTx(ctx, tx, id, ledger.Scope{AllInvoices: true})
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		fn(r)
	}
	return nil
}

// customerIDsWithInvoices returns the ids of the customers whose invoices the filter can select.
func (p *Provider) customerIDsWithInvoices(
	ctx context.Context, tx plugin.Tx, filter payment.InvoiceFilter,
) (ids []string, err error) {
	if filter.OrganisationID == "" {
		query := selectCustomersWithOpenInvoicesSQL
		if filter.All {
			query = selectCustomersWithInvoicesSQL
		}
		return ids, tx.List(ctx, &ids, query)
	}
	customers, err := p.CustomersOfOrganisation(ctx, tx, filter.OrganisationID)
	for _, c := range customers {
		ids = append(ids, c.ID)
	}
	return ids, err
}

func invoiceInfo(r *ledger.Record, invoiceID string) payment.InvoiceInfo {
	inv := r.Invoice(invoiceID)
	out := payment.InvoiceInfo{
		ID: inv.ID, Number: r.Terms.InvoiceNumber(inv.Number),
		OrganisationID: r.Customer.OrganisationID, CustomerName: r.Customer.Name, Status: inv.Status,
		Total: ledger.Amount(inv.Total, inv.Currency), CreditUsed: ledger.Amount(inv.CreditUsed-inv.CarriedForward, inv.Currency),
		Paid:     ledger.Amount(inv.AmountPaid, inv.Currency),
		Refunded: ledger.Amount(inv.Refunded, inv.Currency),
		Balance:  ledger.Amount(0, inv.Currency), Credit: ledger.Amount(r.Account.Credit, inv.Currency),
		Created: inv.TimeZone.In(inv.Created), DueAt: inv.TimeZone.In(inv.DueAt),
	}
	if inv.Status == billing.InvoiceOpen {
		out.Balance = ledger.Amount(inv.AmountRemaining(), inv.Currency)
	}
	if s, err := r.Account.Subscription(inv.Subscription); err == nil {
		out.SubscriptionStatus = s.Status
		if s.Status == billing.PastDue {
			out.EndsAt = r.Customer.Details.Address.TimeZone().In(r.Account.GraceEndsAt(inv.Invoice))
		}
	}
	return out
}

// VoidInvoice implements payment.Transfers.
func (p *Provider) VoidInvoice(ctx context.Context, number string, confirm payment.Confirm) (payment.InvoiceInfo, error) {
	return p.changeInvoice(ctx, number, confirm, func(c invoiceChange) error { return c.record.Account.Void(c.invoice.ID) })
}

// invoiceChange is a change of an invoice in a transaction.
type invoiceChange struct {
	tx          plugin.Tx
	record      *ledger.Record // of the customer
	invoice     ledger.Invoice // before the change
	description *payment.TransferChange
}

// errUnchanged is returned by a change that was made before. It is not confirmed.
var errUnchanged = errors.New("the change was made before")

// changeInvoice calls change with the record of an invoice's customer, stores the changes with the entry of confirm, and returns
// the changed invoice.
func (p *Provider) changeInvoice(
	ctx context.Context, number string, confirm payment.Confirm, change func(invoiceChange) error,
) (out payment.InvoiceInfo, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		ids, err := p.findInvoice(ctx, tx, number)
		if err != nil {
			return err
		}
		r, err := p.UpdateInTx(ctx, tx, ids.CustomerID, ledger.Scope{AllInvoices: true}, func(r *ledger.Record) error {
			before := invoiceInfo(r, ids.InvoiceID)
			description := payment.TransferChange{OrganisationID: r.Customer.OrganisationID, Before: before}
			r.ReportInvoice(ids.InvoiceID)
			err := change(invoiceChange{tx, r, r.Invoice(ids.InvoiceID), &description})
			if errors.Is(err, errUnchanged) {
				return nil
			}
			if err != nil {
				return err
			}
			r.Account.Advance(r.Account.Now) // an invoice that is unpaid again may be overdue
			description.After = invoiceInfo(r, ids.InvoiceID)
			return confirmInTx(ctx, tx, confirm, description)
		})
		if err == nil {
			out = invoiceInfo(r, ids.InvoiceID)
		}
		return err
	})
	return out, ledger.AsFault(err)
}

// confirmInTx stores the entry of confirm.
func confirmInTx(ctx context.Context, tx plugin.Tx, confirm payment.Confirm, change payment.TransferChange) error {
	entry, err := confirm(change)
	if err != nil {
		return err
	}
	return tx.AddAuditEntries(ctx, entry)
}

// invoiceIDs contains the ids of an invoice and of its customer.
type invoiceIDs struct {
	CustomerID string `db:"customer_id"`
	InvoiceID  string `db:"id"`
}

// findInvoice returns the ids of the invoice with the number, or NotFound.
func (p *Provider) findInvoice(ctx context.Context, tx plugin.Tx, number string) (ids invoiceIDs, err error) {
	numberValue, err := p.parseNumber(number)
	if err != nil {
		return invoiceIDs{}, err
	}
	err = tx.Get(ctx, &ids, selectInvoiceByNumberSQL, numberValue)
	if fault.Is(err, fault.NotFound) {
		err = errInvoiceNotFound(number)
	}
	return ids, err
}

// parseNumber parses the number of an invoice, with or without its prefix and leading zeros.
func (p *Provider) parseNumber(number string) (int64, error) {
	digits := strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(number)), strings.ToUpper(p.Terms.NumberPrefix))
	numberValue, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, errInvoiceNotFound(number)
	}
	return numberValue, nil
}

func errInvoiceNotFound(number string) error {
	return fault.Newf(fault.NotFound, "There is no invoice %s.", number)
}

// selectUnapprovedCustomersSQL selects the customers that may have an order. Every order expires, so its customer has a
// next_at, the time of the next due step.
const selectUnapprovedCustomersSQL = `SELECT id FROM invoice_customers WHERE next_at > 0
	AND organisation_id NOT IN (SELECT organisation_id FROM invoice_approvals) ORDER BY created_at, id`

// PendingOrders implements payment.Transfers.
func (p *Provider) PendingOrders(ctx context.Context) (orders []payment.Order, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		orders = nil
		var ids []string
		if err := tx.List(ctx, &ids, selectUnapprovedCustomersSQL); err != nil {
			return err
		}
		return p.forEachCustomer(ctx, tx, ids, func(r *ledger.Record) {
			orders = append(orders, pendingOrders(r)...)
		})
	})
	return orders, ledger.AsFault(err)
}

// pendingOrders returns the orders of the customer that wait for an approval.
func pendingOrders(r *ledger.Record) (orders []payment.Order) {
	c := r.Customer
	for _, s := range r.Account.Subscriptions {
		if s.Status == billing.Incomplete && r.Account.Now.Before(s.ApprovalEndsAt()) {
			orders = append(orders, payment.Order{
				OrganisationID: c.OrganisationID, CustomerName: c.Name, Price: s.Price, OrderedAt: c.Details.Address.TimeZone().In(s.Created),
			})
		}
	}
	return orders
}

// ApproveOrganisation implements payment.Transfers.
func (p *Provider) ApproveOrganisation(
	ctx context.Context, organisationID string, confirm payment.Confirm,
) (startedCount int, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		startedCount = 0
		if _, err := tx.Exec(ctx, insertApprovalSQL, organisationID, p.Now().Unix()); err != nil {
			return err
		}
		customers, err := p.CustomersOfOrganisation(ctx, tx, organisationID)
		if err != nil {
			return err
		}
		description := payment.TransferChange{OrganisationID: organisationID}
		for _, c := range customers {
			_, err := p.UpdateInTx(ctx, tx, c.ID, ledger.Scope{}, func(r *ledger.Record) error {
				description.Orders = append(description.Orders, pendingOrders(r)...)
				count := r.Account.Approve()
				r.NeedsReport = r.NeedsReport || count > 0
				startedCount += count
				return nil
			})
			if err != nil {
				return err
			}
		}
		return confirmInTx(ctx, tx, confirm, description)
	})
	return startedCount, ledger.AsFault(err)
}
