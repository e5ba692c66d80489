package bench

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"encoding/json"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/catalogue"
)

const (
	stripeKey     = "sk_test_local"
	stripePublic  = "pk_test_local"
	webhookSecret = "whsec_local"
)

// stripe is a Stripe of this machine, in memory, that is as far away as a measurement wants.
type stripe struct {
	*httptest.Server
	machine *fakepayment.Provider
	away    atomic.Int64 // how long every answer takes, in nanoseconds
	calls   atomic.Int64 // that were answered
	limit   atomic.Int64 // of calls in a second, beyond which they are refused; 0 for none
	second  secondCount
	events  atomic.Pointer[[]byte]
}

func newStripe(b *testing.B) *stripe {
	b.Helper()
	s := &stripe{}
	var err error
	s.machine, err = fakepayment.Open(fakepayment.Config{
		Clock: systemclock.New(), Prices: catalogue.Default(), Secrets: []string{webhookSecret},
	})
	require.NoError(b, err)
	s.machine.DeliverTo(s.keep)
	require.NoError(b, s.machine.Start(b.Context()))
	face := stripeserver.New(s.machine, stripeserver.Config{SecretKey: stripeKey, PublishableKey: stripePublic, Catalogue: catalogue.Default()})
	s.Server = httptest.NewServer(s.distant(face))
	b.Cleanup(func() {
		s.Close()
		_ = s.machine.Stop(context.Background()) // what it knows is not needed any more
	})
	return s
}

// keep is a fakepayment.Sink that keeps the latest event about a subscription.
func (s *stripe) keep(_ context.Context, payload []byte, _ string) error {
	if strings.Contains(string(payload), "customer.subscription.") {
		s.events.Store(&payload)
	}
	return nil
}

// distant lets every answer take its time.
func (s *stripe) distant(face http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		if limit := s.limit.Load(); limit > 0 && s.second.add(time.Now()) > limit {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"error": {"type": "invalid_request_error", "code": "rate_limit", "message": "Too many requests"}}`)
			return
		}
		if away := time.Duration(s.away.Load()); away > 0 {
			timer := time.NewTimer(away)
			defer timer.Stop()
			<-timer.C
		}
		face.ServeHTTP(w, r)
	})
}

// secondCount counts what happens within a second of the clock.
type secondCount struct {
	mu     sync.Mutex
	second int64
	count  int64
}

// add counts one more and returns how many there were in this second.
func (c *secondCount) add(now time.Time) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Unix() != c.second {
		c.second, c.count = now.Unix(), 0
	}
	c.count++
	return c.count
}

// settings has a server ask this Stripe.
func (s *stripe) settings() []string {
	return []string{
		"DIY_PAYMENTS=stripe", "DIY_STRIPE_API_URL=" + s.URL, "DIY_STRIPE_SECRET_KEY=" + stripeKey,
		"DIY_STRIPE_PUBLISHABLE_KEY=" + stripePublic, "DIY_STRIPE_WEBHOOK_SECRET=" + webhookSecret,
	}
}

// card makes a card that pays, as Stripe's script in the browser does.
func (s *stripe) card(b *testing.B) string {
	b.Helper()
	form := url.Values{
		"type": {"card"}, "card[number]": {"4242424242424242"}, "card[exp_month]": {"12"}, "card[exp_year]": {"2034"}, "card[cvc]": {"123"},
	}
	answer := s.ask(b, http.MethodPost, "/v1/payment_methods", stripePublic, form)
	var made struct{ ID string }
	require.NoError(b, json.NewDecoder(answer.Body).Decode(&made))
	require.NoError(b, answer.Body.Close())
	require.NotEmpty(b, made.ID)
	return made.ID
}

func (s *stripe) ask(b *testing.B, method, path, key string, form url.Values) *http.Response {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), method, s.URL+path, strings.NewReader(form.Encode()))
	must(err)
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := s.Client().Do(r)
	must(err)
	return answer
}
