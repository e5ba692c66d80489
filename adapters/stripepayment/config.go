package stripepayment

import (
	"cmp"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
)

const (
	defaultAPIURL  = "https://api.stripe.com"
	defaultTimeout = 20 * time.Second
	defaultPause   = 250 * time.Millisecond
)

// Config is what a provider is made with.
type Config struct {
	SecretKey      string               // a secret or restricted key; its mode must fit Production
	Production     bool                 // real money: a live key is wanted, else a test key
	APIURL         string               // without /v1; "" is Stripe's own
	WebhookSecrets []string             // an event signed with any of them is Stripe's: two while one replaces the other
	Catalogue      *catalogue.Catalogue // what is sold, and for how much
	Clock          clock.Clock          // tells how old a signature is
	Log            *slog.Logger         // nil logs nothing
	Timeout        time.Duration        // of one try; a request with all its tries takes twice as long at most. 0 is 20 s
	LongestRequest time.Duration        // how long Stripe may work on a request that has arrived. 0 is 2 minutes
	Pause          time.Duration        // before the second try, doubled before each further one. 0 is a quarter of a second
}

// normalised fills in the defaults.
func (c Config) normalised() Config {
	c.APIURL = strings.TrimRight(cmp.Or(c.APIURL, defaultAPIURL), "/")
	c.Timeout = cmp.Or(c.Timeout, defaultTimeout)
	c.Pause = cmp.Or(c.Pause, defaultPause)
	c.LongestRequest = cmp.Or(c.LongestRequest, defaultLongestRequest)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// check reports everything that is wrong at once.
func (c Config) check() error {
	var problems []error
	if c.Catalogue == nil || c.Clock == nil {
		problems = append(problems, errors.New("stripepayment needs a catalogue and a clock"))
	}
	if slices.Contains(c.WebhookSecrets, "") {
		problems = append(problems, errors.New("a webhook secret is empty: anybody could sign with it"))
	}
	return errors.Join(append(problems, CheckKey(c.SecretKey, c.Production), checkAPIURL(c.APIURL))...)
}

// checkAPIURL keeps the secret key from being sent in the clear.
func checkAPIURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.RawQuery != "" || u.User != nil:
		return errors.New("the address of Stripe's API must be an https address such as " + defaultAPIURL)
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		return nil
	}
	return errors.New("the address of Stripe's API must be https, unless it is on this machine")
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
