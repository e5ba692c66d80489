package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// stripeLatency is about Stripe's response time.
const stripeLatency = 200 * time.Millisecond

// BenchmarkSubscribe measures first subscriptions with a new card, made by one organisation and by many at the same time.
// The baseline makes the same number of bare calls to the provider. The ratio grows if a lock is held during a call.
func BenchmarkSubscribe(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		provider := newStripe(b)
		database := newDatabase(b)
		s := startServer(b, database, provider.settings()...)
		c := &subscriptionBenchmark{stripe: provider, client: newClient(b, s)}
		store := openStore(b, database)
		for _, o := range storeOrganisations(b, provider, store, 6+3*concurrentSubscriptions, false) {
			c.queue = append(c.queue, payer{c.withSession(createSession(b, store, o.Identity)), o.customer, provider.createCard(b)})
		}
		provider.latency.Store(int64(stripeLatency))
		reportRows(b, func(b *testing.B) []row {
			calls := c.countCalls(b)
			single, concurrent := c.compare(b, 5, 1, calls), c.compare(b, 3, concurrentSubscriptions, calls)
			return []row{
				c.newRow("one subscribes, "+kind, single, calls),
				c.newRow(fmt.Sprintf("%d subscribe at once, %s", concurrentSubscriptions, kind), concurrent, calls),
			}
		})
	})
}

const concurrentSubscriptions = 32

// payer is a signed-in client that can subscribe.
type payer struct {
	*client
	customer, card string
}

// subscriptionBenchmark measures how long queued payers take to subscribe.
type subscriptionBenchmark struct {
	*client
	stripe *stripe
	queue  []payer
}

// subscribeNext lets count payers subscribe at the same time and returns the median of their durations in milliseconds.
func (c *subscriptionBenchmark) subscribeNext(b *testing.B, count int) float64 {
	b.Helper()
	payers := c.queue[:count]
	c.queue = c.queue[count:]
	return runConcurrently(b, count, func(i int) error { return payers[i].subscribe(b) })
}

func (p payer) subscribe(b *testing.B) error {
	b.Helper()
	status, body, err := p.post(b.Context(), "/vc-admin/user-diy/subscribe", map[string]string{
		"customerId": p.customer, "paymentMethodId": p.card, "priceId": "standard_monthly", "interval": "monthly",
		"currency": "AUD",
	})
	return checkStatus(http.StatusOK, status, body, err)
}

// countCalls returns the number of calls to the provider that a subscription makes.
func (c *subscriptionBenchmark) countCalls(b *testing.B) int {
	b.Helper()
	before := c.stripe.calls.Load()
	c.subscribeNext(b, 1)
	return int(c.stripe.calls.Load() - before)
}

// compare compares the subscriptions of count concurrent clients with count concurrent clients that make bare calls in
// sequence.
func (c *subscriptionBenchmark) compare(b *testing.B, rounds, count, calls int) comparison {
	b.Helper()
	return compare(rounds, func() float64 { return c.subscribeNext(b, count) }, func() float64 {
		return runConcurrently(b, count, func(int) error {
			for range calls {
				c.stripe.readMissingCustomer(b)
			}
			return nil
		})
	})
}

func (c *subscriptionBenchmark) newRow(name string, medians comparison, calls int) row {
	return row{
		name: name, result: fmt.Sprintf("%.0f ms", medians.server),
		baseline: fmt.Sprintf("%.0f ms for %d round trips", medians.baseline, calls),
		ratio:    medians.ratio, target: atMost(1.25),
	}
}

