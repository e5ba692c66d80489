package fakepayment

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
)

var _ payment.Provider = (*Provider)(nil)

// errStopped is the cause of errors after Stop.
var errStopped = errors.New("the provider has been stopped")

// tickInterval is the interval of the background task that processes due steps.
const tickInterval = time.Second

// Prices is the price list. *catalogue.Catalogue implements it.
type Prices interface {
	// Price returns the amount of one period, or NotFound for an unknown price.
	Price(ref catalogue.PriceRef) (money.Amount, error)
}

// Config configures a Provider. Clock and Prices are required.
type Config struct {
	Path               string           // of the SQLite file; if it is "", the state is only in memory
	Clock              clock.Clock      // determines when trials end and renewals are due
	Prices             Prices           // of new subscriptions and plan changes
	Secrets            []string         // each signs events, and the signature of any is accepted; default: a random secret
	StatusAfterRetries billing.Status   // status after the last failed retry: Canceled (default) or Unpaid
	Seller             invoicepdf.Party // on invoices; default: a made-up name and address
	// HostedPaymentPage makes customers pay and save cards on a page. It is for a provider for tests that embeds this
	// Provider and has such pages. Customers then subscribe without a card. Subscribe and PayInvoice charge only a card
	// that the request names; otherwise the invoice stays open. SetUpMethod opens the setup intent that the page confirms.
	HostedPaymentPage bool
	// SettlementDelay is the time until a payment by card arrives; with 0 it arrives immediately.
	SettlementDelay time.Duration
	// StripeDebitRules makes the provider handle payments that take days as Stripe does. A plan starts when its first payment is
	// accepted. A payment that the customer's bank returns is a lost dispute, which leaves the invoice paid. Like
	// OpenDisputeWithoutHold, such a dispute neither changes the customer's credit nor puts the customer on hold.
	StripeDebitRules bool
	Log              *slog.Logger // default: discards
}

func (c Config) withDefaults() Config {
	if len(c.Secrets) == 0 {
		c.Secrets = []string{"whsec_" + rand.Text()}
	}
	if c.StatusAfterRetries == "" {
		c.StatusAfterRetries = billing.Canceled
	}
	if c.Seller.Name == "" {
		c.Seller.Name = "Test Seller Pty Ltd"
		c.Seller.Lines = []string{"1 Example Street", "Sydney NSW 2000", "Australia", "ABN 00 000 000 000"}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// validate returns all errors of the configuration, joined.
func (c Config) validate() error {
	var err error
	if c.Clock == nil || c.Prices == nil {
		err = errors.Join(err, errors.New("fakepayment: Clock and Prices are required"))
	}
	if c.StatusAfterRetries != billing.Canceled && c.StatusAfterRetries != billing.Unpaid {
		err = errors.Join(err, errors.New("fakepayment: StatusAfterRetries must be canceled or unpaid"))
	}
	for _, secret := range c.Secrets {
		if secret == "" {
			err = errors.Join(err, errors.New("fakepayment: a secret is empty"))
		}
	}
	return err
}

// Provider implements payment.Provider. It is safe for concurrent use.
type Provider struct {
	config   Config
	lock     chan struct{} // guards state, database and stopped; a channel, so that waiting respects a context
	state    *state
	database database
	stopped  bool

	sink    Sink       // receives the events; nil for none
	commits *broadcast // wakes its waiters when there can be an event to deliver

	cancel context.CancelFunc // stops the background tasks; nil before Start
	done   chan struct{}      // closed when the background tasks have ended
}

// Open loads the state from Config.Path, or starts with an empty one. Call Start to deliver events and process due steps
// in the background.
func Open(c Config) (*Provider, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	p := &Provider{config: c, lock: make(chan struct{}, 1), state: newState(), commits: newBroadcast()}
	var err error
	if p.database, err = openDatabase(context.Background(), c.Path, p.state); err != nil {
		return nil, err
	}
	p.state.buildIndexes()
	return p, nil
}

// Start delivers events and processes due steps in the background until Stop. Call it once. The background tasks continue
// after ctx has ended.
func (p *Provider) Start(ctx context.Context) error {
	backgroundCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p.cancel, p.done = cancel, make(chan struct{})
	var tasks sync.WaitGroup
	tasks.Go(func() { p.tickPeriodically(backgroundCtx) })
	if p.sink != nil {
		tasks.Go(func() { p.deliverEvents(backgroundCtx) })
	}
	go func() {
		tasks.Wait()
		close(p.done)
	}()
	return nil
}

// Stop waits for the current delivery, at most until ctx ends. It then waits for the current request, so that its changes
// are on disk, and closes the file. Later calls return Unavailable. It may be called twice, and without Start.
func (p *Provider) Stop(ctx context.Context) error {
	if p.cancel != nil {
		p.cancel()
		select {
		case <-p.done:
		case <-ctx.Done():
		}
	}
	p.lock <- struct{}{}
	defer func() { <-p.lock }()
	if p.stopped {
		return nil
	}
	p.stopped = true
	return p.database.close()
}

// Capabilities implements payment.Provider. No capability is missing.
func (p *Provider) Capabilities() payment.Capabilities {
	return payment.Capabilities{Entry: payment.EntryCardField}
}

// Now returns the time of the provider's clock.
func (p *Provider) Now() time.Time { return p.config.Clock.Now() }

// Tick processes everything that is due and deletes expired responses. Use it after moving the clock.
func (p *Provider) Tick(ctx context.Context) error {
	return p.transact(ctx, func(t *tx) error {
		t.deleteExpiredResponses()
		if len(t.outbox) > 0 {
			p.commits.wakeAll() // a delayed event can be due
		}
		return nil
	})
}

func (p *Provider) tickPeriodically(ctx context.Context) {
	ticker := time.NewTicker(tickInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := p.Tick(ctx); err != nil {
				p.logError(ctx, "processing due subscriptions failed", err)
				sleep(ctx, deliveryBackoff.Max)
			}
		}
	}
}

// logError logs a background error, unless ctx has ended because of Stop.
func (p *Provider) logError(ctx context.Context, message string, err error) {
	if ctx.Err() == nil {
		p.config.Log.ErrorContext(ctx, message, "error", err) //nolint:sloglint // message is constant in every call
	}
}
