package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type license struct {
	ID       string
	Interval string
	Currency string
	IsDev    bool
	Raw      struct {
		Status           string
		CurrentPeriodEnd int64 `json:"current_period_end"`
		TrialEnd         int64 `json:"trial_end"`
		Metadata         struct{ Name, Interval string }
	}
	PendingChange *pendingChange `json:"pending_change"`
}

type pendingChange struct {
	PriceID   string
	InvoiceID string
	Amount    int64
	Currency  string
	ExpiresAt time.Time `json:"expires_at"`
}

type openPayment struct {
	Kind, SubscriptionID, InvoiceID, Currency, PriceID, Reason string

	Amount                          int64
	Since, NextAttemptAt, ExpiresAt *time.Time
}

type detail struct {
	Detail *struct {
		Now                                   int64
		ID, OrgID, FirstName, LastName, Email string
		License, PastLicense                  *license
		OpenPayment                           *openPayment
	}
}

type subscription struct {
	ID            string
	Status        string
	LatestInvoice *struct {
		ID            string
		PaymentIntent *intent `json:"payment_intent"`
	} `json:"latest_invoice"`
	PendingSetupIntent *intent        `json:"pending_setup_intent"`
	PriceID            string         `json:"priceId"`
	PendingChange      *pendingChange `json:"pending_change"`
}

type intent struct {
	ID, Status   string
	ClientSecret string `json:"client_secret"`
}

func (b *browser) detail() detail {
	b.t.Helper()
	a := b.get("/vc-admin/user/detail")
	require.Equal(b.t, http.StatusOK, a.Status)
	return into[detail](a)
}

func yearly(cardID string) map[string]any {
	return map[string]any{
		"priceId": "professional_yearly", "interval": "yearly", "currency": "AUD", "paymentMethodId": cardID,
	}
}

func (b *browser) subscribe(body map[string]any) answer {
	b.t.Helper()
	return b.post("/vc-admin/user-diy/subscribe?debug=true", body)
}

func TestAClinicSignsUpAndPays(t *testing.T) {
	h := newHouse(t)
	b := h.browser(t)
	assert.Nil(t, b.detail().Detail, "a visitor is nobody")

	link := b.register("Sunrise Clinic", "ada@sunrise.example")
	b.post("/auth/login", map[string]any{"username": "ada@sunrise.example", "password": password}).
		refused(http.StatusForbidden, "ERRUNVERIFIED")
	verified := b.get(link)
	assert.Equal(t, "/vc-admin/dash?verified=1", verified.Header.Get("Location"))
	b.signIn(" ADA@sunrise.example ")

	org := into[struct {
		ID, Name         string
		StripeCustomerID string `json:"stripeCustomerId"`
		Metadata         struct{ Currency, Product, Interval string }
	}](b.get("/vc-admin/org/detail/" + b.detail().Detail.OrgID))
	assert.Equal(t, "Sunrise Clinic", org.Name)
	assert.NotEmpty(t, org.StripeCustomerID, "the customer is made with the sign-up")
	assert.Equal(t, "professional", org.Metadata.Product)
	assert.Equal(t, "yearly", org.Metadata.Interval)

	sub := into[subscription](b.subscribe(yearly(b.card("4242424242424242"))))
	assert.Equal(t, "trialing", sub.Status)
	assert.Nil(t, sub.PendingSetupIntent)

	license := b.detail().Detail.License
	require.NotNil(t, license)
	assert.Equal(t, sub.ID, license.ID)
	assert.Equal(t, "professional", license.Raw.Metadata.Name)
	assert.Equal(t, "yearly", license.Raw.Metadata.Interval)
	assert.Equal(t, "yearly", license.Interval)
	assert.Equal(t, "AUD", license.Currency)
	assert.WithinDuration(t, h.clock.Now().AddDate(0, 0, 7), time.Unix(license.Raw.TrialEnd, 0), time.Minute)
}

func TestTheUserIsToldTheServersTimeWhichMayNotBeTheBrowsers(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")

	h.advance(t, 30*24*time.Hour)

	assert.WithinDuration(t, h.clock.Now(), time.Unix(b.detail().Detail.Now, 0), time.Minute)
}

func TestATrialEndsOnTimeWithoutAnybodyTellingUs(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	require.Equal(t, http.StatusOK, b.subscribe(yearly(b.card("4242424242424242"))).Status)

	h.advance(t, 8*24*time.Hour)

	assert.Equal(t, "active", b.detail().Detail.License.Raw.Status)
}

func TestACardThatWantsAuthenticationIsAskedForItOnTheTrial(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")

	sub := into[subscription](b.subscribe(yearly(b.card("4000002500003155"))))

	assert.Equal(t, "trialing", sub.Status)
	require.NotNil(t, sub.PendingSetupIntent)
	assert.Equal(t, "requires_action", sub.PendingSetupIntent.Status)
	assert.NotEmpty(t, sub.PendingSetupIntent.ClientSecret)
}

func TestADeclinedCardIsFollowedByAnother(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	without := func(number string) map[string]any {
		body := yearly(b.card(number))
		body["no_trial"] = true
		return body
	}
	b.subscribe(without("4000000000000002")).refused(http.StatusPaymentRequired, "ERRCARD")

	first := into[subscription](b.subscribe(without("4000000000000341")))
	assert.Equal(t, "incomplete", first.Status)
	assert.NotEmpty(t, first.LatestInvoice.ID)
	assert.Equal(t, "requires_payment_method", first.LatestInvoice.PaymentIntent.Status)
	assert.NotEmpty(t, first.LatestInvoice.PaymentIntent.ClientSecret)
	assert.Nil(t, b.detail().Detail.License, "what is not paid is no license")

	second := into[subscription](b.subscribe(without("4242424242424242")))
	assert.Equal(t, first.ID, second.ID, "the open subscription is continued")
	assert.Equal(t, "active", second.Status)
}

func TestASecondSubscriptionIsRefused(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	body := yearly(b.card("4242424242424242"))
	first := into[subscription](b.subscribe(body))

	assert.Equal(t, first.ID, into[subscription](b.subscribe(body)).ID, "a repeat gets the same one")
	b.subscribe(yearly(b.card("4242424242424242"))).refused(http.StatusConflict, "ERRCONFLICT")
}
