package fakepayment

import (
	"crypto/rand"
	"errors"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
)

// Prices is what is for sale, as the catalogue tells it.
type Prices interface {
	// Price returns the amount of one period; NotFound when there is no such price.
	Price(ref catalogue.PriceRef) (money.Amount, error)
}

// Config is what a provider is made with.
type Config struct {
	Path         string         // the journal's file; "" keeps everything in memory only
	Clock        clock.Clock    // the application's: when it moves, the provider follows
	Prices       Prices         // asked when a price is chosen; what was chosen keeps its amount
	Secrets      []string       // every one signs the events; ParseEvent takes any. None: a random one
	AfterRetries billing.Status // what becomes of a renewal nobody pays: Canceled (default) or Unpaid
	Log          *slog.Logger   // nil logs nothing
}

// completed has a value wherever there is a default.
func (c Config) completed() Config {
	if len(c.Secrets) == 0 {
		c.Secrets = []string{"whsec_" + rand.Text()}
	}
	if c.AfterRetries == "" {
		c.AfterRetries = billing.Canceled
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// check finds what nobody can work with, all of it at once.
func (c Config) check() error {
	var err error
	if c.Clock == nil || c.Prices == nil {
		err = errors.Join(err, errors.New("the embedded payment provider needs a clock and prices"))
	}
	if c.AfterRetries != billing.Canceled && c.AfterRetries != billing.Unpaid {
		err = errors.Join(err, errors.New("a renewal nobody pays must end canceled or unpaid"))
	}
	for _, secret := range c.Secrets {
		if secret == "" {
			err = errors.Join(err, errors.New("an empty secret signs nothing"))
		}
	}
	return err
}
