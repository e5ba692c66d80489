package model

import (
	"context"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// cancelScheduledRequest cancels a plan change that is scheduled for the renewal.
type cancelScheduledRequest struct{}

func (cancelScheduledRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.CancelScheduledChange.Do(ctx, user)
	return response{sub: sub}, err
}

func (cancelScheduledRequest) String() string { return "cancel the scheduled change" }

func (cancelScheduledRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	return []fault.Code{conflictUnless(state.liveSub() != nil)}
}

func (cancelScheduledRequest) checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response) {
	want := *initialState.liveSub()
	if want.Scheduled != nil {
		h.counters["schedule canceled"]++
		want.Scheduled, want.Renewal = nil, want.Amount
	}
	want.ChangeKey = resp.sub.ChangeKey
	h.checkOnlyChange(t, o, initialState, want, resp.sub)
}

// resumeRequest renews a subscription that is ending.
type resumeRequest struct{}

func (resumeRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.ResumeSubscription.Do(ctx, user)
	return response{sub: sub}, err
}

func (resumeRequest) String() string { return "resume" }

func (resumeRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	liveSub := state.liveSub()
	return []fault.Code{conflictUnless(liveSub != nil && (liveSub.Status != billing.PastDue || liveSub.EndsAt.IsZero()))}
}

func (resumeRequest) checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response) {
	want := *initialState.liveSub()
	if !want.EndsAt.IsZero() {
		h.counters["resumed"]++
	}
	want.EndsAt = resp.sub.EndsAt
	assert.Zero(t, resp.sub.EndsAt)
	h.checkOnlyChange(t, o, initialState, want, resp.sub)
}

// endRequest ends the subscription.
type endRequest struct{}

func (endRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.EndSubscription.Do(ctx, user, app.EndRequest{Reason: billing.TooExpensive})
	return response{sub: sub}, err
}

func (endRequest) String() string { return "end" }

func (endRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	return []fault.Code{conflictUnless(state.liveSub() != nil && !state.isChangeProcessing())}
}

func (endRequest) checkSuccess(t *rapid.T, h *harness, o *org, initialState providerState, resp response) {
	previousSub := *initialState.liveSub()
	if previousSub.Status == billing.PastDue {
		h.checkEndedNow(t, o, initialState, resp.sub)
		return
	}
	h.counters["ending"]++
	liveSub := h.providerState(t, o).liveSub()
	require.NotNil(t, liveSub)
	assert.Equal(t, liveSub.EndsAt, resp.sub.EndsAt)
	assert.Equal(t, previousSub.CurrentPeriodEnd, liveSub.EndsAt)
	assert.Equal(t, previousSub.Price, liveSub.Price)
	assert.Equal(t, previousSub.Status, liveSub.Status)
	assert.Equal(t, previousSub.CurrentPeriodEnd, liveSub.CurrentPeriodEnd)
	assert.Nil(t, liveSub.Pending)
	assert.Nil(t, liveSub.Scheduled)
}

// checkEndedNow requires that an overdue subscription has ended. At most one invoice in twelve months may be void. The
// invoice must stay owed if it is the first one or its payment is processing.
func (h *harness) checkEndedNow(t *rapid.T, o *org, initialState providerState, endedSub billing.Subscription) {
	previousSub, finalState := initialState.liveSub(), h.providerState(t, o)
	assert.Nil(t, finalState.liveSub())
	assert.Equal(t, previousSub.ID, endedSub.ID)
	assert.Equal(t, billing.Canceled, endedSub.Status)
	lastVoidedInvoice := initialState.account.LastVoidedInvoice
	isFirst := previousSub.TrialEnd.IsZero() && previousSub.LatestInvoice.CreatedAt.Sub(previousSub.CreatedAt) <= 2*time.Hour
	mayVoid := lastVoidedInvoice.At.IsZero() || lastVoidedInvoice.SubscriptionID == previousSub.ID ||
		!initialState.now.Before(lastVoidedInvoice.At.AddDate(1, 0, 0))
	if mayVoid && !initialState.isProcessing(previousSub) && !isFirst {
		h.counters["ended, voided"]++
		assert.Equal(t, billing.InvoiceVoid, endedSub.LatestInvoice.Status)
		return
	}
	h.counters["ended, owed"]++
	assert.True(t, endedSub.LatestInvoice.Status.IsCollectible(), "the invoice stays owed")
	assert.True(t, finalState.hasDebt())
}

// hasDebt reports whether the organisation has a canceled subscription with an invoice that is owed or whose payment is
// processing.
func (state providerState) hasDebt() bool {
	for _, sub := range state.subs {
		isOwed := sub.ID == state.account.OwingSubscriptionID && sub.LatestInvoice.Status.IsCollectible()
		if sub.Status == billing.Canceled && (isOwed || state.isProcessing(&sub)) {
			return true
		}
	}
	return false
}

// conflictUnless returns Conflict, or "" if the request is allowed.
func conflictUnless(isAllowed bool) fault.Code {
	if isAllowed {
		return ""
	}
	return fault.Conflict
}

// checkOnlyChange requires that the live subscription and the response equal want, and that no invoice was added or
// changed.
func (h *harness) checkOnlyChange(t *rapid.T, o *org, initialState providerState, want, got billing.Subscription) {
	finalState := h.providerState(t, o)
	require.NotNil(t, finalState.liveSub())
	assert.Equal(t, want, *finalState.liveSub())
	assert.Equal(t, want, got)
	assert.Equal(t, initialState.invoices[want.ID], finalState.invoices[want.ID])
}

// checkScheduledChange requires that a change at renewal is scheduled and changes nothing else.
func (r changeRequest) checkScheduledChange(
	t *rapid.T, h *harness, o *org, initialState providerState, updatedSub billing.Subscription,
) {
	h.counters["scheduled"]++
	want := *initialState.liveSub()
	amount, err := catalogue.Default().Price(r.price)
	require.NoError(t, err)
	want.Scheduled, want.Renewal = &billing.ScheduledChange{To: r.price, Amount: amount, At: want.CurrentPeriodEnd}, amount
	want.ChangeKey = updatedSub.ChangeKey
	h.checkOnlyChange(t, o, initialState, want, updatedSub)
}
