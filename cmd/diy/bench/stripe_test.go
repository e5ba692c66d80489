package bench

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	stripeKey            = "sk_test_local"
	stripePublishableKey = "pk_test_local"
	webhookSecret        = "whsec_local"
)

// stripe is a fake Stripe in memory with a configurable latency and rate limit.
type stripe struct {
	*httptest.Server
	provider       *fakepayment.Provider
	latency        atomic.Int64 // of every response, in nanoseconds
	calls          atomic.Int64 // number of calls
	callsPerSecond atomic.Int64 // the rate limit; 0 for no limit
	callCounter    secondCounter
	latestEvent    atomic.Pointer[[]byte]             // the latest event about a subscription
	recordedReads  atomic.Pointer[chan *http.Request] // see recordReads
}

func newStripe(b *testing.B) *stripe {
	b.Helper()
	s := &stripe{}
	var err error
	s.provider, err = fakepayment.Open(fakepayment.Config{
		Clock: systemclock.New(), Prices: catalogue.Default(), Secrets: []string{webhookSecret},
	})
	require.NoError(b, err)
	s.provider.SetSink(s.storeEvent)
	require.NoError(b, s.provider.Start(b.Context()))
	handler := stripeserver.New(s.provider,
		stripeserver.Config{SecretKey: stripeKey, PublishableKey: stripePublishableKey, Catalogue: catalogue.Default()})
	s.Server = httptest.NewServer(s.intercept(handler))
	b.Cleanup(func() {
		s.Close()
		_ = s.provider.Stop(context.Background())
	})
	return s
}

// storeEvent is a fakepayment.Sink that keeps the latest subscription event.
func (s *stripe) storeEvent(_ context.Context, payload []byte, _ string) error {
	if strings.Contains(string(payload), "customer.subscription.") {
		s.latestEvent.Store(&payload)
	}
	return nil
}

// recordReads calls do and returns the reads that the server sends during the call.
func (s *stripe) recordReads(b *testing.B, do func() error) []*http.Request {
	b.Helper()
	reads := make(chan *http.Request, 100)
	s.recordedReads.Store(&reads)
	require.NoError(b, do())
	s.recordedReads.Store(nil)
	var requests []*http.Request
	for range len(reads) {
		requests = append(requests, <-reads)
	}
	require.NotEmpty(b, requests)
	return requests
}

// repeatReads sends the reads again, directly to the fake Stripe instead of through the server.
func (s *stripe) repeatReads(ctx context.Context, client *http.Client, reads []*http.Request) error {
	for _, read := range reads {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+read.URL.RequestURI(), nil)
		if err != nil {
			return err
		}
		r.Header = read.Header.Clone()
		response, err := client.Do(r)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		if err := errors.Join(err, response.Body.Close()); err != nil {
			return err
		}
	}
	return nil
}

// intercept counts and records the calls, enforces the rate limit and delays the responses.
func (s *stripe) intercept(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		if reads := s.recordedReads.Load(); reads != nil && r.Method == http.MethodGet {
			*reads <- r
		}
		if limit := s.callsPerSecond.Load(); limit > 0 && s.callCounter.add(time.Now()) > limit {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"error": {"type": "invalid_request_error", "code": "rate_limit", "message": "Too many requests"}}`)
			return
		}
		if latency := time.Duration(s.latency.Load()); latency > 0 {
			timer := time.NewTimer(latency)
			defer timer.Stop()
			<-timer.C
		}
		handler.ServeHTTP(w, r)
	})
}

// secondCounter counts the calls in each second of the clock.
type secondCounter struct {
	mu     sync.Mutex
	second int64
	count  int64
}

// add counts a call and returns the number of calls in this second.
func (c *secondCounter) add(now time.Time) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Unix() != c.second {
		c.second, c.count = now.Unix(), 0
	}
	c.count++
	return c.count
}

// settings returns the environment with which a server uses this Stripe.
func (s *stripe) settings() []string {
	return []string{
		"DIY_PAYMENTS=stripe", "DIY_STRIPE_API_URL=" + s.URL, "DIY_STRIPE_SECRET_KEY=" + stripeKey,
		"DIY_STRIPE_PUBLISHABLE_KEY=" + stripePublishableKey, "DIY_STRIPE_WEBHOOK_SECRET=" + webhookSecret,
	}
}

// createCard creates a card that is not saved yet.
func (s *stripe) createCard(b *testing.B) string {
	b.Helper()
	card, err := s.provider.CreatePaymentMethod(b.Context(),
		fakepayment.CardEntry{Number: "4242424242424242", ExpMonth: 12, ExpYear: 2034, CVC: "123"})
	require.NoError(b, err)
	return card.ID
}

// readMissingCustomer reads a customer that does not exist, which is a call with little work.
func (s *stripe) readMissingCustomer(b *testing.B) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, s.URL+"/v1/customers/none", http.NoBody)
	must(err)
	r.Header.Set("Authorization", "Bearer "+stripeKey)
	response, err := s.Client().Do(r)
	must(err)
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
}

// organisation is a stored organisation that is a customer at the fake Stripe.
type organisation struct {
	identity.Identity
	customer string
}

// storeOrganisations stores organisations, each with a subscription if withSubscription is true. It hashes no passwords.
func storeOrganisations(b *testing.B, s *stripe, store *sqlstorage.Store, count int, withSubscription bool) []organisation {
	b.Helper()
	var organisations []organisation
	for range count {
		number := newRegistrationNumber()
		id := "bench_" + number // differs from the IDs of package seed
		org := account.Organisation{ID: id, Name: "Clinic " + number, CreatedAt: time.Now()}
		org.Billing.CustomerID = s.createCustomer(b, org)
		if withSubscription {
			s.subscribe(b, &org)
		}
		require.NoError(b, store.CreateSignUp(b.Context(), newSignUp(org, id, "ann"+number+"@clinic.example")))
		organisations = append(organisations, organisation{identity.Identity{UserID: id, OrganisationID: org.ID}, org.Billing.CustomerID})
	}
	return organisations
}

func newSignUp(org account.Organisation, userID, email string) storage.SignUp {
	return storage.SignUp{
		Organisation: org,
		User: account.User{
			ID: userID, OrganisationID: org.ID, FirstName: "Ann", LastName: "King", Email: email, VerifiedAt: time.Now(),
			CreatedAt: time.Now(),
		},
		Verification: account.Verification{TokenHash: "hash of " + userID, UserID: userID, ExpiresAt: time.Now().Add(time.Hour)},
		Email:        mail.Message{To: email, Subject: "Welcome", Text: "Welcome", HTML: "<p>Welcome</p>"},
	}
}

func (s *stripe) createCustomer(b *testing.B, org account.Organisation) string {
	b.Helper()
	customer, err := s.provider.CreateCustomer(b.Context(),
		payment.NewCustomer{Key: "customer of " + org.ID, OrganisationID: org.ID, Name: org.Name})
	require.NoError(b, err)
	return customer.ID
}

func (s *stripe) subscribe(b *testing.B, org *account.Organisation) {
	b.Helper()
	sub, err := s.provider.Subscribe(b.Context(), payment.NewSubscription{
		Key: "subscription of " + org.ID, CustomerID: org.Billing.CustomerID, MethodID: s.createCard(b), First: true, Sole: true,
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
	})
	require.NoError(b, err)
	org.Billing.RecordSubscriptions(sub)
}
