package bench

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

const (
	// stripeLimit is how many calls per second Stripe accepts from an account in live mode.
	stripeLimit = 100
	// floodConnections of one account read its cards, over and over.
	floodConnections = 40
	// payers are other organisations that subscribe meanwhile.
	payers = 4
)

// BenchmarkProviderFlood compares how long a payment takes while another account floods the provider
// with how long it takes at rest. The provider refuses more than 100 calls per second with 429, as
// Stripe does. Every payment has to succeed.
func BenchmarkProviderFlood(b *testing.B) {
	provider := newStripe(b)
	database := newSQLite(b)
	s := startServer(b, database, append(provider.settings(), "DIY_RATE_LIMITS=on", "DIY_TRUSTED_PROXIES=127.0.0.1")...)
	till := &till{stripe: provider, visitor: newVisitor(b, s)}
	store := openStore(b, database)
	const turns = 5
	clinics := newClinics(b, provider, store, 1+2*turns*payers, false)
	attacker := till.as(signsIn(b, store, clinics[0].Identity))
	for i, c := range clinics[1:] {
		payer := till.as(signsIn(b, store, c.Identity))
		payer.address = fmt.Sprintf("198.51.100.%d", i+1)
		till.queue = append(till.queue, buyer{payer, c.customer, provider.card(b)})
	}
	provider.away.Store(int64(distance))
	provider.limit.Store(stripeLimit)
	figure(b, func(b *testing.B) []row {
		var reads float64
		d := byTurns(turns, func() float64 {
			stop := attacker.floods(b.Context())
			defer func() { reads = stop() }()
			return till.next(b, payers)
		}, func() float64 { return till.next(b, payers) })
		return []row{{
			what: fmt.Sprintf("%d subscribe while one account floods", payers), measured: fmt.Sprintf("%.0f ms", d.ours),
			against: fmt.Sprintf("%.0f ms at rest (the flood gets %s)", d.theirs, perSecond(reads)), ratio: d.ratio, wanted: atMost(1.25),
		}}
	})
}

// floods reads the cards on many connections until stop is called, which returns the rate of reads that
// were answered. It begins to return when the flood has used up what it may use at once.
func (v *visitor) floods(ctx context.Context) (stop func() float64) {
	ctx, cancel := context.WithCancel(ctx)
	var connections sync.WaitGroup
	read := make(chan struct{}, 1<<16)
	began := time.Now()
	for range floodConnections {
		connections.Go(func() {
			for ctx.Err() == nil {
				answer, err := v.client.Do(v.request(ctx, http.MethodGet, "/vc-admin/org/customer/cards", nil))
				if err != nil {
					continue
				}
				_ = answer.Body.Close()
				if answer.StatusCode == http.StatusOK {
					read <- struct{}{}
				}
			}
		})
	}
	<-time.After(2 * time.Second)
	return func() float64 {
		cancel()
		connections.Wait()
		return float64(len(read)) / time.Since(began).Seconds()
	}
}
