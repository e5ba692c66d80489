package crash

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// billing compares what the provider has of a customer with our copy and with what was told.
func (u *truth) billing(e *entry, org account.Organisation) {
	customer := org.Billing.CustomerID
	if e.customer != "" && e.customer != customer {
		u.report.lost("person %d: customer %s became %s", e.number, e.customer, customer)
	}
	u.cards(e, customer)
	subs, err := u.provider.ListSubscriptions(u.t.Context(), customer)
	require.NoError(u.t, err)
	u.copies(e, subs, org.Billing)
	u.subscriptions(e, subs)
}

func (u *truth) cards(e *entry, customer string) {
	saved, err := u.provider.Cards(u.t.Context(), customer)
	require.NoError(u.t, err)
	var there []string
	for _, card := range saved {
		there = append(there, card.ID)
	}
	_, isMissing := e.missing(there)
	if isMissing || e.unexpected(there) {
		u.report.lost("person %d: cards %v, told of %v", e.number, there, e.cards)
	}
	c, err := u.provider.Customer(u.t.Context(), customer)
	require.NoError(u.t, err)
	if e.defaultCard != "" && (c.Default == nil || c.Default.ID != e.defaultCard) {
		u.report.lost("person %d: default card %+v, told of %s", e.number, c.Default, e.defaultCard)
	}
}

// copies compares our copies of the subscriptions with the originals, secrets left out.
func (u *truth) copies(e *entry, subs []billing.Subscription, ours billing.Account) {
	var want billing.Account
	want.Record(subs...)
	if !assert.ObjectsAreEqual(want.Subscriptions, ours.Subscriptions) {
		u.report.doubled("person %d: subscriptions %+v, our copy %+v", e.number, want.Subscriptions, ours.Subscriptions)
	}
}

// subscriptions wants the one that was told, on the price that was told, and each bill once.
func (u *truth) subscriptions(e *entry, subs []billing.Subscription) {
	live, trials := 0, 0
	for _, sub := range subs {
		if sub.Status.Live() {
			live++
		}
		if !sub.TrialEnd.IsZero() {
			trials++
		}
		u.subscription(e, sub)
	}
	if live > 1 || trials > 1 || len(subs) > e.subscriptions {
		u.report.doubled("person %d: %d live, %d trials, %d of %d subscriptions", e.number, live, trials, len(subs), e.subscriptions)
	}
	if len(subs) < e.subscriptions {
		u.report.lost("person %d: %d of %d subscriptions", e.number, len(subs), e.subscriptions)
	}
	if bills := u.bills(e.subscription); bills != e.invoices {
		u.report.doubled("person %d: %d bills where there should be %d", e.number, bills, e.invoices)
	}
}

func (u *truth) subscription(e *entry, sub billing.Subscription) {
	if sub.ID == e.subscription && (!sub.Status.Live() || sub.Price.PriceID() != e.price) {
		u.report.lost("person %d: told of %s on %s, there is %+v", e.number, e.subscription, e.price, sub)
	}
}

func (u *truth) bills(subscription string) (bills int) {
	require.NoError(u.t, u.machine.Read(u.t.Context(), func(b fakepayment.Snapshot) error {
		bills = len(b.InvoicesOf(subscription))
		return nil
	}))
	return bills
}

// customers returns the ids of all customers at the provider.
func (u *truth) customers() (ids []string) {
	require.NoError(u.t, u.machine.Read(u.t.Context(), func(s fakepayment.Snapshot) error {
		for _, c := range s.Customers() {
			ids = append(ids, c.ID)
		}
		return nil
	}))
	return ids
}
