package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/ports/ratelimit"
)

func TestSignIn_LimitsGuessesPerEmail(t *testing.T) {
	s := newRateLimitedServer(t)
	s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	b := s.newBrowserWithIP(t, "203.0.113.7")

	b.guessPasswords("ada@sunrise.example", 10)

	b.trySignIn("ada@sunrise.example", "Wrong1horse").requireRateLimited("360", "6 minutes")
	b.trySignIn(" ADA@Sunrise.example ", testPassword).requireRateLimited("360", "6 minutes")
	s.advance(t, 330*time.Second)
	b.trySignIn("ada@sunrise.example", testPassword).requireRateLimited("30", "30 seconds")
	s.advance(t, 30*time.Second)
	b.guessPasswords("ada@sunrise.example", 1)
	b.trySignIn("ada@sunrise.example", "Wrong1horse").requireRateLimited("360", "6 minutes")
	s.advance(t, time.Hour)
	b.signIn("ada@sunrise.example")
}

func TestSignIn_KnownBrowserIsNotLockedOut(t *testing.T) {
	s := newRateLimitedServer(t)
	ada := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	ada.get("/vc-admin/auth/logout")
	for i := range 10 {
		s.newBrowserWithIP(t, fmt.Sprintf("198.51.100.%d", i)).guessPasswords("ada@sunrise.example", 1)
	}
	neighbour := s.newBrowserWithIP(t, "203.0.113.7")
	for i := range 30 {
		neighbour.guessPasswords(fmt.Sprintf("user%d@example.com", i), 1)
	}

	ada.address = "203.0.113.7"
	ada.signIn("ada@sunrise.example")

	// The known browser has a separate limit.
	ada.guessPasswords("ada@sunrise.example", 10)
	ada.trySignIn("ada@sunrise.example", testPassword).requireRateLimited("360", "6 minutes")
	s.advance(t, 6*time.Minute)
	ada.signIn("ada@sunrise.example")

	// The browser is not known for other accounts.
	ada.address = "192.0.2.7"
	ada.guessPasswords("bob@example.com", 10)
	ada.trySignIn("bob@example.com", testPassword).requireRateLimited("360", "6 minutes")
}

func TestPasskey_IsAcceptedAfterWrongPasswordsFromTheSameAddress(t *testing.T) {
	s := newRateLimitedServer(t)
	ada := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	authenticator := ada.addPasskey()
	neighbour := s.newBrowserWithIP(t, "203.0.113.7")
	for i := range 30 {
		neighbour.guessPasswords(fmt.Sprintf("user%d@example.com", i), 1)
	}
	for range 40 {
		neighbour.trySignInWithPasskey(newAuthenticator()).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	}

	b := s.newBrowserWithIP(t, "203.0.113.7")
	require.Equal(t, http.StatusOK, b.trySignInWithPasskey(authenticator).Status)

	other := s.newBrowserWithIP(t, "203.0.113.8")
	body := other.passkeySignIn(newAuthenticator())
	for range 600 {
		other.post("/vc-admin/auth/passkey", body).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	}
	other.post("/vc-admin/auth/passkey", body).requireRateLimited("6", "6 seconds")
}

func TestRequestPasskey_OpenFormsOfAClinicStayWithinTheLimit(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.newBrowserWithIP(t, "203.0.113.7")
	for range 3000 {
		require.Equal(t, http.StatusOK, b.post("/vc-admin/auth/passkey/options", nil).Status)
	}
	b.post("/vc-admin/auth/passkey/options", nil).requireRateLimited("2", "2 seconds")
}

func TestVerifyEmail_MakesBrowserKnown(t *testing.T) {
	s := newRateLimitedServer(t)
	ada := s.newBrowser(t)
	link := ada.register("Sunrise Clinic", "ada@sunrise.example")
	s.newBrowserWithIP(t, "203.0.113.7").guessPasswords("ada@sunrise.example", 10)

	ada.get(link)
	ada.signIn("ada@sunrise.example")
}

func TestRateLimits_DoNotRevealAccounts(t *testing.T) {
	s := newRateLimitedServer(t)
	s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	sendRequests := func(email, address string) (responses []string) {
		b := s.newBrowserWithIP(t, address)
		for range 12 {
			res := b.trySignIn(email, "Wrong1horse")
			responses = append(responses, fmt.Sprint(res.Status, res.Header.Get("Retry-After"), string(res.Body)))
		}
		for range 5 {
			res := b.post("/vc-admin/auth/verify/resend", map[string]any{"email": email})
			responses = append(responses, fmt.Sprint(res.Status, res.Header.Get("Retry-After"), string(res.Body)))
		}
		return responses
	}
	assert.Equal(t,
		sendRequests("ada@sunrise.example", "203.0.113.7"), sendRequests("unknown@sunrise.example", "203.0.113.8"))
}

func TestSignIn_SuccessfulSignInsAreNotCountedAsGuesses(t *testing.T) {
	s := newRateLimitedServer(t)
	s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	for range 15 {
		s.newBrowserWithIP(t, "203.0.113.7").signIn("ada@sunrise.example")
	}
}

