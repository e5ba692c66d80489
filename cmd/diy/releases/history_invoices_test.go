package releases

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

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
	h.recordTransfer(paid, operators.PaymentTransfer, invoice, "50.00", "ANZ 1")
	h.recordTransfer(paid, operators.RefundTransfer, invoice, "10.00", "ANZ 2")

	voided := h.order("voided")
	invoice = h.allow(voided)
	_, err := h.invoiceApp.VoidInvoice.Do(asOperator(ctx), h.nextAction(voided), invoice.Number)
	require.NoError(h.t, err)

	reversed := h.order("reversed")
	invoice = h.allow(reversed)
	h.recordTransfer(reversed, operators.PaymentTransfer, invoice, "39.00", "ANZ 3")
	_, err = h.invoiceApp.ReverseTransfer.Do(asOperator(ctx), h.nextAction(reversed), "ANZ 3")
	require.NoError(h.t, err)
	h.recordTransfer(reversed, operators.PaymentTransfer, invoice, "10.00", "ANZ 4")
	h.pass(time.Hour)
	require.NoError(h.t, h.invoiceApp.ReportTransfer.Do(ctx, reversed.Identity, invoice.ID))

	withdrawn := h.order("withdrawn")
	_, err = h.invoiceApp.EndSubscription.Do(ctx, withdrawn.Identity, app.EndRequest{Reason: billing.OtherReason})
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
	_, err := h.invoiceApp.ApproveOrders.Do(asOperator(h.t.Context()), h.nextAction(user))
	require.NoError(h.t, err)
	list, err := h.invoiceApp.ListInvoices.Do(h.t.Context(), user.Identity, 1, "")
	require.NoError(h.t, err)
	require.Len(h.t, list.Invoices, 1)
	return list.Invoices[0]
}

// recordTransfer records a bank transfer for an invoice.
func (h *history) recordTransfer(user *apptest.User, kind operators.TransferKind, invoice billing.Invoice, amount, reference string) {
	h.t.Helper()
	_, err := h.invoiceApp.RecordTransfer.Do(asOperator(h.t.Context()), h.nextAction(user), operators.TransferRequest{
		Kind: kind, Number: invoice.Number, Amount: amount, Reference: reference,
	})
	require.NoError(h.t, err)
}

// nextAction returns the request of an operator for the next change of an invoice.
func (h *history) nextAction(user *apptest.User) operators.ActionRequest {
	h.changes++
	return action(user, fmt.Sprint("act_", h.changes), audit.CustomerRequest)
}
