package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/domain/account"
)

func TestSubscribe_StartsTrialAfterSignUpAndVerification(t *testing.T) {
	s := newTestServer(t)
	b := s.newBrowser(t)
	assert.Nil(t, b.detail(), "the browser is not signed in")

	link := b.register("Sunrise Clinic", "ada@sunrise.example")
	b.trySignIn("ada@sunrise.example", testPassword).
		requireError(http.StatusForbidden, "ERRUNVERIFIED")
	assert.Equal(t, "/vc-admin/dash?verified=1", b.get(link).Header.Get("Location"))
	b.signIn(" ADA@sunrise.example ")

	org := decodeJSON[struct {
		ID, Name         string
		StripeCustomerID string `json:"stripeCustomerId"`
		Metadata         struct{ Currency, Product, Interval string }
	}](b.get("/vc-admin/org/detail/" + b.detail().OrgID))
	assert.Equal(t, "Sunrise Clinic", org.Name)
	assert.NotEmpty(t, org.StripeCustomerID, "the verification creates the customer")
	assert.Equal(t, "professional", org.Metadata.Product)
	assert.Equal(t, "yearly", org.Metadata.Interval)

	sub := b.subscribe(subscribeBody(b.createCard("4242424242424242")))
	assert.Equal(t, "trialing", sub.Status)
	assert.Nil(t, sub.PendingSetupIntent)

	license := b.detail().License
	require.NotNil(t, license)
	assert.Equal(t, sub.ID, license.ID)
	assert.Equal(t, "professional", license.Raw.Metadata.Name)
	assert.Equal(t, "yearly", license.Raw.Metadata.Interval)
	assert.Equal(t, "yearly", license.Interval)
	assert.Equal(t, "AUD", license.Currency)
	assert.WithinDuration(t, s.clock.Now().AddDate(0, 0, 7), time.Unix(license.Raw.TrialEnd, 0), time.Minute)
}

func TestUserDetail_ContainsTheServersTime(t *testing.T) {
	s, b := newServerWithUser(t)

	s.advance(t, 30*24*time.Hour)

	assert.WithinDuration(t, s.clock.Now(), time.Unix(b.detail().Now, 0), time.Minute)
}

func TestSubscribe_ReportsOutcomeAndNextAction(t *testing.T) {
	_, b := newServerWithUser(t)
	bodyWithCard := func(number string) map[string]any { return disableTrial(subscribeBody(b.createCard(number))) }

	declinedSub := b.subscribe(bodyWithCard("4000000000000341"))
	assert.Equal(t, "card_declined", declinedSub.Outcome)
	invoice := declinedSub.LatestInvoice
	assert.Equal(t, &nextAction{
		Kind: "new_payment_method", Secret: invoice.PaymentIntent.ClientSecret, Invoice: invoice.ID,
		Reason: "Your card was declined.", Instructions: declinedSub.Next.Instructions,
	}, declinedSub.Next)
	next := b.detail().Next
	require.NotNil(t, next)
	assert.Equal(t, "new_payment_method", next.Kind)
	assert.Empty(t, next.Secret, "the user's detail contains no secret")

	retry := bodyWithCard("4000000000009995")
	retry["retryInvoiceId"] = invoice.ID
	assert.Equal(t, "confirm_payment", b.subscribe(retry).Outcome, "a retry is confirmed in the browser")

	paidSub := b.subscribe(bodyWithCard("4242424242424242"))
	assert.Equal(t, "succeeded", paidSub.Outcome)
	assert.Nil(t, paidSub.Next)
	assert.Nil(t, b.detail().Next)
}

func TestUserDetail_OffersTrialsUntilOneIsUsed(t *testing.T) {
	s, b := newServerWithUser(t)
	user := b.detail()
	assert.False(t, user.TrialUsed)
	assert.Equal(t, 7, user.Trials["professional"].Days)
	assert.WithinDuration(t, s.clock.Now().Add(7*24*time.Hour), user.Trials["professional"].EndsAt, time.Minute)

	b.subscribe(subscribeBody(b.createCard("4242424242424242")))

	assert.True(t, b.detail().TrialUsed)
	assert.Empty(t, b.detail().Trials)
}

func TestUserDetail_ReportsWhyTheMethodOfATrialWasRefused(t *testing.T) {
	s, b := newServerWithUser(t)
	b.subscribe(subscribeBody(b.createCard("4242424242424242")))
	assert.Nil(t, b.detail().MethodRefusal)
	const reason = "Your bank declined the payment."
	_, err := s.store.UpdateOrganisation(t.Context(), b.detail().OrgID, func(o *account.Organisation) error {
		o.Billing.Subscriptions[0].Next.Reason = reason
		return nil
	})
	require.NoError(t, err)

	refusal := b.detail().MethodRefusal

	require.NotNil(t, refusal)
	assert.Equal(t, reason, *refusal)
}

func TestListSubscriptions_FiltersByStatus(t *testing.T) {
	_, b := newServerWithUser(t)
	sub := b.subscribe(subscribeBody(b.createCard("4242424242424242")))

	canceledSubs := b.post("/vc-admin/org/subscription/list", map[string]any{"status": "canceled"})
	allSubs := decodeJSON[struct{ Data []subscription }](b.post("/vc-admin/org/subscription/list", nil))

	assert.JSONEq(t, `{"data":[]}`, string(canceledSubs.Body))
	require.Len(t, allSubs.Data, 1)
	assert.Equal(t, sub.ID, allSubs.Data[0].ID)
	res := b.send(b.newRequest(http.MethodPost, "/vc-admin/org/subscription/list", `{"status": "paused"}`))
	assert.Equal(t, "ERRVALIDATION", res.Name)
}

// The first attempt has timed out at the provider. It may still be executed there, so the retry does not claim that nothing
// was charged.
func TestSubscribe_RetryWithAnotherCardReportsAnEarlierAttemptInProgress(t *testing.T) {
	s := newUnstartedServer(t, nil)
	s.faults = func(c flakypayment.Call) flakypayment.Fault {
		if c.Method == "Subscribe" {
			return flakypayment.TimeoutAfterExecution.Fault()
		}
		return nil
	}
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	b := s.signUp(t, "Harbour", "ann@harbour.example")
	b.trySubscribe(disableTrial(subscribeBody(b.createCard("4242424242424242")))).
		requireError(http.StatusServiceUnavailable, "ERRPROVIDER")

	res := b.trySubscribe(disableTrial(subscribeBody(b.createCard("5555555555554444"))))

	res.requireError(http.StatusConflict, "ERRCONFLICT")
	assert.Contains(t, string(res.Body), `"inProgress":true`)
	assert.NotContains(t, strings.ToLower(string(res.Body)), "nothing was charged")
}
