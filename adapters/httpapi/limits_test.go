package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// newStrictHouse limits how often things are tried. Its clock stands still unless it is moved, and
// its passwords cost no time. It stands behind a proxy, which tells where its visitors are.
func newStrictHouse(t *testing.T, counters ...ratelimit.Counters) *house {
	t.Helper()
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	h := foundations(t, func() time.Time { return noon })
	h.passwords = plainPasswords{}
	h.limits = append(counters, h.store.RateLimits())[0]
	h.serve(t, httpapi.Site{Payments: fakePage})
	return h
}

// plainPasswords are kept as they are.
type plainPasswords struct{}

func (plainPasswords) Common(string) bool { return false }

func (plainPasswords) Hash(_ context.Context, password string) (string, error) { return password, nil }

func (plainPasswords) Verify(_ context.Context, password, hash string) (bool, error) {
	return password == hash, nil
}

// at is a new browser at the address.
func (h *house) at(t *testing.T, address string) *browser {
	t.Helper()
	b := h.browser(t)
	b.from = address
	return b
}

// attempt tries to sign in.
func (b *browser) attempt(email, password string) answer {
	b.t.Helper()
	return b.post("/auth/login", map[string]any{"username": email, "password": password})
}

// guess tries wrong passwords, none of which is refused for being too many.
func (b *browser) guess(email string, times int) {
	b.t.Helper()
	for i := range times {
		b.attempt(email, fmt.Sprintf("Wrong%dhorse", i)).refused(http.StatusUnauthorized, "ERRCREDENTIALS")
	}
}

// tooOften asserts that there were too many tries, and how long that lasts.
func (a answer) tooOften(seconds, words string) {
	a.t.Helper()
	a.refused(http.StatusTooManyRequests, "ERRRATE")
	assert.Equal(a.t, seconds, a.Header.Get("Retry-After"))
	assert.Equal(a.t, "That was tried too often. Please try again in "+words+".", a.Message)
	assert.Equal(a.t, "no-store", a.Header.Get("Cache-Control"))
}

func TestGuessesOfAnEmailEnd(t *testing.T) {
	h := newStrictHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	b := h.at(t, "203.0.113.7")

	b.guess("ada@sunrise.example", 10)

	b.attempt("ada@sunrise.example", "Wrong1horse").tooOften("360", "6 minutes")
	b.attempt(" ADA@Sunrise.example ", password).tooOften("360", "6 minutes")
	h.advance(t, 330*time.Second)
	b.attempt("ada@sunrise.example", password).tooOften("30", "30 seconds")
	h.advance(t, 30*time.Second)
	b.guess("ada@sunrise.example", 1)
	b.attempt("ada@sunrise.example", "Wrong1horse").tooOften("360", "6 minutes")
	h.advance(t, time.Hour)
	b.signIn("ada@sunrise.example")
}

func TestGuessesFromManyAddressesAreCountedTogether(t *testing.T) {
	h := newStrictHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	for i := range 10 {
		h.at(t, fmt.Sprintf("198.51.100.%d", i)).guess("ada@sunrise.example", 1)
	}
	for i := range 10 {
		h.at(t, fmt.Sprintf("203.0.113.%d", i)).attempt("ada@sunrise.example", password).tooOften("360", "6 minutes")
	}
}

func TestNobodyCanLockSomebodyElseOut(t *testing.T) {
	h := newStrictHouse(t)
	ada := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	ada.get("/vc-admin/auth/logout")
	for i := range 10 {
		h.at(t, fmt.Sprintf("198.51.100.%d", i)).guess("ada@sunrise.example", 1)
	}
	neighbour := h.at(t, "203.0.113.7")
	for i := range 30 {
		neighbour.guess(fmt.Sprintf("person%d@example.com", i), 1)
	}

	ada.from = "203.0.113.7"
	ada.signIn("ada@sunrise.example")

	// Her own browser has its own limit,
	ada.guess("ada@sunrise.example", 10)
	ada.attempt("ada@sunrise.example", password).tooOften("360", "6 minutes")
	h.advance(t, 6*time.Minute)
	ada.signIn("ada@sunrise.example")

	// and is worth nothing for anybody else's account.
	ada.from = "192.0.2.7"
	ada.guess("bob@example.com", 10)
	ada.attempt("bob@example.com", password).tooOften("360", "6 minutes")
}

func TestTheBrowserOfASignUpIsKnown(t *testing.T) {
	h := newStrictHouse(t)
	ada := h.browser(t)
	link := ada.register("Sunrise Clinic", "ada@sunrise.example")
	h.at(t, "203.0.113.7").guess("ada@sunrise.example", 10)

	ada.get(link)
	ada.signIn("ada@sunrise.example")
}

