package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
)

// newPaidFixture returns a fixture and a customer who has paid an invoice of 39.00.
func newPaidFixture(t *testing.T) (f *fixture, caller identity.Identity, invoiceID string) {
	t.Helper()
	f, caller = newSignedUpFixture(t)
	return f, caller, f.subscribe(caller, visa, standardMonthly, true).LatestInvoice.ID
}

func dollars(t *testing.T, minor int64) money.Amount {
	t.Helper()
	amount, err := money.New(minor, "AUD")
	require.NoError(t, err)
	return amount
}

// refunded returns what was refunded of the newest invoice, at the provider and in our copy.
func (f *fixture) refunded(caller identity.Identity) [2]int64 {
	f.t.Helper()
	page, err := f.ListInvoices.Do(f.t.Context(), caller, 1, "")
	require.NoError(f.t, err)
	stored, err := f.Store.Invoices(f.t.Context(), caller.OrganisationID)
	require.NoError(f.t, err)
	return [2]int64{page.Invoices[0].Refunded.Minor(), stored[0].Refunded.Minor()}
}

func TestRefund_ReturnsTheAmountAndRecordsTheOperator(t *testing.T) {
	f, caller, invoiceID := newPaidFixture(t)
	ctx := asOperator(t.Context())
	preview, err := f.RefundInvoice.Preview(ctx, caller.OrganisationID, invoiceID)
	require.NoError(t, err)
	assert.Equal(t, dollars(t, 3900), preview.Max)
	req := newActionRequest(caller, "act_1")
	req.Figures, req.OSUser = preview.Digest(), "root"

	require.NoError(t, f.RefundInvoice.Do(ctx, req, invoiceID, "15.00"))

	entries := f.entriesOfKind(caller, audit.OperatorRefunded)
	require.Len(t, entries, 1)
	assert.Equal(t, [2]int64{1500, 1500}, f.refunded(caller))
	assert.Equal(t, audit.Entry{
		ID: entries[0].ID, OrganisationID: caller.OrganisationID, At: f.Clock.Now(), Actor: audit.Operator("olga"),
		Kind: audit.OperatorRefunded, Subject: invoiceID, Outcome: audit.Done, Cause: "act_1", Note: "called twice",
		Data: audit.Data{
			"reason": "goodwill", "ticket": "T-1", "os_user": "root", "amount": "1500 AUD", "number": preview.Invoice.Number,
		},
	}, entries[0])
	refunds := f.entriesOfKind(caller, audit.PaymentRefunded)
	require.Len(t, refunds, 1)
	assert.Equal(t, "1500 AUD", refunds[0].Data["amount"])

	require.NoError(t, f.RefundInvoice.Do(ctx, req, invoiceID, "15.00"))
	assert.Equal(t, entries, f.entriesOfKind(caller, audit.OperatorRefunded))
	assert.Equal(t, [2]int64{1500, 1500}, f.refunded(caller))
}

func TestRefund_IsRefusedWhenTheFiguresHaveChanged(t *testing.T) {
	f, caller, invoiceID := newPaidFixture(t)
	ctx := asOperator(t.Context())
	preview, err := f.RefundInvoice.Preview(ctx, caller.OrganisationID, invoiceID)
	require.NoError(t, err)
	olga, oscar := newActionRequest(caller, "act_olga"), newActionRequest(caller, "act_oscar")
	olga.Figures, oscar.Figures = preview.Digest(), preview.Digest()

	err = f.RefundInvoice.Do(ctx, olga, invoiceID, "15.00")
	require.NoError(t, err)
	err = f.RefundInvoice.Do(ctx, oscar, invoiceID, "15.00")

	assertCode(t, fault.Conflict, err)
	assert.Contains(t, fault.MessageOf(err), "figures have changed")
	assert.Equal(t, [2]int64{1500, 1500}, f.refunded(caller))
	assert.Len(t, f.entriesOfKind(caller, audit.OperatorRefunded), 1)
}

