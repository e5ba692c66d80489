package model

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// operatorAction is an action of an operator in the console.
type operatorAction struct {
	name string
	do   func(ctx context.Context, s *app.UseCases, req operators.ActionRequest) error
}

// drawOperatorAction draws an action. Many of them are refused in most states.
func drawOperatorAction(t *rapid.T, state providerState) operatorAction {
	days := rapid.IntRange(1, operatorDays).Draw(t, "days")
	invoiceID, amount := "in_unknown", "1.00"
	if len(state.listedInvoices) > 0 {
		inv := rapid.SampledFrom(state.listedInvoices).Draw(t, "invoice")
		minor := rapid.Int64Range(1, inv.Refundable().Minor()+1).Draw(t, "amount")
		invoiceID, amount = inv.ID, fmt.Sprintf("%d.%02d", minor/100, minor%100)
	}
	return rapid.SampledFrom([]operatorAction{
		{"refund", func(ctx context.Context, s *app.UseCases, req operators.ActionRequest) error {
			return s.RefundInvoice.Do(ctx, req, invoiceID, amount)
		}},
		{"free month", func(ctx context.Context, s *app.UseCases, req operators.ActionRequest) error {
			return s.GrantFreeMonth.Do(ctx, req)
		}},
		{"extend trial", func(ctx context.Context, s *app.UseCases, req operators.ActionRequest) error {
			return s.ExtendTrial.Do(ctx, req, days)
		}},
		{"end plan", func(ctx context.Context, s *app.UseCases, req operators.ActionRequest) error {
			return s.EndPlan.Do(ctx, req)
		}},
		{"lift hold", func(ctx context.Context, s *app.UseCases, req operators.ActionRequest) error {
			return s.LiftHold.Do(ctx, req)
		}},
	}).Draw(t, "action")
}

// operatorDays is more than the largest extension of a trial.
const operatorDays = 31

// actAsOperator sends a form of an operator to a random server, which may fail or be killed, and sometimes sends it again.
func (h *harness) actAsOperator(t *rapid.T) {
	o := h.drawOrg(t)
	action := drawOperatorAction(t, h.providerState(t, o))
	h.operatorKeys++
	req := operators.ActionRequest{
		OrganisationID: o.user.OrganisationID, Key: "act_" + strconv.Itoa(h.operatorKeys), Reason: audit.Goodwill, Ticket: "T-1",
	}
	hadPendingOperation := h.hasPendingOperation(t, o)
	for range rapid.IntRange(1, 2).Draw(t, "times") {
		h.drawFault(t)
		server := h.drawServer(t)
		isKilled, err := runIsolated(func() error {
			return action.do(operators.WithOperator(t.Context(), operators.CommandLine("olga")), server, req)
		})
		hasFault := h.faults.faultOccurred()
		h.faults.setFault(nil, 0)
		t.Logf("operator: %s: %v, killed: %t, faulty: %t, pending: %t", action.name, err, isKilled, hasFault, hadPendingOperation)
		hadPendingOperation = hadPendingOperation || hasFault
		h.checkError(t, result{err: err, isKilled: isKilled}, hadPendingOperation)
		if err == nil && !isKilled {
			h.counters["operator: "+action.name]++
		}
	}
	o.lastRequest = nil // a repeat of it would be another request
	if hadPendingOperation {
		o.isOutcomeKnown = false
	}
	h.queueEvents()
}

// checkRefunds requires that no more than the payments of an invoice, without the part that became credit, went back.
func (state providerState) checkRefunds(t *rapid.T) {
	for _, inv := range state.listedInvoices {
		var received int64
		for _, p := range inv.ReceivedPayments {
			received += p.Amount.Minor()
		}
		assert.LessOrEqual(t, inv.Refunded.Minor(), max(received, inv.AmountPaid.Minor())-inv.Credited.Minor(),
			"the refunds of %s are at most what was paid without what became credit", inv.ID)
	}
}

// checkOperatorEntries requires that the audit log has one entry for each refund and each free month that the provider has made
// for an operator, with its amount.
func (h *harness) checkOperatorEntries(t *rapid.T, o *org, state providerState) {
	refunded := int64(0)
	for _, r := range h.monitor.refundsOf(state.listedInvoices) {
		refunded += r.Amount.Minor()
	}
	assert.Equal(t, refunded, h.sumEntries(t, o, audit.OperatorRefunded), "refunds of operators")
	assert.Equal(t, h.monitor.grantedSum(state.customer.ID), h.sumEntries(t, o, audit.OperatorGrantedMonth), "free months")
}

// sumEntries returns the sum of the amounts of the actions of the kind that were done.
func (h *harness) sumEntries(t *rapid.T, o *org, kind audit.Kind) (sum int64) {
	entries, err := h.Store.AuditEntries(t.Context(), storage.AuditQuery{OrganisationID: o.user.OrganisationID, Kind: kind, Limit: 1000})
	require.NoError(t, err)
	for _, e := range entries {
		if e.Outcome != audit.Done {
			continue
		}
		minor, _, _ := strings.Cut(e.Data["amount"], " ")
		amount, err := strconv.ParseInt(minor, 10, 64)
		require.NoError(t, err)
		sum += amount
	}
	return sum
}

// AddCredit records the free month of an operator.
func (m *callMonitor) AddCredit(ctx context.Context, req payment.CreditGrant) (billing.Customer, error) {
	customer, err := m.Provider.AddCredit(ctx, req)
	if err == nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.grants[req.Key] = req
	}
	return customer, err
}

// Refund records the refund of an operator.
func (m *callMonitor) Refund(ctx context.Context, req payment.RefundRequest) (billing.Invoice, error) {
	inv, err := m.Provider.Refund(ctx, req)
	if err == nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.refunds[req.Key] = req
	}
	return inv, err
}

// grantedSum returns the sum of the free months of a customer.
func (m *callMonitor) grantedSum(customerID string) (sum int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, grant := range m.grants {
		if grant.CustomerID == customerID {
			sum += grant.Amount.Minor()
		}
	}
	return sum
}

// refundsOf returns the refunds of operators of the invoices.
func (m *callMonitor) refundsOf(invoices []billing.Invoice) (refunds []payment.RefundRequest) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, refund := range m.refunds {
		for _, inv := range invoices {
			if inv.ID == refund.InvoiceID {
				refunds = append(refunds, refund)
			}
		}
	}
	return refunds
}