// Whether an e-mail has an account can't be told from the limits.
func TestUnknownEmailsAreCountedAlike(t *testing.T) {
	h := newStrictHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	script := func(email, address string) (answers []string) {
		b := h.at(t, address)
		for range 12 {
			a := b.attempt(email, "Wrong1horse")
			answers = append(answers, fmt.Sprint(a.Status, a.Header.Get("Retry-After"), string(a.Body)))
		}
		for range 5 {
			a := b.post("/vc-admin/auth/verify/resend", map[string]any{"email": email})
			answers = append(answers, fmt.Sprint(a.Status, a.Header.Get("Retry-After"), string(a.Body)))
		}
		return answers
	}
	assert.Equal(t, script("ada@sunrise.example", "203.0.113.7"), script("nobody@sunrise.example", "203.0.113.8"))
}

func TestWhoKnowsThePasswordIsNotCounted(t *testing.T) {
	h := newStrictHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	for range 15 {
		h.at(t, "203.0.113.7").signIn("ada@sunrise.example")
	}
}

func TestGuessesOfAnAddressEnd(t *testing.T) {
	h := newStrictHouse(t)
	for i := range 30 {
		h.at(t, fmt.Sprintf("2001:db8:1:2::%x", i)).guess(fmt.Sprintf("person%d@example.com", i), 1)
	}
	h.at(t, "2001:db8:1:2:ffff::1").attempt("somebody@example.com", password).tooOften("120", "2 minutes")
	h.at(t, "2001:db8:1:3::1").guess("somebody@example.com", 1)
}

// A /48 holds 65,536 networks of /64, so counting those alone would not limit its owner.
func TestGuessesOfAnIPv6SiteEnd(t *testing.T) {
	h := newStrictHouse(t)
	for i := range 300 {
		h.at(t, fmt.Sprintf("2001:db8:1:%x::1", i)).guess(fmt.Sprintf("person%d@example.com", i), 1)
	}
	h.at(t, "2001:db8:1:ffff::1").attempt("somebody@example.com", password).tooOften("12", "12 seconds")
	h.at(t, "2001:db8:2:1::1").guess("somebody@example.com", 1)
}

func TestSignUpsOfAnIPv6SiteEnd(t *testing.T) {
	h := newStrictHouse(t)
	signUp := func(i int) answer {
		b := h.at(t, fmt.Sprintf("2001:db8:1:%x::1", i))
		return b.post("/vc-admin/signup", registration(fmt.Sprintf("Practice %d", i), fmt.Sprintf("person%d@example.com", i)))
	}
	for i := range 200 {
		require.Equal(t, http.StatusCreated, signUp(i).Status)
	}
	signUp(200).tooOften("18", "18 seconds")
}

func TestSignUpsOfAnAddressEnd(t *testing.T) {
	h := newStrictHouse(t)
	b := h.at(t, "203.0.113.7")
	signUp := func(b *browser, i int) answer {
		return b.post("/vc-admin/signup", registration(fmt.Sprintf("Practice %d", i), fmt.Sprintf("person%d@example.com", i)))
	}
	wrong := registration("Practice", "person@example.com")
	wrong["password"] = "short"
	for range 5 {
		b.post("/vc-admin/signup", wrong).refused(http.StatusBadRequest, "ERRVALIDATION")
	}
	for i := range 20 {
		require.Equal(t, http.StatusCreated, signUp(b, i).Status, "a clinic's staff, and forms that were wrong at first")
	}

	signUp(b, 20).tooOften("180", "3 minutes")
	b.post("/vc-admin/user-diy/new-user", registration("Practice", "person@example.com")).tooOften("180", "3 minutes")
	assert.Equal(t, http.StatusCreated, signUp(h.at(t, "203.0.113.8"), 21).Status)
}

func TestResendingEnds(t *testing.T) {
	h := newStrictHouse(t)
	h.browser(t).register("Sunrise Clinic", "ada@sunrise.example")
	resend := func(b *browser, email string) answer {
		return b.post("/vc-admin/auth/verify/resend", map[string]any{"email": email})
	}
	for i := range 3 {
		assert.Equal(t, http.StatusAccepted, resend(h.at(t, fmt.Sprintf("203.0.113.%d", i)), "ada@sunrise.example").Status)
	}
	b := h.at(t, "203.0.113.7")
	resend(b, "ADA@sunrise.example").tooOften("1200", "20 minutes")
	for i := range 20 {
		assert.Equal(t, http.StatusAccepted, resend(b, fmt.Sprintf("person%d@example.com", i)).Status)
	}
	resend(b, "somebody@example.com").tooOften("180", "3 minutes")
}
