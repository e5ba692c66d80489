package model

import (
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// checkInvariants checks the properties that hold after every action.
func (h *harness) checkInvariants(t *rapid.T) {
	assert.Empty(t, h.monitor.recordedViolations())
	for _, o := range h.orgs {
		state := h.providerState(t, o)

		assert.LessOrEqual(t, len(state.customers), 1, "customers of an organisation")
		assert.LessOrEqual(t, state.credit(), state.chargedSum-state.returnedSum+h.monitor.grantedSum(state.customer.ID),
			"the credit is at most the money that was received and not returned, and the free months")
		state.checkRefunds(t)
		// Negative credit is an amount that was too small to be charged.
		assert.GreaterOrEqual(t, state.customer.Credit, min(0, 1-engine.MinimumCharge(state.currency())),
			"no more than the credit is withdrawn")
		assert.True(t, !state.isOnHold() || state.customer.Credit <= 0, "no credit can be used while on hold")
		assert.Equal(t, state.chargedSum, state.paidSum, "the sum paid over the invoices is the sum of the charges")
		liveCount, trialCount := 0, 0
		for _, sub := range state.subs {
			assert.Equal(t, state.currency(), sub.Price.Currency)
			if sub.Status.Live() {
				liveCount++
			}
			if !sub.TrialEnd.IsZero() {
				trialCount++
			}
			h.checkInvoices(t, state, sub)
			h.checkPlans(t, state, sub)
		}
		assert.LessOrEqual(t, liveCount, 1, "live subscriptions of an organisation")
		assert.LessOrEqual(t, trialCount, 1, "trials of an organisation")
	}
}

// checkInvoices requires that the subscription has at most one open invoice, and only invoices in its currency.
func (h *harness) checkInvoices(t *rapid.T, state providerState, sub billing.Subscription) {
	openCount := 0
	for _, inv := range state.invoices[sub.ID] {
		assert.Equal(t, state.currency(), inv.Currency)
		if inv.Status == "open" {
			openCount++
		}
	}
	assert.LessOrEqual(t, openCount, 1, "open invoices of a subscription")
}

// checkPlans requires that the subscription has at most one of a pending change, a scheduled change and an end, that no
// plan is changed while the account is on hold, and that nothing new is charged after the end.
func (h *harness) checkPlans(t *rapid.T, state providerState, sub billing.Subscription) {
	changeCount := 0
	for _, isSet := range []bool{sub.Pending != nil, sub.Scheduled != nil, !sub.EndsAt.IsZero()} {
		if isSet {
			changeCount++
		}
	}
	assert.LessOrEqual(t, changeCount, 1, "pending change, scheduled change and end")
	assert.True(t, !state.isOnHold() || state.isProcessing(&sub) || sub.Pending == nil && sub.Scheduled == nil,
		"no plan is changed while on hold")
	if !sub.Status.Ended() || sub.Status == billing.Unpaid { // an unpaid subscription can still be paid in the browser
		return
	}
	totals := endTotals{
		invoiceCount: len(state.invoices[sub.ID]), chargedSum: state.chargedBySubscription[sub.ID],
		hasPayableInvoice: sub.LatestInvoice.Status.IsCollectible(),
	}
	if previousTotals, ok := h.totalsAtEnd[sub.ID]; ok {
		assert.Equal(t, previousTotals.invoiceCount, totals.invoiceCount, "no invoice after the end")
		assert.True(t, previousTotals.hasPayableInvoice || previousTotals.chargedSum == totals.chargedSum,
			"no charge after the end, except for the owed invoice")
	}
	h.totalsAtEnd[sub.ID] = totals
}

// takeoverDelay is longer than the age at which operations are taken over, plus the smallest clock skew.
const takeoverDelay = 5 * time.Minute

// completeAllWork executes delayed requests, reconciles pending operations and delivers all events. It requires that the
// stored copy then equals the provider's state.
func (h *harness) completeAllWork(t *rapid.T) {
	h.completeDelayedCalls()
	for i := range h.clockSkews {
		h.clockSkews[i].Store(0)
	}
	h.Advance(takeoverDelay)
	for _, s := range h.servers {
		_, err := s.Reconcile.Do(t.Context())
		require.NoError(t, err)
	}
	h.queueEvents()
	for _, payload := range h.events {
		require.NoError(t, h.servers[0].ReceiveEvent.Do(t.Context(), h.NewDelivery(payload)))
	}
	h.events = nil
	h.counters["settled"]++
	for _, o := range h.orgs {
		o.hasUnreportedChange = false
		require.False(t, h.hasPendingOperation(t, o), "an operation stays pending")
		h.checkStoredCopy(t, o)
	}
}

// checkStoredCopy requires that the stored data of the organisation equals the state of the provider.
func (h *harness) checkStoredCopy(t *rapid.T, o *org) {
	state, storedAccount := h.providerState(t, o), h.account(t, o)
	assert.Equal(t, state.customer.ID, storedAccount.CustomerID, "customer")
	assert.Equal(t, state.currency(), storedAccount.Currency)
	assert.Equal(t, state.hasUsedTrial(), !storedAccount.TrialUsedAt.IsZero())
	assert.Equal(t, withoutAuthentications(state.expectedStoredSubscriptions()), withoutAuthentications(storedAccount.Subscriptions),
		"stored copy")
	h.checkDisplayedLicense(t, o, state)
	assert.Equal(t, state.expectedStoredSubscriptions(), h.account(t, o).Subscriptions, "stored copy after the license was displayed")
	h.checkStoredInvoices(t, o, state)
	h.checkOperatorEntries(t, o, state)
	h.checkEmails(t, o, h.providerState(t, o))
}

// checkStoredInvoices requires that one event updates all stored invoices, even if earlier events were lost.
func (h *harness) checkStoredInvoices(t *rapid.T, o *org, state providerState) {
	event := payment.Event{ID: "evt_last", Kind: payment.SubscriptionChanged, CustomerID: state.customer.ID}
	require.NoError(t, h.servers[0].ReceiveEvent.Apply(t.Context(), event))
	storedInvoices, err := h.Store.Invoices(t.Context(), o.user.OrganisationID)
	require.NoError(t, err)
	assert.Len(t, storedInvoices, len(state.listedInvoices))
	assert.Empty(t, billing.ChangedInvoices(storedInvoices, state.listedInvoices), "stored invoices")
}

// expectedStoredSubscriptions returns the subscriptions as the stored copy has to contain them.
func (state providerState) expectedStoredSubscriptions() []billing.Subscription {
	var storedAccount billing.Account
	storedAccount.RecordSubscriptions(state.subs...)
	return storedAccount.Subscriptions
}

// withoutAuthentications returns the subscriptions without the progress of authentications, which no event reports.
func withoutAuthentications(subs []billing.Subscription) []billing.Subscription {
	all := slices.Clone(subs)
	for i := range all {
		if all[i].Next.InvoiceID == "" {
			all[i].Next = billing.NextAction{}
		}
		all[i].PendingSetup = nil
	}
	return all
}

// checkDisplayedLicense requires that the user sees the paid license.
func (h *harness) checkDisplayedLicense(t *rapid.T, o *org, state providerState) {
	_, storedOrg, err := h.servers[0].DescribeUser.Do(t.Context(), o.user)
	require.NoError(t, err)
	h.checkLicense(t, state, storedOrg.Billing.License())
}

// checkLicense requires that the displayed license belongs to the live subscription, and is nil if there is none.
func (h *harness) checkLicense(t *rapid.T, state providerState, displayedLicense *billing.License) {
	liveSub := state.liveSub()
	if liveSub == nil {
		assert.Nil(t, displayedLicense, "no license while unpaid")
		return
	}
	want := billing.NewLicense(*liveSub)
	assert.Equal(t, &want, displayedLicense, "the paid license")
	h.counters["license displayed"]++
}
