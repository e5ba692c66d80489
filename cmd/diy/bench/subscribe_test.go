package bench

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// distance is how long the provider takes for an answer: about what Stripe does.
const distance = 200 * time.Millisecond

// BenchmarkSubscribe is a first subscription with a new card against as many bare calls of the
// provider as it takes, by one organisation alone and by many at once. If anything were locked while
// the provider is asked, the many would stand in line.
func BenchmarkSubscribe(b *testing.B) {
	onEach(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		provider := newStripe(b)
		database := newDatabase(b)
		s := startServer(b, database, provider.settings()...)
		till := &till{stripe: provider, visitor: newVisitor(b, s)}
		store := openStore(b, database)
		for _, c := range newClinics(b, provider, store, 6+3*many, false) {
			till.queue = append(till.queue, buyer{till.as(signsIn(b, store, c.Identity)), c.customer, provider.card(b)})
		}
		provider.away.Store(int64(distance))
		figure(b, func(b *testing.B) []row {
			calls := till.calls(b)
			alone, together := till.duel(b, 5, 1, calls), till.duel(b, 3, many, calls)
			return []row{
				till.row("one subscribes, "+kind, alone, calls),
				till.row(fmt.Sprintf("%d subscribe at once, %s", many, kind), together, calls),
			}
		})
	})
}

// many is how many organisations subscribe at once.
const many = 32

// buyer is somebody who is about to subscribe.
type buyer struct {
	*visitor
	customer, card string
}

// till is where buyers subscribe.
type till struct {
	*visitor
	stripe *stripe
	queue  []buyer
}

// next lets so many buyers subscribe at once and returns the median of how long it took them.
func (t *till) next(b *testing.B, count int) float64 {
	b.Helper()
	buyers := t.queue[:count]
	t.queue = t.queue[count:]
	return atOnce(b, count, func(i int) error { return buyers[i].subscribe(b) })
}

func (p buyer) subscribe(b *testing.B) error {
	b.Helper()
	status, said, err := p.post(b.Context(), "/vc-admin/user-diy/subscribe", map[string]string{
		"customerId": p.customer, "paymentMethodId": p.card, "priceId": "standard_monthly", "interval": "monthly", "currency": "AUD",
	})
	return wants(http.StatusOK, status, said, err)
}

// calls is how many calls of the provider a subscription takes.
func (t *till) calls(b *testing.B) int {
	b.Helper()
	before := t.stripe.calls.Load()
	t.next(b, 1)
	return int(t.stripe.calls.Load() - before)
}

// duel is subscribing against the bare calls, one after the other, by as many at once.
func (t *till) duel(b *testing.B, turns, count, calls int) duel {
	b.Helper()
	return byTurns(turns, func() float64 { return t.next(b, count) }, func() float64 {
		return atOnce(b, count, func(int) error {
			for range calls {
				answer := t.stripe.ask(b, http.MethodGet, "/v1/customers/none", stripeKey, nil)
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
			}
			return nil
		})
	})
}

func (t *till) row(what string, d duel, calls int) row {
	return row{
		what: what, measured: fmt.Sprintf("%.0f ms", d.ours), against: fmt.Sprintf("%.0f ms for %d round trips", d.theirs, calls),
		ratio: d.ratio, wanted: atMost(1.25),
	}
}

// atOnce has something done by so many at once, and returns the median of how long it took them, in
// milliseconds.
func atOnce(b *testing.B, count int, do func(i int) error) float64 {
	b.Helper()
	all, failed := make(samples, count), make([]error, count)
	var waiting sync.WaitGroup
	for i := range count {
		waiting.Go(func() {
			began := time.Now()
			failed[i] = do(i)
			all[i] = time.Since(began)
		})
	}
	waiting.Wait()
	for _, err := range failed {
		require.NoError(b, err)
	}
	return inMs(all.median())
}
