package invoicepayment

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/invoicepayment/internal/former"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// BenchmarkRequests measures requests of a customer with 150 invoices.
func BenchmarkRequests(b *testing.B) {
	ctx := context.Background()
	dir := b.TempDir()
	url := "sqlite:" + dir + "/diy.db"
	require.NoError(b, prepare(ctx, url))
	store, err := sqlstorage.Open(ctx, url)
	require.NoError(b, err)
	defer store.Close()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(b, err)
	d := plugin.Dependencies{Database: store.Database(), Clock: clock, Catalogue: catalogue.Default()}
	p, err := Open(plugin.Settings{}, d)
	require.NoError(b, err)
	before, err := former.Open(plugin.Settings{}, d)
	require.NoError(b, err)
	c, err := p.CreateCustomer(ctx, payment.NewCustomer{Key: "c", OrganisationID: "org", Name: "Clinic"})
	require.NoError(b, err)
	s, err := p.Subscribe(ctx, payment.NewSubscription{Key: "s", CustomerID: c.ID, Price: standard})
	require.NoError(b, err)
	for range 150 {
		list, err := p.ListInvoices(ctx, payment.InvoicePage{CustomerID: c.ID, Limit: 1})
		require.NoError(b, err)
		inv := list.Invoices[0]
		_, err = p.MarkPaid(ctx, Transfer{Number: inv.Number, Amount: inv.AmountDue, Reference: rand.Text()})
		require.NoError(b, err)
		s, err = p.Subscription(ctx, s.ID)
		require.NoError(b, err)
		_, err = clock.Advance(s.CurrentPeriodEnd.Sub(clock.Now()) + time.Second)
		require.NoError(b, err)
	}
	for name, provider := range map[string]payment.Provider{"former": before, "account": p} {
		b.Run(name+"/list subscriptions", func(b *testing.B) {
			for b.Loop() {
				_, err := provider.ListSubscriptions(ctx, c.ID)
				require.NoError(b, err)
			}
		})
		b.Run(name+"/first page of invoices", func(b *testing.B) {
			for b.Loop() {
				_, err := provider.ListInvoices(ctx, payment.InvoicePage{CustomerID: c.ID, Limit: 10})
				require.NoError(b, err)
			}
		})
		b.Run(name+"/end and resume", func(b *testing.B) {
			end := false
			for b.Loop() {
				end = !end
				_, _ = provider.SetEndAtPeriodEnd(ctx, payment.EndRequest{Key: rand.Text(), SubscriptionID: s.ID, End: end})
			}
		})
	}
}