// runConcurrently calls do count times concurrently and returns the median of the durations in milliseconds.
func runConcurrently(b *testing.B, count int, do func(i int) error) float64 {
	b.Helper()
	durations, errs := make(samples, count), make([]error, count)
	var wg sync.WaitGroup
	for i := range count {
		wg.Go(func() {
			start := time.Now()
			errs[i] = do(i)
			durations[i] = time.Since(start)
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(b, err)
	}
	return milliseconds(durations.median())
}

const (
	// stripeCallsPerSecond is the number of calls per second that Stripe accepts from an account in live mode.
	stripeCallsPerSecond = 100
	// floodConnections is the number of connections on which one account lists its cards.
	floodConnections = 40
	// floodPayers is the number of other organisations that subscribe during the flood.
	floodPayers = 4
)

// BenchmarkProviderFlood compares the duration of a payment at rest and while another account floods the provider with
// calls. The provider refuses more than 100 calls per second with 429, as Stripe does. All payments must succeed.
func BenchmarkProviderFlood(b *testing.B) {
	provider := newStripe(b)
	database := newSQLiteURL(b)
	s := startServer(b, database, append(provider.settings(), "DIY_RATE_LIMITS=on", "DIY_TRUSTED_PROXIES=127.0.0.1")...)
	c := &subscriptionBenchmark{stripe: provider, client: newClient(b, s)}
	store := openStore(b, database)
	const rounds = 5
	organisations := storeOrganisations(b, provider, store, 1+2*rounds*floodPayers, false)
	attacker := c.withSession(createSession(b, store, organisations[0].Identity))
	for i, o := range organisations[1:] {
		payerClient := c.withSession(createSession(b, store, o.Identity))
		payerClient.address = fmt.Sprintf("198.51.100.%d", i+1)
		c.queue = append(c.queue, payer{payerClient, o.customer, provider.createCard(b)})
	}
	provider.latency.Store(int64(stripeLatency))
	provider.callsPerSecond.Store(stripeCallsPerSecond)
	reportRows(b, func(b *testing.B) []row {
		var floodRate float64
		medians := compare(rounds, func() float64 {
			stop := attacker.startFlood(b.Context())
			defer func() { floodRate = stop() }()
			return c.subscribeNext(b, floodPayers)
		}, func() float64 { return c.subscribeNext(b, floodPayers) })
		return []row{{
			name: fmt.Sprintf("%d subscribe while one account floods", floodPayers), result: fmt.Sprintf("%.0f ms", medians.server),
			baseline: fmt.Sprintf("%.0f ms at rest (the flood gets %s)", medians.baseline, formatRate(floodRate)), ratio: medians.ratio,
			target: atMost(1.25),
		}}
	})
}

// startFlood lists the cards on many connections until stop is called. stop returns the rate of successful responses. It
// first waits until the flood has used up the burst of the rate limit.
func (c *client) startFlood(ctx context.Context) (stop func() float64) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	var successes atomic.Int64
	start := time.Now()
	for range floodConnections {
		wg.Go(func() {
			for ctx.Err() == nil {
				response, err := c.http.Do(c.newRequest(ctx, http.MethodGet, "/vc-admin/org/customer/cards", nil))
				if err != nil {
					continue
				}
				_ = response.Body.Close()
				if response.StatusCode == http.StatusOK {
					successes.Add(1)
				}
			}
		})
	}
	<-time.After(2 * time.Second)
	return func() float64 {
		cancel()
		wg.Wait()
		return float64(successes.Load()) / time.Since(start).Seconds()
	}
}

// BenchmarkWebhooks compares the rate at which the server processes events with the rate of the minimum work for an
// event. The minimum work is the same reads from the provider and two commits.
func BenchmarkWebhooks(b *testing.B) {
	forEachDatabase(b, func(b *testing.B, kind string, newDatabase func(*testing.B) string) {
		provider, database := newStripe(b), newDatabase(b)
		events := newEventSource(b, provider, storeOrganisations(b, provider, openStore(b, database), 64, true))
		s := startServer(b, database, provider.settings()...)
		bare := newBareDatabase(b, newDatabase(b))
		c := newClient(b, s)
		reads := provider.recordReads(b, func() error { return c.deliver(b.Context(), events.next()) })
		reportRows(b, func(b *testing.B) []row {
			medians := compare(5, func() float64 {
				return measureRate(b, concurrentConnections, 2*time.Second,
					func(int) error { return c.deliver(b.Context(), events.next()) })
			}, func() float64 {
				return measureRate(b, concurrentConnections, time.Second, func(int) error {
					return errors.Join(provider.repeatReads(b.Context(), c.http, reads), bare.insertRow(b), bare.insertRow(b))
				})
			})
			return []row{{
				name: "webhooks, " + kind, result: formatRate(medians.server),
				baseline: formatRate(medians.baseline) + " bare calls and commits",
				ratio:    medians.ratio, target: atLeast(0.15),
			}}
		})
	})
}

// eventSource creates events about subscriptions. Each event has a new ID.
type eventSource struct {
	event         map[string]any // template of the events
	organisations []organisation
	count         atomic.Int64
}

// newEventSource returns a source whose template is the latest event of the provider about a subscription.
func newEventSource(b *testing.B, s *stripe, organisations []organisation) *eventSource {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), timeout)
	defer cancel()
	require.NoError(b, s.provider.Drain(ctx))
	payload := s.latestEvent.Load()
	require.NotNil(b, payload)
	source := &eventSource{organisations: organisations}
	require.NoError(b, json.Unmarshal(*payload, &source.event))
	return source
}

// next returns an event about the next organisation.
func (s *eventSource) next() []byte {
	i := s.count.Add(1)
	event := maps.Clone(s.event)
	event["id"] = fmt.Sprintf("evt_bench_%d", i)
	event["data"] = map[string]any{"object": map[string]any{
		"id": "sub_bench", "object": "subscription", "customer": s.organisations[int(i)%len(s.organisations)].customer,
	}}
	text, err := json.Marshal(event)
	must(err)
	return text
}

// deliver delivers an event as Stripe does.
func (c *client) deliver(ctx context.Context, payload []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.origin+"/vc-admin/webhooks/stripe", bytes.NewReader(payload))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Stripe-Signature", fakepayment.Sign(payload, time.Now(), webhookSecret))
	response, err := c.http.Do(r)
	if err != nil {
		return err
	}
	return checkStatus(http.StatusOK, response.StatusCode, nil, response.Body.Close())
}
