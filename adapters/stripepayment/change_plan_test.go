package stripepayment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	change       = "POST /v1/subscriptions/sub_1"
	listInvoices = "GET /v1/invoices"
	hold         = "POST /v1/invoices/in_1"
)

var (
	planChange    = payment.PlanChange{Key: "key-1", SubscriptionID: "sub_1", From: standard, To: professional}
	monthlyChange = payment.PlanChange{
		Key: "key-1", SubscriptionID: "sub_1", From: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
		To: professional,
	}
	drop = payment.PendingCancellation{Key: "key-1", SubscriptionID: "sub_1", InvoiceID: "in_1"}
)

// itemOfPlan is the subscription's item with a price.
func itemOfPlan(key string) object {
	return object{"id": "si_1", "object": "subscription_item", "current_period_end": 1803902400,
		"price": object{"id": "price_" + key, "object": "price", "lookup_key": key}}
}

// upgraded is the subscription after the change.
var upgraded = active.with(object{"metadata": object{"change": "key-1"}, "items": list(itemOfPlan("professional_yearly"))})

// pending is the subscription while the change waits for its payment.
var pending = active.with(object{
	"metadata": object{"change": "key-1"}, "latest_invoice": invoice("open", "open"),
	"pending_update": object{"expires_at": 1772449200, "subscription_items": []any{itemOfPlan("professional_yearly")}},
})

// changing is a Stripe that answers a change with what it came to.
func changing(t *testing.T, found, changed object) *script {
	return shop(t, customer).on(readSubscription, fine(found)).on(listInvoices, fine(list(found["latest_invoice"]))).
		on(change, fine(found), fine(changed))
}

func TestChangePlan_SendsAPendingUpdateAfterItsMark(t *testing.T) {
	s := changing(t, active, upgraded)

	after, err := s.provider().ChangePlan(t.Context(), planChange)

	require.NoError(t, err)
	assert.Equal(t, professional, after.Price)
	assert.Equal(t, "key-1", after.ChangedBy)
	assert.Equal(t, []string{readSubscription, listInvoices, lookUp, change, change}, s.routes())
	mark, sent := s.requests()[3], s.requests()[4]
	assert.Equal(t, url.Values{"metadata[change]": {"key-1"}}, mark.params, "Stripe accepts no metadata in a pending update")
	assert.Equal(t, "key-1-mark", mark.key())
	assert.Equal(t, url.Values{
		"items[0][id]": {"si_1"}, "items[0][price]": {"price_professional_yearly"},
		prorationBehaviour: {"always_invoice"}, paymentBehaviour: {"pending_if_incomplete"},
		"expand[0]": {"latest_invoice.confirmation_secret"}, "expand[1]": {"latest_invoice.payments"}, "expand[2]": {"pending_setup_intent"},
	}, sent.params)
	assert.Equal(t, "key-1", sent.key())
}

func TestChangePlan_EndsTheTrialThatTheRequestNames(t *testing.T) {
	s := changing(t, trialing, upgraded)
	in := planChange
	in.EndTrial = true
	_, err := s.provider().ChangePlan(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, "now", s.last(change).params.Get("trial_end"))
	assert.False(t, s.last(change).params.Has("billing_cycle_anchor"))
}

func TestChangePlan_AnotherIntervalBeginsANewPeriod(t *testing.T) {
	s := changing(t, active.with(object{"items": list(itemOfPlan("standard_monthly"))}), upgraded)
	in := monthlyChange
	in.At = time.Unix(1772366500, 0)
	_, err := s.provider().ChangePlan(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, "now", s.last(change).params.Get("billing_cycle_anchor"))
	assert.Equal(t, "1772366500", s.last(change).params.Get("proration_date"))
	assert.False(t, s.last(change).params.Has("trial_end"))
}

func TestChangePlan_DeclinedChangeIsPendingAndHeld(t *testing.T) {
	s := changing(t, active, pending).on(hold, fine(invoice("open", "open"))).on(readPayment, fine(paymentIntent("requires_payment_method")))

	after, err := s.provider().ChangePlan(t.Context(), planChange)

	require.NoError(t, err)
	assert.Equal(t, billing.Active, after.Status)
	assert.Equal(t, standard, after.Price)
	assert.Equal(t, &billing.PendingChange{
		To: professional, InvoiceID: "in_1", Amount: aud(42000), ExpiresAt: time.Unix(1772449200, 0).UTC(),
	}, after.Pending)
	assert.Equal(t, billing.NewPaymentMethod, after.Next.Kind)
	assert.Equal(t, url.Values{"auto_advance": {"false"}}, s.last(hold).params, "Stripe must not retry it by itself")
}

func TestChangePlan_HoldingTheInvoiceMayFail(t *testing.T) {
	s := changing(t, active, pending).on(hold, invalidRequest(object{})).on(readPayment, fine(paymentIntent("requires_action")))
	after, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.NotNil(t, after.Pending)
}

