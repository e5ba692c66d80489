package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

// checkout is a script in which somebody buys with a new card, and has the subscriptions so far.
func checkout(t *testing.T, has ...any) *script {
	return newScript(t).on(lookUp, prices()).on(attachCard, fine(card("pm_1"))).
		on(setDefault, fine(customer.with(object{"subscriptions": list(has...)}))).on(subscribe, fine(trialing))
}

func TestANewCardIsSavedAndMadeTheDefaultOneOnTheWay(t *testing.T) {
	s := checkout(t)
	in := newSubscription
	in.CardID, in.TrialDays, in.Sole = "pm_1", 7, true

	_, err := s.provider().Subscribe(t.Context(), in)

	require.NoError(t, err)
	assert.Equal(t, []string{lookUp, attachCard, setDefault, subscribe}, s.routes())
	assert.Equal(t, "pm_1", s.last(setDefault).params.Get("invoice_settings[default_payment_method]"))
	keys := []string{s.last(attachCard).key(), s.last(setDefault).key(), s.last(subscribe).key()}
	assert.Equal(t, []string{"key-1-attach", "key-1-default", "key-1"}, keys, "Stripe knows a key for one endpoint only")
	assert.Empty(t, s.last(subscribe).params.Get("default_payment_method"), "nothing is pinned")
}

func TestWhatStandsInTheWayOfTheOnlySubscription(t *testing.T) {
	foreign := active.with(object{"items": list(), "metadata": object{}})
	for name, c := range map[string]struct {
		has  object
		want fault.Code
	}{
		"a live one":                       {active, fault.Conflict},
		"an open one":                      {incomplete, fault.Conflict},
		"an unpaid one":                    {active.with(object{"status": "unpaid"}), fault.Conflict},
		"one that is over":                 {active.with(object{"status": "canceled"}), ""},
		"one to a foreign product":         {foreign, ""},
		"the one this request made before": {active.with(object{"metadata": object{"request": "key-1"}}), ""},
		"the one another request made":     {active.with(object{"metadata": object{"request": "key-2"}}), fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			for _, cardID := range []string{"", "pm_1"} {
				s := checkout(t, c.has).on(readCustomer, fine(customer.with(object{"subscriptions": list(c.has)})))
				in := newSubscription
				in.CardID, in.Sole = cardID, true
				_, err := s.provider().Subscribe(t.Context(), in)
				assert.Equal(t, c.want, fault.CodeOf(err))
				in.Key, in.Sole = "key-3", false
				_, err = s.provider().Subscribe(t.Context(), in)
				assert.NoError(t, err, "who does not ask for it is not refused")
			}
		})
	}
}

func TestAnUnsoldPriceSavesNoCard(t *testing.T) {
	s := newScript(t).on(lookUp, fine(list()))
	in := newSubscription
	in.CardID = "pm_1"
	_, err := s.provider().Subscribe(t.Context(), in)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, []string{lookUp}, s.routes())
}
