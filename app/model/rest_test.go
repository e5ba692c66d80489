package model

import (
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
)

// aWhile is until what was left in doubt may be taken over, also when it began by a clock that was
// 130 seconds ahead.
const aWhile = 5 * time.Minute

// rest lets everything come to its end: what is on its way arrives, what is in doubt is settled,
// and every event is delivered. Then our copy is the truth.
func (h *house) rest(t *rapid.T) {
	h.arrives()
	for i := range h.skew {
		h.skew[i].Store(0)
	}
	h.Advance(aWhile)
	for _, s := range h.servers {
		_, err := s.Reconcile.Do(t.Context())
		require.NoError(t, err)
	}
	h.hear()
	for _, payload := range h.news {
		require.NoError(t, h.servers[0].ReceiveEvent.Do(t.Context(), payload, h.Signed(payload)))
	}
	h.news = nil
	h.tally["rested"]++
	for _, o := range h.orgs {
		o.untold = false
		require.False(t, h.inDoubt(t, o), "something is in doubt for ever")
		h.atRest(t, o)
	}
}

func (h *house) atRest(t *rapid.T, o *org) {
	w, ours := h.truth(t, o), h.account(t, o)
	assert.Equal(t, w.customer.ID, ours.CustomerID, "an orphan at the provider")
	assert.Equal(t, w.currency(), ours.Currency)
	assert.Equal(t, w.trialUsed(), !ours.TrialUsedAt.IsZero())
	assert.Equal(t, settled(w.copied()), settled(ours.Subscriptions), "our copy")
	h.shows(t, o, w)
	assert.Equal(t, w.copied(), h.account(t, o).Subscriptions, "our copy, once somebody has looked")
}

// copied is the truth as we may keep it.
func (w truth) copied() []billing.Subscription {
	var kept billing.Account
	kept.Record(w.subs...)
	return kept.Subscriptions
}

// settled leaves out how far the authentication of a card has come in a browser: no event of ours
// tells of it, and it is asked for whenever somebody looks.
func settled(subs []billing.Subscription) []billing.Subscription {
	all := slices.Clone(subs)
	for i := range all {
		if all[i].Next.InvoiceID == "" {
			all[i].Next = billing.NextAction{}
		}
		all[i].PendingSetup = nil
	}
	return all
}

// shows wants the organisation to be shown the license that it has.
func (h *house) shows(t *rapid.T, o *org, w truth) {
	_, org, err := h.servers[0].DescribeUser.Do(t.Context(), o.who)
	require.NoError(t, err)
	h.licensed(t, w, org.Billing.License())
}

func (h *house) licensed(t *rapid.T, w truth, shown *billing.License) {
	live := w.live()
	if live == nil {
		assert.Nil(t, shown, "unpaid is no license")
		return
	}
	want := billing.LicenseOf(*live)
	assert.Equal(t, &want, shown, "paid is a license")
	h.tally["license shown"]++
}
