package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Invoice is an invoice of an account with its details. It is stored as JSON.
type Invoice struct {
	engine.Invoice
	InvoiceDetails
}

// InvoiceDetails contains the data that an invoice shows in addition to its amounts.
type InvoiceDetails struct {
	Tax      int64         `json:"tax,omitempty"`      // included in the total, in minor units
	TaxName  string        `json:"tax_name,omitempty"` // "GST 10 %"
	Buyer    Buyer         `json:"buyer"`
	TimeZone timezone.Zone `json:"time_zone,omitempty"` // of the dates
}

// Buyer contains the customer's details at the time when an invoice was issued.
type Buyer struct {
	Name    string                 `json:"name"`
	Details account.BillingDetails `json:"details,omitzero"`
}

// Amount returns an amount in a currency of the catalogue, or the zero amount if currency is "".
func Amount(minor int64, currency string) money.Amount {
	if currency == "" {
		return money.Amount{}
	}
	amount, err := money.New(minor, currency)
	if err != nil {
		panic(fmt.Sprintf("ledger: %v", err)) // the catalogue contains only known currencies
	}
	return amount
}

// Invoice returns an invoice of the record, or the zero invoice.
func (r *Record) Invoice(id string) Invoice {
	return Invoice{r.Account.Invoice(id), r.InvoiceDetails[id]}
}

// BillingInvoice converts the invoice to the type of the payment port, without its known payments and returns.
func (r *Record) BillingInvoice(inv Invoice) billing.Invoice {
	return billing.Invoice{
		ID: inv.ID, Number: r.Terms.InvoiceNumber(inv.Number), SubscriptionID: inv.Subscription, Status: inv.Status,
		Lines: engine.BillingLines(inv.Lines, r.Catalogue.PlanName), HasPDF: true,
		Tax: Amount(inv.Tax, inv.Currency), Total: Amount(inv.Total, inv.Currency),
		CreditUsed:     Amount(inv.CreditUsed-inv.CarriedForward, inv.Currency),
		CarriedForward: Amount(inv.CarriedForward, inv.Currency),
		AmountDue:      Amount(inv.AmountDue, inv.Currency), AmountPaid: Amount(inv.AmountPaid, inv.Currency),
		Refunded: Amount(inv.Refunded, inv.Currency), Credited: Amount(inv.TotalCredited, inv.Currency),
		Returned:  Amount(inv.BankReturned, inv.Currency),
		CreatedAt: inv.Created, DueAt: inv.DueAt, PaidAt: inv.PaidAt, NextAttemptAt: r.Account.NextAttemptAt(inv.Invoice),
		TimeZone: inv.TimeZone,
	}
}

// detailedInvoice converts the invoice with its known payments and returns.
func (r *Record) detailedInvoice(inv Invoice, payments []billing.ReceivedPayment) billing.Invoice {
	out := r.BillingInvoice(inv)
	out.ReceivedPayments = payments
	out.Returns = inv.Returns.Billing(out.Number, func(minor int64) money.Amount { return Amount(minor, inv.Currency) })
	return out
}

// whereOlderSQL restricts selectInvoicesSQL to invoices with a smaller number.
const whereOlderSQL = " AND i.number < ?"

// ListInvoices implements payment.Invoices.
func (l *Ledger) ListInvoices(ctx context.Context, req payment.InvoiceQuery) (out payment.InvoiceList, err error) {
	if err := req.Check(); err != nil {
		return out, err
	}
	err = l.Read(ctx, req.CustomerID, Scope{}, func(tx plugin.Tx, r *Record) error {
		invoices, err := r.queryPage(ctx, tx, req)
		if err != nil {
			return err
		}
		out = payment.InvoiceList{HasMore: len(invoices) > req.Limit}
		invoices = invoices[:min(req.Limit, len(invoices))]
		paymentsByInvoice, err := r.receivedPayments(ctx, tx, invoices)
		for _, inv := range invoices {
			billingInvoice := r.detailedInvoice(inv, paymentsByInvoice[inv.ID])
			billingInvoice.Buyer = inv.Buyer.Details.Buyer(inv.Buyer.Name)
			billingInvoice.Seller, billingInvoice.TaxName = r.Seller.Seller(), inv.TaxName
			out.Invoices = append(out.Invoices, billingInvoice)
		}
		return err
	})
	return out, err
}

// queryPage returns the invoices of the page, followed by one more invoice if there is another page.
func (r *Record) queryPage(ctx context.Context, tx plugin.Tx, req payment.InvoiceQuery) ([]Invoice, error) {
	query, args := selectInvoicesSQL, []any{r.Customer.ID}
	if id := cmp.Or(req.InvoiceID, req.After); id != "" {
		invoices, err := r.queryInvoices(ctx, tx, query+" AND i.id = ?", r.Customer.ID, id)
		switch {
		case err != nil:
			return nil, err
		case len(invoices) == 0:
			return nil, errNoInvoice()
		case req.InvoiceID != "":
			return invoices, nil
		}
		query, args = query+whereOlderSQL, append(args, invoices[0].Number)
	}
	return r.queryInvoices(ctx, tx, query+orderNewestFirstSQL+" LIMIT ?", append(args, req.Limit+1)...)
}

