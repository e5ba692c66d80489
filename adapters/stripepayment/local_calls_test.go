package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// TestHowOftenStripeIsAsked counts the calls on the way to an answer, once the prices are known.
func TestHowOftenStripeIsAsked(t *testing.T) {
	l := newLocalStripe(t, catalogue.Default())
	p := l.adapter(t, catalogue.Default())
	_, err := p.Check(t.Context())
	require.NoError(t, err)
	paying, declined := l.payer(t, p, paymenttest.Pays), l.payer(t, p, paymenttest.DeclinedWhenCharged)
	l.requests()

	s, err := p.Subscribe(t.Context(), localOrder(paying, "standard"))
	require.NoError(t, err)
	assert.Len(t, l.requests(), 2, "a subscription that is paid at once")

	_, err = p.Subscribe(t.Context(), localOrder(declined, "standard"))
	require.NoError(t, err)
	assert.Len(t, l.requests(), 3, "one that is not")

	newcomer, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "key-newcomer", OrganisationID: "org_2"})
	require.NoError(t, err)
	card, err := l.makeCard(t, paymenttest.Pays)
	require.NoError(t, err)
	l.requests()
	first := localOrder(newcomer, "standard")
	first.CardID, first.TrialDays, first.Sole, first.First = card, 7, true, true
	_, err = p.Subscribe(t.Context(), first)
	require.NoError(t, err)
	assert.Len(t, l.requests(), 3, "a first subscription with a new card: save it, make it the default one, start")

	_, err = p.ChangePlan(t.Context(), payment.PlanChange{Key: "key-change", SubscriptionID: s.ID, From: s.Price, To: localPrice("professional")})
	require.NoError(t, err)
	assert.Len(t, l.requests(), 4, "a change of plan: read it and its invoices, mark it, change it")

	_, err = p.CancelSubscription(t.Context(), payment.Cancellation{Key: "key-cancel", SubscriptionID: s.ID})
	require.NoError(t, err)
	assert.Len(t, l.requests(), 2, "the end")
}

// TestDeliveriesAreWhatStripesLibraryTakes proves that the machine's events are in the API version
// of the library and signed in its way.
func TestDeliveriesAreWhatStripesLibraryTakes(t *testing.T) {
	l := newLocalStripe(t, catalogue.Default())
	p := l.adapter(t, catalogue.Default())
	c := l.payer(t, p, paymenttest.Pays)
	_, err := p.Subscribe(t.Context(), localOrder(c, "standard"))
	require.NoError(t, err)
	require.NoError(t, l.machine.Drain(t.Context()))

	all := l.delivered(t)
	require.NotEmpty(t, all)
	for _, d := range all {
		_, err := webhook.ConstructEventIgnoringTolerance(d.Payload, d.Signature, localSecret)
		assert.NoError(t, err, "%s", d.Payload)
	}
}
