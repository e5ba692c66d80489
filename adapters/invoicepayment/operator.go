package invoicepayment

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// The methods in this file serve the commands of an operator. They may be called while servers run. The next Tick of a
// server reports each customer that they change, so that the application updates its copy.

// InvoiceInfo is an invoice as operators see it. EndsAt is in the time zone of the customer and all other times are in
// that of the invoice. Operators and the customer therefore see the same dates.
type InvoiceInfo struct {
	ID                 string
	Number             string
	OrganisationID     string
	CustomerName       string
	Status             billing.InvoiceStatus
	Total              money.Amount // as on the invoice
	CreditUsed         money.Amount // the part of Total that credit paid; negative if the invoice added credit
	Paid               money.Amount // including refunded amounts
	Refunded           money.Amount
	Balance            money.Amount // unpaid; zero unless the invoice is open
	Credit             money.Amount // of the customer
	Created            time.Time
	DueAt              time.Time
	SubscriptionStatus billing.Status
	EndsAt             time.Time // when the subscription ends unless the invoice is paid; zero unless it is past due
}

// InvoiceFilter selects invoices. The zero filter selects the unpaid ones of all organisations.
type InvoiceFilter struct {
	All            bool   // includes paid and void invoices
	OrganisationID string // "" for all
}

const (
	selectCustomersWithOpenInvoicesSQL = `SELECT DISTINCT customer_id FROM invoice_invoices WHERE status = 'open'
		ORDER BY customer_id`
	selectCustomersWithInvoicesSQL = `SELECT DISTINCT customer_id FROM invoice_invoices ORDER BY customer_id`
	selectInvoiceByNumberSQL       = "SELECT customer_id, id FROM invoice_invoices WHERE number = ?"
	insertApprovalSQL              = `INSERT INTO invoice_approvals (organisation_id, approved_at) VALUES (?, ?)
		ON CONFLICT DO NOTHING`
)

// ListInvoiceInfo returns the invoices that the filter selects, by customer and newest first. It does not process due renewals
// or expiries.
func (p *Provider) ListInvoiceInfo(ctx context.Context, filter InvoiceFilter) (invoices []InvoiceInfo, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		invoices = nil
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
	ctx context.Context, tx plugin.Tx, filter InvoiceFilter,
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

func invoiceInfo(r *ledger.Record, invoiceID string) InvoiceInfo {
	inv := r.Invoice(invoiceID)
	out := InvoiceInfo{
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

// VoidInvoice voids an open invoice. The customer owes nothing, and part payments become credit. A plan change that waits
// for the payment of the invoice is canceled. If the invoice is for the current period of a running subscription, the
// subscription ends.
func (p *Provider) VoidInvoice(ctx context.Context, number string) (InvoiceInfo, error) {
	return p.changeInvoice(ctx, number, func(_ plugin.Tx, r *ledger.Record, inv ledger.Invoice) error {
		return r.Account.Void(inv.ID)
	})
}

// changeInvoice calls change with the record of an invoice's customer, stores the changes, and returns the changed invoice.
func (p *Provider) changeInvoice(
	ctx context.Context, number string, change func(plugin.Tx, *ledger.Record, ledger.Invoice) error,
) (out InvoiceInfo, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		ids, err := p.findInvoice(ctx, tx, number)
		if err != nil {
			return err
		}
		r, err := p.UpdateInTx(ctx, tx, ids.CustomerID, ledger.Scope{AllInvoices: true}, func(r *ledger.Record) error {
			r.ReportInvoice(ids.InvoiceID)
			if err := change(tx, r, r.Invoice(ids.InvoiceID)); err != nil {
				return err
			}
			r.Account.Advance(r.Account.Now) // an invoice that is unpaid again may be overdue
			return nil
		})
		if err == nil {
			out = invoiceInfo(r, ids.InvoiceID)
		}
		return err
	})
	return out, ledger.AsFault(err)
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

// Order is a subscription that waits for the approval of its organisation.
type Order struct {
	OrganisationID string
	CustomerName   string
	Price          catalogue.PriceRef
	OrderedAt      time.Time // in the customer's time zone
}

// selectUnapprovedCustomersSQL selects the customers that may have an order. Every order expires, so its customer has a
// next_at, the time of the next due step.
const selectUnapprovedCustomersSQL = `SELECT id FROM invoice_customers WHERE next_at > 0
	AND organisation_id NOT IN (SELECT organisation_id FROM invoice_approvals) ORDER BY created_at, id`

// PendingOrders returns the orders that wait for [Provider.ApproveOrganisation], in the order in which their customers
// were created. It does not process due renewals or expiries.
func (p *Provider) PendingOrders(ctx context.Context) (orders []Order, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		orders = nil
		var ids []string
		if err := tx.List(ctx, &ids, selectUnapprovedCustomersSQL); err != nil {
			return err
		}
		return p.forEachCustomer(ctx, tx, ids, func(r *ledger.Record) {
			c := r.Customer
			for _, s := range r.Account.Subscriptions {
				if s.Status == billing.Incomplete && r.Account.Now.Before(s.ApprovalEndsAt()) {
					orders = append(orders, Order{c.OrganisationID, c.Name, s.Price, c.Details.Address.TimeZone().In(s.Created)})
				}
			}
		})
	})
	return orders, ledger.AsFault(err)
}

// ApproveOrganisation approves an organisation, so that it can pay by invoice. It starts the subscriptions that wait for
// the approval, and returns the number of started subscriptions.
func (p *Provider) ApproveOrganisation(ctx context.Context, organisationID string) (startedCount int, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		startedCount = 0
		if _, err := tx.Exec(ctx, insertApprovalSQL, organisationID, p.Now().Unix()); err != nil {
			return err
		}
		customers, err := p.CustomersOfOrganisation(ctx, tx, organisationID)
		if err != nil {
			return err
		}
		for _, c := range customers {
			_, err := p.UpdateInTx(ctx, tx, c.ID, ledger.Scope{}, func(r *ledger.Record) error {
				count := r.Account.Approve()
				r.NeedsReport = r.NeedsReport || count > 0
				startedCount += count
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return startedCount, ledger.AsFault(err)
}