func TestChangePlan_RepeatFindsWhatTheFirstRequestDid(t *testing.T) {
	for name, found := range map[string]object{"made": upgraded, "pending": pending} {
		t.Run(name, func(t *testing.T) {
			s := shop(t, customer).on(readSubscription, fine(found)).on(readPayment, fine(paymentIntent("requires_action")))
			after, err := s.provider().ChangePlan(t.Context(), planChange)
			require.NoError(t, err)
			assert.Equal(t, found["pending_update"] != nil, after.Pending != nil)
			assert.NotContains(t, s.routes(), change)
		})
	}
}

func TestChangePlan_RepeatAfterTheMarkAloneSendsTheChange(t *testing.T) {
	s := changing(t, active.with(object{"metadata": object{"change": "key-1"}}), upgraded)
	after, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, professional, after.Price)
}

func TestChangePlan_KeyOfAnotherRequestIsAConflict(t *testing.T) {
	s := changing(t, active, upgraded).on(change, fine(active), usedKey).on(retire, usedKey)
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestOurItemIsTheOneThatChanges(t *testing.T) {
	two := active.with(object{"items": list(
		object{"id": "si_0", "price": object{"id": "price_x", "lookup_key": "consulting"}},
		object{"id": "si_1", "price": object{"id": "price_1", "lookup_key": "standard_yearly"}},
	)})
	s := changing(t, two, upgraded)
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, "si_1", s.last(change).params.Get("items[0][id]"))
}

func TestChangePlan_Refusals(t *testing.T) {
	dollars, nothing := professional, professional
	dollars.Currency, nothing.Product = "USD", "no-such-plan"
	other := planChange
	other.From = professional
	for name, c := range map[string]struct {
		found    object
		in       payment.PlanChange
		invoices object
		want     fault.Code
	}{
		"of an ended one":      {active.with(object{"status": "canceled"}), planChange, list(), fault.Conflict},
		"of an incomplete one": {incomplete, planChange, list(), fault.Conflict},
		"of an overdue one":    {incomplete.with(object{"status": "past_due"}), planChange, list(), fault.Conflict},
		"of a trial, unnamed":  {trialing, planChange, list(), fault.Conflict},
		"from another price":   {active, other, list(), fault.Conflict},
		"beside another":       {pending.with(object{"metadata": object{"change": "key-0"}}), planChange, list(), fault.Conflict},
		"while a draft waits":  {active, planChange, list(invoice("paid", "paid"), invoice("draft", "open")), fault.Conflict},
		"while one is open":    {active, planChange, list(invoice("paid", "paid"), invoice("open", "open")), fault.Conflict},
		"of one written off":   {active.with(object{"latest_invoice": invoice("uncollectible", "open")}), planChange, list(), fault.Conflict},
		"to another currency":  {active, payment.PlanChange{Key: "key-1", SubscriptionID: "sub_1", From: standard, To: dollars}, list(), fault.Invalid},
		"to an unknown price":  {active, payment.PlanChange{Key: "key-1", SubscriptionID: "sub_1", From: standard, To: nothing}, list(), fault.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t, customer).on(readSubscription, fine(c.found)).on(listInvoices, fine(c.invoices))
			_, err := s.provider().ChangePlan(t.Context(), c.in)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.NotContains(t, s.routes(), change)
		})
	}
}

func TestCancelPendingChange_VoidsTheInvoice(t *testing.T) {
	s := newScript(t).on(readSubscription, fine(pending), fine(active)).on(void, fine(invoice("void", "canceled")))

	after, err := s.provider().CancelPendingChange(t.Context(), drop)

	require.NoError(t, err)
	assert.Nil(t, after.Pending)
	assert.Equal(t, standard, after.Price)
	assert.Equal(t, []string{readSubscription, void, readSubscription}, s.routes())
	assert.Equal(t, "key-1", s.last(void).key())
}

func TestCancelPendingChange_PaidMeanwhileIsMade(t *testing.T) {
	for name, s := range map[string]*script{
		"before": newScript(t).on(readSubscription, fine(upgraded)),
		"by then": newScript(t).on(readSubscription, fine(pending), fine(upgraded)).
			on(void, invalidRequest(object{"message": "You can only pass in open invoices. This invoice isn't open."})),
	} {
		t.Run(name, func(t *testing.T) {
			after, err := s.provider().CancelPendingChange(t.Context(), drop)
			require.NoError(t, err)
			assert.Equal(t, professional, after.Price)
		})
	}
}

func TestCancelPendingChange_Refusals(t *testing.T) {
	other := drop
	other.InvoiceID = "in_2"
	s := newScript(t).on(readSubscription, fine(pending))
	_, err := s.provider().CancelPendingChange(t.Context(), other)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "another change is pending")

	s = newScript(t).on(readSubscription, fine(pending)).on(void, invalidRequest(object{})).on(readPayment, fine(paymentIntent("processing")))
	_, err = s.provider().CancelPendingChange(t.Context(), drop)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "its payment is being processed")
}
