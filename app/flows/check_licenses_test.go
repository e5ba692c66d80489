package flows

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// unseen is what may happen to a subscription while every event gets lost and nobody visits.
var unseen = []struct {
	name    string
	card    string
	noTrial bool
	happens func(w *world, who identity.Identity, sub billing.Subscription)
	within  time.Duration // by when we know
	want    billing.Status
}{
	{"a trial ends and is paid for", flowtest.Visa, false,
		func(w *world, _ identity.Identity, _ billing.Subscription) { w.Advance(7 * day) }, 2 * time.Hour, billing.Active},
	{"a trial ends and can't be paid for", flowtest.NeverCharged, false,
		func(w *world, _ identity.Identity, _ billing.Subscription) { w.Advance(7 * day) }, 2 * time.Hour, billing.PastDue},
	{"nobody pays until it is over", flowtest.NeverCharged, false,
		func(w *world, _ identity.Identity, _ billing.Subscription) { w.Advance(60 * day) }, time.Second, billing.Canceled},
	{"a first payment is made in the browser", flowtest.AsksHolder, true,
		func(w *world, _ identity.Identity, sub billing.Subscription) {
			w.confirmed(sub.LatestInvoice.Payment, fakepayment.Complete)
		}, time.Hour, billing.Active},
	{"a first payment is never made", flowtest.AsksHolder, true,
		func(w *world, _ identity.Identity, _ billing.Subscription) { w.Advance(23 * time.Hour) }, time.Second, billing.IncompleteExpired},
	{"it is ended at the provider's desk", flowtest.Visa, true,
		func(w *world, _ identity.Identity, sub billing.Subscription) { w.cancelAtTheProvider(sub.ID) }, 7 * day, billing.Canceled},
}

func TestWhatNobodyTellsAndNobodyLooksAtIsFoundOut(t *testing.T) {
	t.Parallel()
	for _, c := range unseen {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			who := w.member()
			sub, err := w.Subscribe.Do(t.Context(), who, app.SubscribeRequest{Price: standardMonthly, CardID: w.Card(c.card), NoTrial: c.noTrial})
			require.NoError(t, err)

			c.happens(w, who, sub)
			require.NotEqual(t, c.want, w.account(who).Subscriptions[0].Status, "nobody has told us")
			w.Advance(c.within)
			_, err = w.CheckLicenses.Do(t.Context())

			require.NoError(t, err)
			assert.Equal(t, c.want, w.account(who).Subscriptions[0].Status)
			w.requireSound(who)
		})
	}
}

func TestACustomerWhoseDeletionNobodyTellsOfIsLetGo(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.Visa, standardMonthly)
	require.NoError(t, w.Bank.DeleteCustomer(t.Context(), w.account(who).CustomerID))

	w.Advance(7*day + 2*time.Hour)
	checked, err := w.CheckLicenses.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, 1, checked)
	assert.Empty(t, w.account(who).CustomerID)
	assert.Nil(t, w.account(who).License())
}

// listings counts how often the provider is asked for somebody's subscriptions.
func listings(names []string) (n int) {
	for _, name := range names {
		if name == "ListSubscriptions" {
			n++
		}
	}
	return n
}

func TestServersShareTheChecks(t *testing.T) {
	w := newWorld(t)
	const members = 20
	var all []identity.Identity
	for i := range members {
		who := w.Member(w.UseCases, fmt.Sprintf("ann%c", 'a'+i))
		w.subscribed(who, flowtest.NeverCharged, standardMonthly)
		all = append(all, who)
	}
	w.Advance(7*day + 2*time.Hour)

	var acts []func() error
	var taps []*tap
	for range 4 {
		tap := &tap{hook: untroubled}
		server := w.Server(w.OpenStore(), flakypayment.New(w.Bank, tap.fault))
		taps = append(taps, tap)
		acts = append(acts, func() error { _, err := server.CheckLicenses.Do(t.Context()); return err })
	}
	for _, err := range together(acts...) {
		require.NoError(t, err)
	}

	asked := 0
	for _, tap := range taps {
		asked += listings(tap.names)
	}
	assert.Equal(t, members, asked, "each was asked about once")
	for _, who := range all {
		assert.Equal(t, billing.PastDue, w.account(who).Live().Status)
	}
	again, tap := w.tapped(untroubled)
	checked, err := again.CheckLicenses.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, checked, "it is not due again yet")
	assert.Empty(t, listings(tap.names))
}

func TestAServerThatDiesInTheMiddleOfACheckLeavesItToAnother(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.NeverCharged, standardMonthly)
	w.Advance(7*day + 2*time.Hour)
	server, _ := w.tapped(cannot("Organisation", before))
	_, err := server.CheckLicenses.Do(t.Context())
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))

	w.Advance(time.Hour)
	_, err = w.Another().CheckLicenses.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, billing.PastDue, w.account(who).Live().Status)
}