func TestSignIn_LimitsGuessesPerAddress(t *testing.T) {
	s := newRateLimitedServer(t)
	for i := range 30 {
		s.newBrowserWithIP(t, fmt.Sprintf("2001:db8:1:2::%x", i)).guessPasswords(fmt.Sprintf("user%d@example.com", i), 1)
	}
	s.newBrowserWithIP(t, "2001:db8:1:2:ffff::1").trySignIn("other@example.com", testPassword).requireRateLimited("120", "2 minutes")
	s.newBrowserWithIP(t, "2001:db8:1:3::1").guessPasswords("other@example.com", 1)
}

// The owner of a /48 network has 65,536 networks of /64, so a limit for each /64 network would not be enough.
func TestSignIn_LimitsGuessesPerWiderNetwork(t *testing.T) {
	s := newRateLimitedServer(t)
	for i := range 300 {
		s.newBrowserWithIP(t, fmt.Sprintf("2001:db8:1:%x::1", i)).guessPasswords(fmt.Sprintf("user%d@example.com", i), 1)
	}
	s.newBrowserWithIP(t, "2001:db8:1:ffff::1").trySignIn("other@example.com", testPassword).requireRateLimited("12", "12 seconds")
	s.newBrowserWithIP(t, "2001:db8:2:1::1").guessPasswords("other@example.com", 1)
}

func TestSignUp_IsLimitedPerAddress(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.newBrowserWithIP(t, "203.0.113.7")
	signUp := func(b *browser, i int) response {
		return b.post("/vc-admin/signup", registrationBody(fmt.Sprintf("Practice %d", i), fmt.Sprintf("user%d@example.com", i)))
	}
	invalidForm := registrationBody("Practice", "user@example.com")
	invalidForm["password"] = "short"
	for range 5 {
		b.post("/vc-admin/signup", invalidForm).requireError(http.StatusBadRequest, "ERRVALIDATION")
	}
	for i := range 20 {
		require.Equal(t, http.StatusCreated, signUp(b, i).Status, "invalid forms did not count")
	}

	signUp(b, 20).requireRateLimited("180", "3 minutes")
	b.post("/vc-admin/user-diy/new-user", registrationBody("Practice", "user@example.com")).requireRateLimited("180", "3 minutes")
	assert.Equal(t, http.StatusCreated, signUp(s.newBrowserWithIP(t, "203.0.113.8"), 21).Status)
}

func TestResendVerification_IsRateLimited(t *testing.T) {
	s := newRateLimitedServer(t)
	s.newBrowser(t).register("Sunrise Clinic", "ada@sunrise.example")
	resend := func(b *browser, email string) response {
		return b.post("/vc-admin/auth/verify/resend", map[string]any{"email": email})
	}
	for i := range 3 {
		assert.Equal(t, http.StatusAccepted, resend(s.newBrowserWithIP(t, fmt.Sprintf("203.0.113.%d", i)), "ada@sunrise.example").Status)
	}
	b := s.newBrowserWithIP(t, "203.0.113.7")
	resend(b, "ADA@sunrise.example").requireRateLimited("1200", "20 minutes")
	for i := range 20 {
		assert.Equal(t, http.StatusAccepted, resend(b, fmt.Sprintf("user%d@example.com", i)).Status)
	}
	resend(b, "other@example.com").requireRateLimited("180", "3 minutes")
}

func TestAddCardAndPay_ShareOneRateLimit(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	b.address = "203.0.113.7"
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user-diy/new-customer", nil).Status)
	addUnknownCard := func(b *browser) response {
		return b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": "pm_unknown", "set_default": true})
	}
	payUnknownInvoice := func(b *browser) response { return b.pay(map[string]any{"invoiceId": "in_none", "amount": 1}) }
	for range 10 {
		addUnknownCard(b).requireError(http.StatusNotFound, "ERRNOTFOUND")
		payUnknownInvoice(b).requireError(http.StatusConflict, "ERRQUOTE")
	}
	addUnknownCard(b).requireRateLimited("180", "3 minutes")
	payUnknownInvoice(b).requireRateLimited("180", "3 minutes")

	bob := s.signUp(t, "Moonrise Clinic", "bob@moonrise.example")
	require.Equal(t, http.StatusOK, bob.post("/vc-admin/user-diy/new-customer", nil).Status)
	addUnknownCard(bob).requireError(http.StatusNotFound, "ERRNOTFOUND")
	assert.Equal(t, http.StatusOK, b.get("/vc-admin/org/customer/cards").Status, "reads are not limited")
}