func TestRefund_IsRefusedAboveTheRestAndForUnknownInvoices(t *testing.T) {
	f, caller, invoiceID := newPaidFixture(t)
	ctx := asOperator(t.Context())
	err := f.RefundInvoice.Do(ctx, newActionRequest(caller, "act_1"), invoiceID, "39.01")
	assertCode(t, fault.Invalid, err)
	err = f.RefundInvoice.Do(ctx, newActionRequest(caller, "act_1"), "in_unknown", "0.01")
	assertCode(t, fault.NotFound, err)
	err = f.RefundInvoice.Do(ctx, newActionRequest(caller, "act_2"), invoiceID, "39.00")
	require.NoError(t, err)
	_, err = f.RefundInvoice.Preview(ctx, caller.OrganisationID, invoiceID)
	assertCode(t, fault.Conflict, err)
	support := operators.Operator{Name: "sam", Roles: []operators.Role{operators.Support}}
	_, err = f.RefundInvoice.Preview(operators.WithOperator(t.Context(), support), caller.OrganisationID, invoiceID)
	assertCode(t, fault.Forbidden, err)
}

// A request that the server has stored is completed with the same key after a crash, whatever the provider has done.
func TestRefund_IsCompletedAfterACrash(t *testing.T) {
	for name, plan := range map[string]flakypayment.FaultPlan{
		"before the refund": failAlways("Refund"), "after the refund": failOnce("Refund", flakypayment.TimeoutAfterExecution),
	} {
		t.Run(name, func(t *testing.T) {
			f, caller, invoiceID := newPaidFixture(t)
			f.injectFaults(plan)
			err := f.RefundInvoice.Do(asOperator(t.Context()), newActionRequest(caller, "act_1"), invoiceID, "15.00")
			assertCode(t, fault.Unavailable, err)
			assert.Empty(t, f.entriesOfKind(caller, audit.OperatorRefunded))
			f.injectFaults(flakypayment.NoFaults)
			f.Advance(takeoverWait)

			_, err = f.Reconcile.Do(t.Context())

			require.NoError(t, err)
			assert.Equal(t, [2]int64{1500, 1500}, f.refunded(caller))
			entries := f.entriesOfKind(caller, audit.OperatorRefunded)
			require.Len(t, entries, 1)
			assert.Equal(t, audit.Operator("olga"), entries[0].Actor)
			assert.Equal(t, audit.Done, entries[0].Outcome)
		})
	}
}

// A provider such as Stripe repeats a server error for each request with the key, although it may have acted.
func TestRefund_WithUnknownOutcomeIsNotRepeated(t *testing.T) {
	f, caller, invoiceID := newPaidFixture(t)
	f.injectFaults(func(c flakypayment.Call) flakypayment.Fault {
		if c.Method != "Refund" {
			return nil
		}
		return flakypayment.TimeoutAfterExecution.Fault()
	})
	req := newActionRequest(caller, "act_1")
	assertCode(t, fault.Unavailable, f.RefundInvoice.Do(asOperator(t.Context()), req, invoiceID, "15.00"))
	f.Advance(takeoverWait)
	_, err := f.Reconcile.Do(t.Context())
	require.NoError(t, err)
	f.injectFaults(flakypayment.NoFaults)
	refunded := f.refunded(caller)

	err = f.RefundInvoice.Do(asOperator(t.Context()), req, invoiceID, "15.00")

	assertCode(t, fault.Conflict, err)
	assert.Contains(t, fault.MessageOf(err), "did not report whether this action was made")
	assert.Equal(t, refunded, f.refunded(caller))
	entries := f.entriesOfKind(caller, audit.OperatorRefunded)
	require.Len(t, entries, 1)
	assert.Equal(t, audit.Unknown, entries[0].Outcome)
	require.NoError(t, f.RefundInvoice.Do(asOperator(t.Context()), newActionRequest(caller, "act_2"), invoiceID, "5.00"),
		"the organisation is not blocked")
}

