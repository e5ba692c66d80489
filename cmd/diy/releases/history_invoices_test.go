package releases

import (
	"context"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
)

// invoicePlans creates the organisations that pay by bank transfer.
func (h *history) invoicePlans() {
	h.t.Helper()
	ctx := h.t.Context()
	paid := h.order("transferred")
	invoice := h.allow(paid)
	h.recordPayment(paid, invoice, 5000, "ANZ 1")
	h.changeInvoice(paid, audit.OperatorRecordedRefund, func(ctx context.Context) (invoicepayment.InvoiceInfo, error) {
		result, err := h.invoices.RecordRefund(ctx, invoicepayment.Transfer{InvoiceNumber: invoice.Number, Amount: dollars(1000), Reference: "ANZ 2"})
		return result.InvoiceInfo, err
	})

	voided := h.order("voided")
	invoice = h.allow(voided)
	h.changeInvoice(voided, audit.OperatorVoidedInvoice, func(ctx context.Context) (invoicepayment.InvoiceInfo, error) {
		return h.invoices.VoidInvoice(ctx, invoice.Number)
	})

	reversed := h.order("reversed")
	invoice = h.allow(reversed)
	h.recordPayment(reversed, invoice, 3900, "ANZ 3")
	h.changeInvoice(reversed, audit.OperatorReversedTransfer, func(ctx context.Context) (invoicepayment.InvoiceInfo, error) {
		return h.invoices.ReverseTransfer(ctx, "ANZ 3")
	})
	h.recordPayment(reversed, invoice, 1000, "ANZ 4")
	h.pass(time.Hour)
	require.NoError(h.t, h.invoiceApp.ReportTransfer.Do(ctx, reversed.Identity, invoice.ID))

	withdrawn := h.order("withdrawn")
	_, err := h.invoiceApp.EndSubscription.Do(ctx, withdrawn.Identity, app.EndRequest{Reason: billing.OtherReason})
	require.NoError(h.t, err)
}

// order signs an organisation up and orders a plan, which waits for the approval.
func (h *history) order(name string) *apptest.User {
	h.t.Helper()
	user := h.SignUpOnServer(h.invoiceApp, name)
	_, err := h.invoiceApp.Subscribe.Do(h.t.Context(), user.Identity, app.SubscribeRequest{Price: apptest.StandardMonthly, NoTrial: true})
	require.NoError(h.t, err)
	return user
}

// allow approves an organisation and returns its first invoice.
func (h *history) allow(user *apptest.User) billing.Invoice {
	h.t.Helper()
	h.changeInvoice(user, audit.OperatorAllowedInvoices, func(ctx context.Context) (info invoicepayment.InvoiceInfo, err error) {
		_, err = h.invoices.ApproveOrganisation(ctx, user.OrganisationID)
		return info, err
	})
	list, err := h.invoiceApp.ListInvoices.Do(h.t.Context(), user.Identity, 1, "")
	require.NoError(h.t, err)
	require.Len(h.t, list.Invoices, 1)
	return list.Invoices[0]
}

// recordPayment records a bank transfer for an invoice.
func (h *history) recordPayment(user *apptest.User, invoice billing.Invoice, minor int64, reference string) {
	h.t.Helper()
	h.changeInvoice(user, audit.OperatorRecordedPayment, func(ctx context.Context) (invoicepayment.InvoiceInfo, error) {
		transfer := invoicepayment.Transfer{InvoiceNumber: invoice.Number, Amount: dollars(minor), Reference: reference}
		result, err := h.invoices.RecordPayment(ctx, transfer)
		return result.InvoiceInfo, err
	})
}

// changeInvoice makes a change as the command "diy invoice" does.
func (h *history) changeInvoice(
	user *apptest.User, kind audit.Kind, apply func(context.Context) (invoicepayment.InvoiceInfo, error),
) {
	h.t.Helper()
	change := operators.InvoiceChange{Kind: kind, Apply: func(ctx context.Context) (operators.ChangedInvoice, error) {
		info, err := apply(ctx)
		return operators.ChangedInvoice{OrganisationID: user.OrganisationID, InvoiceID: info.ID}, err
	}}
	h.changes++
	req := action(user, fmt.Sprint("act_", h.changes), audit.CustomerRequest)
	require.NoError(h.t, h.invoiceApp.ChangeInvoice.Do(asOperator(h.t.Context()), req, change))
}
