package diycmd

import (
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/invoicepayment"
	"github.com/vc-admin/diy/adapters/smtpmail"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

// paymentProfiles contains the built-in payment providers by the values of DIY_PAYMENTS. WithPayment adds
// others.
var paymentProfiles = map[string]paymentProfile{
	"fake":    fakePayments{},
	"invoice": pluginPayments{invoicepayment.Adapter{}},
	"stripe":  pluginPayments{stripepayment.Adapter{}},
}

// profileOptions chooses the adapters. No other file does.
func profileOptions(c config) fx.Option {
	return fx.Options(clockProfile(c), mailProfile(c), exampleProfile(c), c.payment().parts(c))
}

// clockProfile provides the system clock in production and a movable clock in development.
func clockProfile(c config) fx.Option {
	if c.isProduction() {
		return fx.Provide(fx.Annotate(systemclock.New, fx.As(new(clock.Clock))))
	}
	return fx.Provide(
		fx.Annotate(func() (*devclock.Clock, error) { return devclock.Open(c.devFile("clock"), nil) },
			fx.As(fx.Self()), fx.As(new(clock.Clock))),
		devRoutes(c, clockRoutes),
	)
}

// mailProfile sends emails through DIY_SMTP_URL, or keeps them in the development mailbox without it.
func mailProfile(c config) fx.Option {
	if c.SMTPURL != "" {
		return fx.Provide(fx.Annotate(func(clock clock.Clock) (*smtpmail.Sender, error) { return smtpmail.New(c.smtp(), clock) },
			fx.As(fx.Self()), fx.As(new(mail.Sender)), fx.OnStop(func(s *smtpmail.Sender) { s.Close() })))
	}
	return fx.Provide(
		fx.Annotate(func(clock clock.Clock) (*devmail.Mailbox, error) { return devmail.New(clock, c.devFile("mailbox")) },
			fx.As(fx.Self()), fx.As(new(mail.Sender))),
		devRoutes(c, mailboxRoutes),
	)
}

// exampleProfile serves the list of development pages, and emails and components with example data, also if emails are
// sent through DIY_SMTP_URL.
func exampleProfile(c config) fx.Option {
	if c.isProduction() {
		return fx.Options()
	}
	return fx.Provide(devRoutes(c, indexRoutes), devRoutes(c, exampleRoutes), devRoutes(c, componentRoutes))
}