func TestExtendTrial_MovesTheEndByAtMost60DaysInAll(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	trialEnd := f.subscribe(caller, visa, standardMonthly, false).TrialEnd
	ctx := asOperator(t.Context())
	for i, want := range []int{30, 30} {
		effect, maxDays, err := f.ExtendTrial.Preview(ctx, caller.OrganisationID)
		require.NoError(t, err)
		require.Equal(t, want, maxDays)
		req := newActionRequest(caller, "act_"+string(rune('a'+i)))
		req.Figures = effect.Digest()
		require.NoError(t, f.ExtendTrial.Do(ctx, req, maxDays))
		trialEnd = trialEnd.AddDate(0, 0, maxDays)
		entry := f.entriesOfKind(caller, audit.OperatorExtendedTrial)[i]
		assert.Equal(t, "30", entry.Data["days"])
		assert.Equal(t, trialEnd.Format(time.RFC3339), entry.Data["until"])
		assert.Equal(t, trialEnd, f.account(caller).LiveSubscription().TrialEnd)
	}
	err := f.ExtendTrial.Do(ctx, newActionRequest(caller, "act_3"), 1)
	assertCode(t, fault.Conflict, err)
	assert.Contains(t, fault.MessageOf(err), "60 days already")
}

func TestGrantFreeMonth_AddsCreditAtMostThreeTimesAYear(t *testing.T) {
	f, caller, _ := newPaidFixture(t)
	ctx := asOperator(t.Context())
	for i, key := range []string{"act_1", "act_2", "act_3"} {
		for range 2 {
			err := f.GrantFreeMonth.Do(ctx, newActionRequest(caller, key))
			require.NoError(t, err)
		}
		customer, err := f.provider.Customer(t.Context(), f.account(caller).CustomerID)
		require.NoError(t, err)
		assert.Equal(t, dollars(t, int64(3900*(i+1))), customer.Credit)
	}
	err := f.GrantFreeMonth.Do(ctx, newActionRequest(caller, "act_4"))
	assertCode(t, fault.Conflict, err)
	assert.Contains(t, fault.MessageOf(err), "3 free months")
	assert.Len(t, f.entriesOfKind(caller, audit.OperatorGrantedMonth), 3)
}

func TestEndPlan_EndsAsTheCustomerWould(t *testing.T) {
	f, caller, _ := newPaidFixture(t)
	ctx := asOperator(t.Context())
	effect, err := f.EndPlan.Preview(ctx, caller.OrganisationID)
	require.NoError(t, err)
	assert.Contains(t, effect.Figures[1].Value, "ends with its period")
	require.NoError(t, f.EndPlan.Do(ctx, newActionRequest(caller, "act_1")))
	sub := f.account(caller).LiveSubscription()
	assert.Equal(t, sub.CurrentPeriodEnd, sub.EndsAt)
	assert.Equal(t, string(billing.EndAtPeriodEnd), f.entriesOfKind(caller, audit.OperatorEndedPlan)[0].Data["end"])
	err = f.EndPlan.Do(ctx, newActionRequest(caller, "act_2"))
	assertCode(t, fault.Conflict, err)
}

// Two requests that were decided at the same time act one after the other, and the second one is decided again.
func TestOperatorActions_ConcurrentRequestsRespectTheLimit(t *testing.T) {
	f, caller, invoiceID := newPaidFixture(t)
	const requests = 4
	errs, amount := make(chan error, requests), "20.00"
	for i := range requests {
		go func() {
			err := f.RefundInvoice.Do(asOperator(t.Context()), newActionRequest(caller, "act_"+string(rune('a'+i))), invoiceID, amount)
			errs <- err
		}()
	}
	done := 0
	for range requests {
		if err := <-errs; err == nil {
			done++
		}
	}
	assert.Equal(t, 1, done)
	assert.Equal(t, [2]int64{2000, 2000}, f.refunded(caller))
	assert.Len(t, f.entriesOfKind(caller, audit.OperatorRefunded), 1)
}
