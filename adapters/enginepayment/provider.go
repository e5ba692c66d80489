package enginepayment

import (
	"context"
	"crypto/rand"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

//go:embed migrations
var migrations embed.FS

var (
	_ payment.Provider = (*Provider)(nil)
	_ payment.Worker   = (*Provider)(nil)
)

const (
	// longestSettlement limits how long the money of a gateway may take: a month that is not paid has to end before its next
	// invoice.
	longestSettlement = 14 * 24 * time.Hour
	// sendTimeout is how long a request waits for the gateway.
	sendTimeout = 15 * time.Second
	// claimTime is how long a claimed attempt belongs to one server. The times of an account are whole seconds.
	claimTime = sendTimeout + time.Second
	// collectTimeout is how long the worker works on a customer.
	collectTimeout = 2 * sendTimeout
	// sendPollInterval is how often a request looks whether another one has sent a payment.
	sendPollInterval = 50 * time.Millisecond
	// findTimeout is how long a request that only reads waits for the gateway.
	findTimeout = 2 * time.Second
)

// Config configures a provider.
type Config struct {
	Gateway   gateway.Gateway
	Database  plugin.Database
	Clock     clock.Clock
	Catalogue *catalogue.Catalogue
	Seller    invoicepdf.Party // on invoices
	Prefix    string           // of invoice numbers
	ReturnTo  string           // where the gateway's page sends a customer back if the request names no other URL
	Log       *slog.Logger     // default: discards
}

// Provider implements the payment port with a gateway. Its methods may be called concurrently.
type Provider struct {
	unsupported
	*ledger.Ledger
	Config
}

// unsupported is embedded at a depth at which the methods of the ledger win.
type unsupported struct{ payment.Unimplemented }

// New returns a provider whose tables exist, see Migrations. It refuses a gateway without a page, payment.EntryRedirect, and
// one whose money takes more than 14 days.
func New(c Config) (*Provider, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	can := c.Gateway.Capabilities()
	if can.Entry != payment.EntryRedirect {
		return nil, fmt.Errorf("the customer enters payment methods by %q, and only %q is possible", can.Entry, payment.EntryRedirect)
	}
	if can.Settlement > longestSettlement {
		return nil, fmt.Errorf("the money of the gateway takes %s, and at most %s are possible", can.Settlement, longestSettlement)
	}
	p := &Provider{Config: c}
	p.Ledger = ledger.New(ledger.Config{
		Database: c.Database, Clock: c.Clock, Catalogue: c.Catalogue, Seller: c.Seller, Tables: "gateway_",
		Terms: engine.Terms{Prefix: c.Prefix, Charging: &engine.Charging{
			Minimum: can.Minimum, Settlement: can.Settlement, OffSession: can.Has(gateway.OffSession), Retries: can.Retries,
			KeyRetention: can.KeyRetention, LongestRequest: can.LongestRequest,
		}},
		IDs:    ledger.IDs{Customer: "gcus_", Subscription: "gsub_", Invoice: "ginv_", Event: "gevt_"},
		Needed: hasReturnedMoney, Load: loadState, Save: saveState, Received: receivedPayments, Complete: completeSubscription,
		Collect: func(ctx context.Context, customerID string) error {
			_, err := p.collect(ctx, customerID, collectTimeout)
			return err
		},
	})
	return p, nil
}

// Migrations returns the migrations of the provider's tables, for plugin.Tables.
func Migrations() fs.FS {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return folder
}

// Capabilities implements payment.Provider. Keys are retired in the transaction of their requests.
func (p *Provider) Capabilities() payment.Capabilities {
	can := p.Gateway.Capabilities()
	missing := map[payment.Capability]string{
		payment.PushEvents: "the gateway announces payments only, and the worker reports all other changes",
		payment.PriceSync:  "the prices are those of the catalogue",
		payment.Disputes:   "the gateway reports payments that went back, which can't be disputed further",
	}
	for _, needs := range []struct {
		gateway gateway.Capability
		payment payment.Capability
	}{
		{gateway.SaveOnly, payment.Trials}, {gateway.SaveOnly, payment.MethodPage}, {gateway.Refunds, payment.Refunds}, {gateway.Webhooks, payment.Webhooks},
	} {
		if reason, lacks := can.Missing[needs.gateway]; lacks {
			missing[needs.payment] = reason
		}
	}
	return payment.Capabilities{Entry: can.Entry, Missing: missing, LongestRequest: sendTimeout + can.LongestRequest}
}

// newKey returns a key for an attempt.
func newKey() string { return "gpay_" + rand.Text() }

// timeout limits a call of the gateway.
func timeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}
