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

// eventPrefix is the prefix of event ids.
const eventPrefix = "gevt_"

var (
	_ payment.Provider = (*Provider)(nil)
	_ payment.Worker   = (*Provider)(nil)
)

const (
	// maxSettlement is the longest settlement time of a gateway, so that an unpaid monthly subscription ends before its
	// next invoice.
	maxSettlement = 14 * 24 * time.Hour
	// sendTimeout limits how long a request that sends payments waits for the gateway.
	sendTimeout = 15 * time.Second
	// claimDuration is the time after which another server can claim an attempt. It exceeds sendTimeout, because an account
	// rounds times down to seconds.
	claimDuration = sendTimeout + time.Second
	// workerTimeout limits how long the worker waits for the gateway while it processes the outbox of one customer.
	workerTimeout = 2 * sendTimeout
	// sendPollInterval is the interval at which a request checks whether another request has finished sending a
	// payment.
	sendPollInterval = 50 * time.Millisecond
	// findTimeout limits how long a request waits for the gateway's report before it reads the account.
	findTimeout = 2 * time.Second
)

// Config configures a provider.
type Config struct {
	Gateway      gateway.Gateway
	Database     plugin.Database
	Clock        clock.Clock
	Catalogue    *catalogue.Catalogue
	Seller       invoicepdf.Party // on invoices
	NumberPrefix string           // of invoice numbers
	ReturnTo     string           // the URL to which the gateway's page sends customers back, unless a request has its own
	Log          *slog.Logger     // default: discards
}

// Provider implements the payment port with a gateway. Its methods may be called concurrently.
type Provider struct {
	unimplementedMethods
	*ledger.Ledger
	Config
}

// unimplementedMethods embeds payment.Unimplemented one level deeper than the ledger, so that Go selects the methods of
// the ledger.
type unimplementedMethods struct{ payment.Unimplemented }

// New returns a provider. Its tables must exist, see Migrations. New returns an error if the settlement of the gateway takes
// more than 14 days, or if the gateway has a card field and can't save a card without a payment.
func New(c Config) (*Provider, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	capabilities := c.Gateway.Capabilities()
	switch {
	case capabilities.Entry != payment.EntryRedirect && capabilities.Entry != payment.EntryCardField:
		return nil, fmt.Errorf("the entry of the gateway is %q and must be %q or %q",
			capabilities.Entry, payment.EntryRedirect, payment.EntryCardField)
	case capabilities.Entry == payment.EntryCardField && !capabilities.Has(gateway.SaveOnly):
		return nil, fmt.Errorf("a gateway with the entry %q needs the capability %q", payment.EntryCardField, gateway.SaveOnly)
	}
	if capabilities.Settlement > maxSettlement {
		return nil, fmt.Errorf("the settlement of the gateway takes %s and may take at most %s",
			capabilities.Settlement, maxSettlement)
	}
	p := &Provider{Config: c}
	p.Ledger = ledger.New(ledger.Config{
		Database: c.Database, Clock: c.Clock, Catalogue: c.Catalogue, Seller: c.Seller, TablePrefix: "gateway_",
		Terms: engine.Terms{NumberPrefix: c.NumberPrefix, ChargeTerms: &engine.ChargeTerms{
			Minimum: capabilities.Minimum, SettlementTime: capabilities.Settlement,
			SettlementByKind: capabilities.SettlementByKind, OffSession: capabilities.Has(gateway.OffSession),
			Authentication: capabilities.Has(gateway.Authentication),
			RetryLimits:    capabilities.Retries, KeyRetention: capabilities.KeyRetention, LongestRequest: capabilities.LongestRequest,
		}},
		IDPrefixes:        ledger.IDPrefixes{Customer: "gcus_", Subscription: "gsub_", Invoice: "ginv_", Event: eventPrefix},
		NeededInvoicesSQL: hasReturnedMoneySQL, PendingCustomersSQL: selectPendingCustomersSQL, LoadState: loadState, SaveState: saveState,
		ReceivedPayments: receivedPayments, SetPaymentFields: p.setPaymentFields,
		ProcessOutbox: func(ctx context.Context, customerID string) error {
			_, err := p.processOutbox(ctx, customerID, workerTimeout)
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

// Capabilities implements payment.Provider. A request may wait for the gateway for sendTimeout, and the gateway may act
// later.
func (p *Provider) Capabilities() payment.Capabilities {
	capabilities := p.Gateway.Capabilities()
	missing := map[payment.Capability]string{}
	for _, pair := range []struct {
		needed   gateway.Capability
		provided payment.Capability
	}{
		{gateway.SaveOnly, payment.Trials}, {gateway.Refunds, payment.Refunds}, {gateway.Webhooks, payment.Webhooks},
	} {
		if reason, isMissing := capabilities.Missing[pair.needed]; isMissing {
			missing[pair.provided] = reason
		}
	}
	return payment.Capabilities{
		Entry: capabilities.Entry, Missing: missing, LongestRequest: sendTimeout + capabilities.LongestRequest,
		ChargesNewMethods: p.hasCardField(), Minimum: capabilities.Minimum,
	}
}

// hasCardField reports whether the customer enters cards in a field of the web app, which creates tokens.
func (p *Provider) hasCardField() bool {
	return p.Gateway.Capabilities().Entry == payment.EntryCardField
}

// newKey returns the key of a new attempt.
func newKey() string { return "gpay_" + rand.Text() }