// receivedPayments returns the payments of the invoices by invoice id.
func (l *Ledger) receivedPayments(
	ctx context.Context, tx plugin.Tx, invoices []Invoice,
) (map[string][]billing.ReceivedPayment, error) {
	if l.ReceivedPayments == nil || len(invoices) == 0 {
		return nil, nil
	}
	return l.ReceivedPayments(ctx, tx, invoices)
}

// ReturnedPayments implements payment.Support.
func (l *Ledger) ReturnedPayments(ctx context.Context, customerID string) (returned []billing.ReturnedPayment, err error) {
	err = l.Read(ctx, customerID, Scope{AllInvoices: true}, func(_ plugin.Tx, r *Record) error {
		returned = nil
		for _, inv := range r.Account.Invoices {
			if max(inv.Refunded, inv.Refund.Amount) > 0 {
				returned = append(returned, r.TotalRefund(inv))
			}
			if inv.HasDispute() {
				returned = append(returned, r.TotalDispute(inv))
			}
		}
		slices.SortStableFunc(returned, func(x, y billing.ReturnedPayment) int { return y.At.Compare(x.At) })
		return nil
	})
	return returned, err
}

// TotalRefund returns all refunds of an invoice as one returned payment. It includes refunds of the part of the payment
// that had become credit.
func (r *Record) TotalRefund(inv engine.Invoice) billing.ReturnedPayment {
	return r.returnedPayment(inv, inv.Refund)
}

// TotalDispute returns all disputes of an invoice, and the payments that the bank has taken back and that the customer does
// not owe again, as one returned payment.
func (r *Record) TotalDispute(inv engine.Invoice) billing.ReturnedPayment {
	dispute := r.returnedPayment(inv, inv.Dispute)
	dispute.Dispute = inv.DisputeStatus()
	return dispute
}

func (r *Record) returnedPayment(inv engine.Invoice, returned engine.ReturnedPayment) billing.ReturnedPayment {
	return billing.ReturnedPayment{
		Payment: r.Terms.InvoiceNumber(inv.Number), Amount: Amount(returned.Amount, inv.Currency),
		Withdrawn: Amount(returned.Withdrawn, inv.Currency), Spent: Amount(returned.Spent, inv.Currency), At: returned.At,
	}
}

// InvoicePDF implements payment.Invoices. The document of an open invoice shows how to pay it.
func (l *Ledger) InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	document, err := l.invoiceDocument(ctx, customerID, invoiceID)
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	pdf, err := invoicepdf.Render(document)
	return payment.InvoiceDocument{Number: document.Invoice.Number, PDF: pdf}, err
}

// CreditNotePDF implements payment.Invoices.
func (l *Ledger) CreditNotePDF(ctx context.Context, customerID, invoiceID, number string) (payment.InvoiceDocument, error) {
	document, err := l.invoiceDocument(ctx, customerID, invoiceID)
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	pdf, err := invoicepdf.RenderCreditNote(document, number)
	return payment.InvoiceDocument{Number: number, PDF: pdf}, err
}

// invoiceDocument returns the document of the customer's invoice.
func (l *Ledger) invoiceDocument(ctx context.Context, customerID, invoiceID string) (invoicepdf.Document, error) {
	var document invoicepdf.Document
	err := l.Read(ctx, customerID, Scope{InvoiceID: invoiceID}, func(tx plugin.Tx, r *Record) error {
		inv := r.Invoice(invoiceID)
		if inv.ID == "" {
			return errNoInvoice()
		}
		paymentsByInvoice, err := l.receivedPayments(ctx, tx, []Invoice{inv})
		if err != nil {
			return err
		}
		document = invoicepdf.Document{
			Invoice: r.detailedInvoice(inv, paymentsByInvoice[inv.ID]), Seller: l.Seller,
			Buyer:         invoicepdf.NewBuyer(r.Customer.OrganisationID, inv.Buyer.Name, inv.Buyer.Details),
			PurchaseOrder: inv.Buyer.Details.PurchaseOrder, Tax: inv.TaxName,
		}
		if s, err := r.Subscription(inv.Subscription); err == nil {
			document.IsOverdue = s.IsInvoiceOverdue(inv.ID)
		}
		if r.Account.LatestAttempt(inv.ID).State == engine.AttemptProcessing {
			document.Invoice.Payment = &billing.Intent{Status: billing.Processing}
		}
		if inv.Status == billing.InvoiceOpen && l.PaymentInstructions != nil {
			document.PaymentInstructions = l.PaymentInstructions(inv)
		}
		return nil
	})
	return document, fault.ReplaceNotFound(err, errNoInvoice())
}
