package stripepayment_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

const (
	localPublic = "pk_test_local"
	localSecret = "whsec_ours"
)

// localStripe is the embedded provider behind its face in Stripe's wire format, with a clock that
// only the test moves, and the adapter that asks it.
type localStripe struct {
	*httptest.Server
	face    *stripeserver.Server
	machine *fakepayment.Provider
	clock   *devclock.Clock
	log     lines

	mu         sync.Mutex
	deliveries []paymenttest.Delivery
	asked      []string
}

// newLocalStripe has the catalogue on its shelf, if one is given.
func newLocalStripe(t *testing.T, stock *catalogue.Catalogue) *localStripe {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	machine, err := fakepayment.Open(fakepayment.Config{Clock: clock, Prices: catalogue.Default(), Secrets: []string{localSecret}})
	require.NoError(t, err)
	l := &localStripe{machine: machine, clock: clock}
	l.face = stripeserver.New(machine, stripeserver.Config{SecretKey: testKey, PublishableKey: localPublic, Catalogue: stock})
	machine.DeliverTo(l.take)
	require.NoError(t, machine.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, machine.Stop(context.Background())) })
	l.Server = httptest.NewServer(http.HandlerFunc(l.serve))
	t.Cleanup(l.CloseClientConnections)
	t.Cleanup(l.Close)
	return l
}

func (l *localStripe) serve(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.asked = append(l.asked, r.Method+" "+r.URL.Path)
	l.mu.Unlock()
	l.face.ServeHTTP(w, r)
}

// requests is where it was asked since the last time.
func (l *localStripe) requests() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := l.asked
	l.asked = nil
	return asked
}

func (l *localStripe) take(_ context.Context, payload []byte, signature string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deliveries = append(l.deliveries, paymenttest.Delivery{Payload: payload, Signature: signature})
	return nil
}

func (l *localStripe) delivered(*testing.T) []paymenttest.Delivery {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.deliveries)
}

func (l *localStripe) advance(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := l.clock.Advance(d)
	require.NoError(t, err)
	require.NoError(t, l.machine.Tick(t.Context()))
}

// adapter is one that asks the local Stripe, sells the catalogue and has little patience.
func (l *localStripe) adapter(t *testing.T, sold *catalogue.Catalogue) *stripepayment.Provider {
	t.Helper()
	p, err := stripepayment.New(stripepayment.Config{
		SecretKey: testKey, APIURL: l.URL, WebhookSecrets: []string{localSecret}, Catalogue: sold,
		Clock: l.clock, Backoff: time.Millisecond, Timeout: 500 * time.Millisecond, Log: slog.New(slog.NewTextHandler(&l.log, nil)),
	})
	require.NoError(t, err)
	return p
}
