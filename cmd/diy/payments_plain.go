package main

import (
	"log/slog"
	"strings"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// plainPayments is a provider that wants nothing of us but its settings.
type plainPayments struct{ plugin.Adapter }

// stock is where the provider keeps prices of its own; the Shop is nil when it has none.
type stock struct{ plugin.PriceSync }

// settingsPrefix is how the names of the provider's settings begin.
func settingsPrefix(c config) string { return "DIY_" + strings.ToUpper(c.Payments) + "_" }

func (p plainPayments) settings(c config) plugin.Settings {
	s := plugin.Settings{Values: map[string]string{}, Production: c.production()}
	for name, value := range c.environment {
		if setting, is := strings.CutPrefix(name, settingsPrefix(c)); is {
			s.Values[setting] = value
		}
	}
	return s
}

func (p plainPayments) settingNames() []string { return p.SettingNames() }

func (p plainPayments) check(c config, problems *configError) {
	for _, problem := range p.Check(p.settings(c)) {
		problems.add("%s%s", settingsPrefix(c), problem)
	}
}

func (p plainPayments) parts(c config) fx.Option {
	open := func(clock clock.Clock, log *slog.Logger) (payment.Provider, stock, error) {
		return p.open(c, clock, log)
	}
	return fx.Options(fx.Provide(open), fx.Invoke(checkPrices))
}

func (p plainPayments) open(c config, clock clock.Clock, log *slog.Logger) (payment.Provider, stock, error) {
	provider, err := p.Open(p.settings(c), plugin.Dependencies{Catalogue: c.catalogue, Clock: clock, Log: log})
	shop, _ := provider.(plugin.PriceSync)
	return provider, stock{shop}, err
}

func (p plainPayments) page(c config) plugin.Web {
	page := p.Web(p.settings(c))
	page.Name = c.Payments
	return page
}

func (p plainPayments) shop(c config) (plugin.PriceSync, error) {
	_, stock, err := p.open(c, systemclock.New(), slog.New(slog.DiscardHandler))
	return stock.PriceSync, err
}
