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
	return []fault.Code{conflictUnless(state.live() != nil)}
}

func (cancelScheduledRequest) checkSuccess(t *rapid.T, h *harness, o *org, before providerState, got response) {
	want := *before.live()
	if want.Scheduled != nil {
		h.counters["schedule canceled"]++
		want.Scheduled, want.Renewal = nil, want.Amount
	}
	want.ChangeKey = got.sub.ChangeKey
	h.checkOnlyChange(t, o, before, want, got.sub)
}

// resumeRequest renews a subscription that is ending.
type resumeRequest struct{}

func (resumeRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.ResumeSubscription.Do(ctx, user)
	return response{sub: sub}, err
}

func (resumeRequest) String() string { return "resume" }

func (resumeRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	liveSub := state.live()
	return []fault.Code{conflictUnless(liveSub != nil && (liveSub.Status != billing.PastDue || liveSub.EndsAt.IsZero()))}
}

func (resumeRequest) checkSuccess(t *rapid.T, h *harness, o *org, before providerState, got response) {
	want := *before.live()
	if !want.EndsAt.IsZero() {
		h.counters["resumed"]++
	}
	want.EndsAt = got.sub.EndsAt
	assert.Zero(t, got.sub.EndsAt)
	h.checkOnlyChange(t, o, before, want, got.sub)
}

// endRequest ends the subscription.
type endRequest struct{}

func (endRequest) do(ctx context.Context, s *app.UseCases, user identity.Identity) (response, error) {
	sub, err := s.EndSubscription.Do(ctx, user, app.EndRequest{Reason: billing.TooExpensive})
	return response{sub: sub}, err
}

func (endRequest) String() string { return "end" }

func (endRequest) expectedCodes(_ *org, state providerState) []fault.Code {
	return []fault.Code{conflictUnless(state.live() != nil && !state.isChangeProcessing())}
}

func (endRequest) checkSuccess(t *rapid.T, h *harness, o *org, before providerState, got response) {
	previous := *before.live()
	if previous.Status == billing.PastDue {
		h.checkEndedNow(t, o, before, got.sub)
		return
	}
	h.counters["ending"]++
	liveSub := h.providerState(t, o).live()
	require.NotNil(t, liveSub)
	assert.Equal(t, liveSub.EndsAt, got.sub.EndsAt)
	assert.Equal(t, previous.CurrentPeriodEnd, liveSub.EndsAt)
	assert.Equal(t, previous.Price, liveSub.Price)
	assert.Equal(t, previous.Status, liveSub.Status)
	assert.Equal(t, previous.CurrentPeriodEnd, liveSub.CurrentPeriodEnd)
	assert.Nil(t, liveSub.Pending)
	assert.Nil(t, liveSub.Scheduled)
}

// checkEndedNow requires that an overdue subscription has ended. At most one invoice in twelve months may be void. The
// invoice must stay owed if it is the first one or its payment is processing.
func (h *harness) checkEndedNow(t *rapid.T, o *org, before providerState, got billing.Subscription) {
	previous, after := before.live(), h.providerState(t, o)
	assert.Nil(t, after.live())
	assert.Equal(t, previous.ID, got.ID)
	assert.Equal(t, billing.Canceled, got.Status)
	lastVoidedInvoice := before.account.LastVoidedInvoice
	isFirst := previous.TrialEnd.IsZero() && previous.LatestInvoice.CreatedAt.Sub(previous.CreatedAt) <= 2*time.Hour
	mayVoid := lastVoidedInvoice.At.IsZero() || lastVoidedInvoice.SubscriptionID == previous.ID ||
		!before.now.Before(lastVoidedInvoice.At.AddDate(1, 0, 0))
	if mayVoid && !before.isProcessing(previous) && !isFirst {
		h.counters["ended, voided"]++
		assert.Equal(t, billing.InvoiceVoid, got.LatestInvoice.Status)
		return
	}
	h.counters["ended, owed"]++
	assert.True(t, got.LatestInvoice.Status.IsCollectible(), "the invoice stays owed")
	assert.True(t, after.hasDebt())
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
func (h *harness) checkOnlyChange(t *rapid.T, o *org, before providerState, want, got billing.Subscription) {
	after := h.providerState(t, o)
	require.NotNil(t, after.live())
	assert.Equal(t, want, *after.live())
	assert.Equal(t, want, got)
	assert.Equal(t, before.invoices[want.ID], after.invoices[want.ID])
}

// checkScheduled requires that a change at renewal is scheduled and changes nothing else.
func (r changeRequest) checkScheduled(t *rapid.T, h *harness, o *org, before providerState, got billing.Subscription) {
	h.counters["scheduled"]++
	want := *before.live()
	amount, err := catalogue.Default().Price(r.price)
	require.NoError(t, err)
	want.Scheduled, want.Renewal = &billing.ScheduledChange{To: r.price, Amount: amount, At: want.CurrentPeriodEnd}, amount
	want.ChangeKey = got.ChangeKey
	h.checkOnlyChange(t, o, before, want, got)
}
