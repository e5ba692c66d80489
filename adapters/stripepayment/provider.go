package stripepayment

import (
	"cmp"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
)

var _ payment.Provider = (*Provider)(nil)

// Provider implements the payment port with Stripe. Its methods may be called concurrently.
type Provider struct {
	payment.Unimplemented
	Config
	stripe         *stripe.Client
	documentClient *http.Client // sends no API key
	prices         priceCache
	products       productNames
	taxRates       taxRateCache

	hasWarnedOfThinEvents, hasWarnedOfConnect atomic.Bool
}

// New returns a provider without contacting Stripe; use Check for that.
func New(c Config) (*Provider, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	p := &Provider{Config: c, stripe: newClient(c), prices: newPriceCache(),
		products: productNames{names: map[string]string{}}}
	p.documentClient = p.newDocumentClient()
	return p, nil
}

// newClient returns Stripe's client. It disables the client's retries, which retryTransport replaces, its log, which
// would quote responses, and its telemetry.
func newClient(c Config) *stripe.Client {
	return stripe.NewClient(c.SecretKey, stripe.WithBackends(stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		URL:               stripe.String(c.APIURL),
		HTTPClient:        &http.Client{Transport: newRetryTransport(c)},
		MaxNetworkRetries: new(int64(0)),
		EnableTelemetry:   new(false),
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
	})))
}

const (
	defaultAPIURL  = "https://api.stripe.com"
	defaultTimeout = 20 * time.Second
	defaultBackoff = 250 * time.Millisecond

	// defaultLongestRequest exceeds the 80 seconds for which Stripe's libraries wait for a response.
	defaultLongestRequest = 2 * time.Minute
)

// Config configures a Provider.
type Config struct {
	SecretKey      string               // a secret or restricted key, whose mode must match Production
	Production     bool                 // requires a live key instead of a test key
	APIURL         string               // without /v1; default: Stripe's
	WebhookSecrets []string             // sign events; two while one replaces the other
	Catalogue      *catalogue.Catalogue // the plans and prices that are sold
	Clock          clock.Clock          // measures the age of signatures
	Log            *slog.Logger         // default: discard
	Timeout        time.Duration        // of one attempt; the attempts of a request take at most twice this; default: 20 s
	DunningPeriod  time.Duration        // after which Stripe ends a subscription with an overdue invoice; 0 if unknown
	LongestRequest time.Duration        // how long Stripe may work on a request that has arrived; default: 2 minutes
	Backoff        time.Duration        // before the second attempt, doubled before each further one; default: 250 ms
}

// withDefaults returns the configuration with its defaults filled in.
func (c Config) withDefaults() Config {
	c.APIURL = strings.TrimRight(cmp.Or(c.APIURL, defaultAPIURL), "/")
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	c.Backoff = cmp.Or(c.Backoff, defaultBackoff)
	c.LongestRequest = cmp.Or(c.LongestRequest, defaultLongestRequest)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// check returns an error that describes every invalid field.
func (c Config) check() error {
	var problems []error
	if c.Catalogue == nil || c.Clock == nil {
		problems = append(problems, errors.New("stripepayment needs a catalogue and a clock"))
	}
	if slices.Contains(c.WebhookSecrets, "") {
		problems = append(problems, errors.New("a webhook secret is empty"))
	}
	return errors.Join(append(problems, CheckSecretKey(c.SecretKey, c.Production), checkAPIURL(c.APIURL))...)
}

// Capabilities implements payment.Provider. Cards are entered in the field of Stripe Elements, and no capability is missing.
func (p *Provider) Capabilities() payment.Capabilities {
	return payment.Capabilities{Entry: payment.EntryCardField, LongestRequest: p.LongestRequest}
}

// checkAPIURL returns an error unless the URL is https or names a server on this machine. Requests contain the secret
// key.
func checkAPIURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.RawQuery != "" || u.User != nil:
		return errors.New("the address of Stripe's API must be an https address such as " + defaultAPIURL)
	case u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname()):
		return nil
	}
	return errors.New("the address of Stripe's API must be https, unless it is on this machine")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
