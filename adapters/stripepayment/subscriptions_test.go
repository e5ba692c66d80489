package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	readSubscription  = "GET /v1/subscriptions/sub_1"
	listSubscriptions = "GET /v1/subscriptions"
)

func TestSubscriptionsAreListedWhole(t *testing.T) {
	first := list(incomplete.with(object{"id": "sub_3"}), trialing.with(object{"id": "sub_2"})).with(object{"has_more": true})
	s := newScript(t).on(listSubscriptions, fine(first), fine(list(active))).on(readPayment, fine(paymentIntent("requires_action")))

	found, err := s.provider().ListSubscriptions(t.Context(), "cus_1")

	require.NoError(t, err)
	require.Len(t, found, 3)
	assert.Equal(t, billing.RequiresAction, found[0].LatestInvoice.Payment.Status)
	assert.Equal(t, billing.Trialing, found[1].Status)
	assert.Equal(t, "sub_1", found[2].ID)
	assert.Equal(t, url.Values{
		"customer": {"cus_1"}, "status": {"all"}, "limit": {"100"}, "starting_after": {"sub_2"},
		"expand[0]": {"data.latest_invoice.confirmation_secret"}, "expand[1]": {"data.latest_invoice.payments"}, "expand[2]": {"data.pending_setup_intent"},
	}, s.last(listSubscriptions).params)
}

func TestOnlyThePaymentsOfWantedSubscriptionsAreAskedFor(t *testing.T) {
	s := newScript(t).on(listSubscriptions, fine(list(incomplete.with(object{"id": "sub_2"}), active)))
	found, err := s.provider().ListSubscriptions(t.Context(), "cus_1", billing.Active, billing.Trialing)
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "sub_1", found[0].ID)
	assert.Equal(t, []string{listSubscriptions}, s.routes())
}

func TestNoSubscriptionsAreAnEmptyList(t *testing.T) {
	s := newScript(t).on(listSubscriptions, fine(list()))
	found, err := s.provider().ListSubscriptions(t.Context(), "cus_1")
	require.NoError(t, err)
	assert.NotNil(t, found)
}

func TestAListIsWholeOrAFailure(t *testing.T) {
	broken := newScript(t).on(listSubscriptions, fine(list(active).with(object{"has_more": true})), refusal(500, object{"type": "api_error"}))
	_, err := broken.provider().ListSubscriptions(t.Context(), "cus_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))

	half := newScript(t).on(listSubscriptions, fine(list(incomplete))).on(readPayment, refusal(500, object{"type": "api_error"}))
	_, err = half.provider().ListSubscriptions(t.Context(), "cus_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestStatusesAreOursAndStripes(t *testing.T) {
	for theirs, ours := range map[string]billing.Status{
		"incomplete": billing.Incomplete, "incomplete_expired": billing.IncompleteExpired, "trialing": billing.Trialing,
		"active": billing.Active, "past_due": billing.PastDue, "unpaid": billing.Unpaid, "canceled": billing.Canceled,
		"paused": billing.Unpaid,
	} {
		s := newScript(t).on(readSubscription, fine(active.with(object{"status": theirs})))
		found, err := s.provider().Subscription(t.Context(), "sub_1")
		require.NoError(t, err)
		assert.Equal(t, ours, found.Status)
	}
}

func TestPaymentsOfAnInvoice(t *testing.T) {
	open := func(id string, isDefault bool) object {
		return object{"is_default": isDefault, "status": "open", "payment": object{"type": "payment_intent", "payment_intent": id}}
	}
	for name, c := range map[string]struct {
		payments object
		want     *billing.Intent
	}{
		"none":        {list(), nil},
		"of a charge": {list(object{"status": "paid", "payment": object{"type": "charge", "charge": "ch_1"}}), nil},
		"canceled":    {invoice("void", "canceled")["payments"].(object), &billing.Intent{ID: "pi_1", Status: billing.IntentCanceled}},
		"the default": {list(open("pi_0", false), open("pi_1", true), open("pi_2", false)), &billing.Intent{ID: "pi_1", Status: billing.RequiresAction, ClientSecret: "pi_1_secret_x"}},
		"the only":    {list(open("pi_1", false)), &billing.Intent{ID: "pi_1", Status: billing.RequiresAction, ClientSecret: "pi_1_secret_x"}},
	} {
		t.Run(name, func(t *testing.T) {
			of := object{"id": "in_1", "object": "invoice", "status": "open", "confirmation_secret": nil, "payments": c.payments}
			s := newScript(t).on(readSubscription, fine(active.with(object{"latest_invoice": of}))).on(readPayment, fine(paymentIntent("requires_action")))
			found, err := s.provider().Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, c.want, found.LatestInvoice.Payment)
		})
	}
}

func TestAPaymentThatWasMadeAMomentAgoHasNoSecretLeft(t *testing.T) {
	s := newScript(t).on(readSubscription, fine(incomplete)).on(readPayment, fine(paymentIntent("succeeded")))
	found, err := s.provider().Subscription(t.Context(), "sub_1")
	require.NoError(t, err)
	assert.Equal(t, &billing.Intent{ID: "pi_1", Status: billing.Succeeded}, found.LatestInvoice.Payment)
}

func TestWhichPriceASubscriptionIsOf(t *testing.T) {
	monthly := catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	retired := catalogue.PriceRef{Product: "retired", Interval: catalogue.Monthly, Currency: "AUD"}
	item := func(price object) object { return object{"id": "si_1", "price": price} }
	for name, c := range map[string]struct {
		items    object
		metadata object
		want     catalogue.PriceRef
	}{
		"by its lookup key":                  {list(item(object{"lookup_key": "standard_monthly"})), nil, monthly},
		"by the price's metadata":            {list(item(object{"lookup_key": nil, "metadata": object{"price_id": "standard_monthly"}})), nil, monthly},
		"the lookup key goes first":          {list(item(object{"lookup_key": "standard_monthly", "metadata": object{"price_id": "standard_yearly"}})), nil, monthly},
		"a plan that is sold no more":        {list(item(object{"lookup_key": "retired_monthly", "metadata": object{"price_id": "retired_monthly"}})), nil, retired},
		"by what we wrote on it":             {list(item(object{"id": "price_x"})), object{"product": "standard", "interval": "monthly"}, monthly},
		"ours among others":                  {list(item(object{"id": "price_x"}), item(object{"lookup_key": "standard_monthly"})), nil, monthly},
		"somebody else's product":            {list(item(object{"lookup_key": "consulting"})), nil, catalogue.PriceRef{}},
		"somebody else's that looks like it": {list(item(object{"lookup_key": "gym_monthly"})), nil, catalogue.PriceRef{}},
		"nothing at all":                     {list(), nil, catalogue.PriceRef{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(readSubscription, fine(active.with(object{"items": c.items, "metadata": c.metadata})))
			found, err := s.provider().Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, c.want, found.Price)
		})
	}
}
