package operators

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// RefundInvoice refunds a part of the payments of an invoice to the method that was charged.
type RefundInvoice struct{ runner actionRunner }

// RefundPreview contains the data of the form for a refund.
type RefundPreview struct {
	Effect
	Invoice billing.Invoice
	Max     money.Amount // the largest refund
}

// Preview returns the invoice and the effect of its largest refund. invoiceID "" means the newest invoice with a payment
// that can be refunded.
func (u *RefundInvoice) Preview(ctx context.Context, organisationID, invoiceID string) (preview RefundPreview, err error) {
	if err := Require(ctx, MayRefund); err != nil {
		return preview, err
	}
	preview.Effect, err = u.runner.preview(ctx, organisationID,
		func(ctx context.Context, org account.Organisation) (decision, error) {
			inv, err := u.invoice(ctx, org, invoiceID)
			if err != nil {
				return decision{}, err
			}
			preview.Invoice, preview.Max = inv, inv.Refundable()
			return decideRefund(org, inv, preview.Max)
		})
	return preview, err
}

// MaxInvoices is the number of newest invoices among which operators look for payments that can be refunded.
const MaxInvoices = 24

// Invoices returns the newest invoices with a payment that can be refunded, newest first. If there is none, it returns the
// refusal of the newest invoice.
func (u *RefundInvoice) Invoices(ctx context.Context, organisationID string) (refundable []billing.Invoice, err error) {
	if err := Require(ctx, MayRefund); err != nil {
		return nil, err
	}
	org, err := u.runner.store.Organisation(ctx, organisationID)
	if err != nil {
		return nil, err
	}
	return u.refundable(ctx, org)
}

func (u *RefundInvoice) refundable(ctx context.Context, org account.Organisation) (refundable []billing.Invoice, err error) {
	if org.Billing.CustomerID == "" {
		return nil, errNoInvoices()
	}
	page, err := u.runner.provider.ListInvoices(ctx,
		payment.InvoiceQuery{CustomerID: org.Billing.CustomerID, Limit: MaxInvoices})
	if err != nil {
		return nil, err
	}
	return refundableOf(org, page.Invoices)
}

// refundableOf returns the invoices with a payment that can be refunded. If there is none, it returns the refusal of the first
// invoice.
func refundableOf(org account.Organisation, invoices []billing.Invoice) (refundable []billing.Invoice, err error) {
	for _, inv := range invoices {
		if refusal := billing.CheckRefund(&org.Billing, inv); refusal != nil {
			err = cmp.Or(err, refusal)
			continue
		}
		refundable = append(refundable, inv)
	}
	if len(refundable) == 0 {
		return nil, cmp.Or(err, errNoInvoices())
	}
	return refundable, nil
}

// refusal returns the reason why no payment of the invoices can be refunded, or nil.
func (u *RefundInvoice) refusal(org account.Organisation, invoices []billing.Invoice) error {
	refundable, err := refundableOf(org, invoices)
	if err != nil {
		return err
	}
	d, err := decideRefund(org, refundable[0], refundable[0].Refundable())
	if err != nil {
		return err
	}
	return u.runner.capabilities.CheckActions(d.actions)
}

func errNoInvoices() error { return fault.New(fault.Conflict, "There are no invoices.") }

// Do refunds the amount, such as "39.00" in the currency of the invoice. See Preview for invoiceID. Do returns the errors of
// billing.DecideRefund, Invalid for a text that is no amount, and NotFound for an invoice of another organisation.
func (u *RefundInvoice) Do(ctx context.Context, req ActionRequest, invoiceID, amountText string) error {
	if err := Require(ctx, MayRefund); err != nil {
		return err
	}
	amountText = strings.TrimSpace(amountText)
	return u.runner.run(ctx, audit.OperatorRefunded, req, []string{invoiceID, amountText},
		func(ctx context.Context, org account.Organisation) (decision, error) {
			inv, err := u.invoice(ctx, org, invoiceID)
			if err != nil {
				return decision{}, err
			}
			amount, err := money.Parse(amountText, inv.Total.Currency().Code)
			if err != nil {
				return decision{}, fault.Wrap(err, fault.Invalid, "Enter an amount such as 39.00.")
			}
			return decideRefund(org, inv, amount)
		})
}

// invoice returns the invoice as the provider reports it, or the newest one with a payment that can be refunded if the id
// is "".
func (u *RefundInvoice) invoice(ctx context.Context, org account.Organisation, invoiceID string) (billing.Invoice, error) {
	if invoiceID == "" {
		refundable, err := u.refundable(ctx, org)
		if err != nil {
			return billing.Invoice{}, err
		}
		return refundable[0], nil
	}
	errNoInvoice := fault.New(fault.NotFound, "There is no such invoice.")
	if org.Billing.CustomerID == "" {
		return billing.Invoice{}, errNoInvoice
	}
	page, err := u.runner.provider.ListInvoices(ctx,
		payment.InvoiceQuery{CustomerID: org.Billing.CustomerID, Limit: 1, InvoiceID: invoiceID})
	if err != nil || len(page.Invoices) == 0 {
		return billing.Invoice{}, fault.ReplaceNotFound(err, errNoInvoice)
	}
	return page.Invoices[0], nil
}

func decideRefund(org account.Organisation, inv billing.Invoice, amount money.Amount) (decision, error) {
	actions, err := billing.DecideRefund(&org.Billing, inv, amount)
	d := decision{
		actions: actions, subject: inv.ID,
		data: audit.Data{"amount": billing.AuditAmount(amount), "number": audit.Code(inv.Number)},
	}
	d.effect.add("Invoice", inv.Number)
	d.effect.add("Total", inv.Total.FormatWithCode())
	d.effect.add("Paid", inv.AmountPaid.FormatWithCode())
	d.effect.add("Goes back to", chargedMethods(inv))
	d.effect.add("Refunded before", formatPart(inv, inv.Refunded))
	d.effect.add("Returned by the bank before", formatPart(inv, inv.Returned))
	d.effect.add("Turned into credit before", formatPart(inv, inv.Credited))
	d.effect.add("Can be refunded", inv.Refundable().FormatWithCode())
	return d, err
}

// formatPart returns a part of the invoice in the currency of its total, because a part of zero can have no currency.
func formatPart(inv billing.Invoice, part money.Amount) string {
	if amount, err := money.New(part.Minor(), inv.Total.Currency().Code); err == nil {
		part = amount
	}
	return part.FormatWithCode()
}

// chargedMethods returns the names of the methods that paid the invoice, such as "Visa •••• 4242", to which refunds go.
func chargedMethods(inv billing.Invoice) string {
	var names []string
	for _, p := range inv.ReceivedPayments {
		name := "a method that the payment provider does not report"
		if p.Method != nil {
			name = p.Method.DisplayName()
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "the method that was charged")
}
