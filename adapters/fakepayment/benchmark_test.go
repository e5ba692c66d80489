package fakepayment_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
)

// newPopulatedProvider returns a provider on disk with many subscribed customers.
func newPopulatedProvider(b *testing.B, customers int) (*fakepayment.Provider, fakepayment.Config, *devclock.Clock) {
	b.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	if err != nil {
		b.Fatal(err)
	}
	config := fakepayment.Config{Path: filepath.Join(b.TempDir(), "payments"), Clock: clock, Prices: testPrices{}}
	p, err := fakepayment.Open(config)
	if err != nil {
		b.Fatal(err)
	}
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range customers / 64 {
				createSubscription(p)
			}
		})
	}
	all.Wait()
	return p, config, clock
}

// BenchmarkCustomer creates a customer with a card and a paid subscription: four writes.
func BenchmarkCustomer(b *testing.B) {
	p, _, _ := newPopulatedProvider(b, 2_000)
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			createSubscription(p)
		}
	})
	b.StopTimer()
	_ = p.Stop(context.Background())
}

// BenchmarkOpen opens the state of 2,000 customers.
func BenchmarkOpen(b *testing.B) {
	p, config, _ := newPopulatedProvider(b, 2_000)
	for b.Loop() {
		_ = p.Stop(context.Background())
		var err error
		if p, err = fakepayment.Open(config); err != nil {
			b.Fatal(err)
		}
	}
	_ = p.Stop(context.Background())
}

// BenchmarkYear renews 2,000 subscriptions.
func BenchmarkYear(b *testing.B) {
	p, _, clock := newPopulatedProvider(b, 2_000)
	for b.Loop() {
		if _, err := clock.Advance(366 * 24 * time.Hour); err != nil {
			b.Fatal(err)
		}
		if err := p.Tick(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	_ = p.Stop(context.Background())
}