func TestPayments_ShareOneRateLimitAndQuotesHaveAnother(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	body := priceBody("professional_yearly", "yearly")
	for range 10 {
		assert.Equal(t, http.StatusOK, b.post("/vc-admin/user-diy/new-customer", nil).Status)
		b.post("/vc-admin/user-diy/subscribe", body)
		b.post("/vc-admin/org/subscription/update", body)
	}
	for _, path := range []string{
		"/vc-admin/user-diy/subscribe", "/vc-admin/org/subscription/update",
		"/vc-admin/org/subscription/pending/cancel", "/vc-admin/org/subscription/scheduled/cancel",
		"/vc-admin/org/subscription/cancel", "/vc-admin/org/subscription/resume",
	} {
		b.post(path, body).requireRateLimited("120", "2 minutes")
	}
	b.post("/vc-admin/user-diy/new-customer", nil).requireRateLimited("120", "2 minutes")
	for range 60 {
		require.Equal(t, http.StatusOK, b.post("/vc-admin/org/subscription/quote", body).Status, "quotes have a separate limit")
	}
	b.post("/vc-admin/org/subscription/quote", body).requireRateLimited("60", "60 seconds")
}

// unreachableCounters fail as if the database were unreachable.
type unreachableCounters struct{}

func (unreachableCounters) Take(context.Context, time.Time, ...ratelimit.Try) (time.Duration, error) {
	return 0, errors.New("connection refused")
}

func (unreachableCounters) GiveBack(context.Context, time.Time, ...ratelimit.Try) error { return nil }

func (unreachableCounters) Sweep(context.Context, time.Time) error { return nil }

func TestRateLimits_RefuseRequestsIfCountersAreUnreachable(t *testing.T) {
	b := newRateLimitedServer(t, unreachableCounters{}).newBrowser(t)

	for path, body := range map[string]map[string]any{
		"/auth/login":                  {"username": "ada@sunrise.example", "password": testPassword},
		"/vc-admin/signup":             registrationBody("Sunrise Clinic", "ada@sunrise.example"),
		"/vc-admin/auth/verify/resend": {"email": "ada@sunrise.example"},
	} {
		res := b.post(path, body)
		res.requireError(http.StatusServiceUnavailable, "ERRPROVIDER")
		assert.Equal(t, "Please try again later!", res.Message)
	}
	for _, path := range []string{"/vc-admin/diy/plans", "/vc-admin/diy/config.json", "/vc-admin/user/detail"} {
		assert.Equal(t, http.StatusOK, b.get(path).Status, path)
	}
}

// countersWithFailingGiveBack are counters that allow every attempt and fail to give it back.
type countersWithFailingGiveBack struct{ unreachableCounters }

func (countersWithFailingGiveBack) Take(context.Context, time.Time, ...ratelimit.Try) (time.Duration, error) {
	return 0, nil
}

func (countersWithFailingGiveBack) GiveBack(context.Context, time.Time, ...ratelimit.Try) error {
	return errors.New("connection refused")
}

func TestSignIn_SucceedsIfGiveBackFails(t *testing.T) {
	newRateLimitedServer(t, countersWithFailingGiveBack{}).signUp(t, "Sunrise Clinic", "ada@sunrise.example")
}

func TestEditCustomer_LimitsRequestsAndChargesOfOverdueInvoice(t *testing.T) {
	s := newRateLimitedServer(t)
	b, countDeclines := s.signUpWithOverdueInvoice(t)
	cardID := b.customer().InvoiceSettings.DefaultPaymentMethod.(string)
	s.advance(t, time.Hour)
	declines, successes := countDeclines(), 0

	for range 40 {
		if b.setDefaultCard(cardID).Status == http.StatusOK {
			successes++
		}
	}

	assert.Equal(t, 30, successes)
	assert.Equal(t, declines+3, countDeclines(), "the invoice was charged three times")
	b.setDefaultCard(cardID).requireRateLimited("120", "2 minutes")
	b.post("/vc-admin/org/customer/cards/add", map[string]any{"paymentMethodId": "pm_unknown"}).requireRateLimited("120", "2 minutes")
}

func TestProviderBudget_ReadsOfOneOrganisationDoNotBlockPaymentsOfAnother(t *testing.T) {
	s := newUnstartedServer(t, nil)
	s.providerCallsPerSecond = 16
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	attacker := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	bob := s.signUp(t, "Moonrise Clinic", "bob@moonrise.example")
	var wg sync.WaitGroup
	var successes, refusals atomic.Int64
	for range 40 {
		wg.Go(func() {
			switch res := attacker.get("/vc-admin/org/customer/cards"); res.Status {
			case http.StatusOK:
				successes.Add(1)
			case http.StatusTooManyRequests:
				assert.Equal(t, "ERRRATE", res.Name)
				assert.NotEmpty(t, res.Header.Get("Retry-After"))
				refusals.Add(1)
			}
		})
	}

	purchase := bob.trySubscribe(subscribeBody(bob.createCard("4242424242424242")))

	assert.Equal(t, http.StatusOK, purchase.Status, "%s", purchase.Body)
	wg.Wait()
	assert.Positive(t, successes.Load())
	assert.Positive(t, refusals.Load(), "the organisation may send eight reads immediately, then one a second")
	assert.EqualValues(t, 40, successes.Load()+refusals.Load())
}
