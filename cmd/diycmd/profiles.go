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

// paymentIntegrations contains the built-in payment providers by the value of DIY_PAYMENTS. WithPayment adds others.
var paymentIntegrations = map[string]paymentIntegration{
	"fake":    fakePayments{},
	"invoice": pluginPayments{invoicepayment.Adapter{}},
	"stripe":  pluginPayments{stripepayment.Adapter{}},
}

// profileOptions provides the adapters that the configuration selects. No other function chooses adapters.
func profileOptions(c config) fx.Option {
	return fx.Options(clockProfile(c), mailProfile(c), devPagesProfile(c), c.payment().options(c))
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

// mailProfile sends emails through DIY_SMTP_URL. Without it, it provides the development mailbox.
func mailProfile(c config) fx.Option {
	if c.SMTPURL != "" {
		return fx.Provide(fx.Annotate(func(clock clock.Clock) (*smtpmail.Sender, error) { return smtpmail.New(c.smtpOptions(), clock) },
			fx.As(fx.Self()), fx.As(new(mail.Sender)), fx.OnStop(func(s *smtpmail.Sender) { s.Close() })))
	}
	return fx.Provide(
		fx.Annotate(func(clock clock.Clock) (*devmail.Mailbox, error) { return devmail.New(clock, c.devFile("mailbox")) },
			fx.As(fx.Self()), fx.As(new(mail.Sender))),
		devRoutes(c, mailboxRoutes),
	)
}

// devPagesProfile serves, in development, the list of the development pages and the pages with example emails and
// components.
func devPagesProfile(c config) fx.Option {
	if c.isProduction() {
		return fx.Options()
	}
	return fx.Provide(devRoutes(c, indexRoutes), devRoutes(c, exampleRoutes), devRoutes(c, componentRoutes))
}
