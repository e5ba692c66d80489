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
	"fake":        fakeIntegration{},
	"fakegateway": fakeGatewayIntegration{},
	"invoice":     pluginIntegration{invoicepayment.Adapter{}},
	"stripe":      pluginIntegration{stripepayment.Adapter{}},
}

// adapterOptions provides the adapters that the configuration selects. No other function chooses adapters.
func adapterOptions(c config) fx.Option {
	return fx.Options(clockOptions(c), mailOptions(c), devPageOptions(c), consoleOptions(c), c.integration().options(c))
}

// clockOptions provides the system clock in production, and in development a clock that can be advanced.
func clockOptions(c config) fx.Option {
	if c.isProduction() {
		return fx.Provide(fx.Annotate(systemclock.New, fx.As(new(clock.Clock))))
	}
	return fx.Provide(
		fx.Annotate(func() (*devclock.Clock, error) { return devclock.Open(c.devFile("clock"), nil) },
			fx.As(fx.Self()), fx.As(new(clock.Clock))),
		provideDevRoutes(c, clockRoutes),
	)
}

// mailOptions provides a sender that uses DIY_SMTP_URL, or the development mailbox if that is empty.
func mailOptions(c config) fx.Option {
	if c.SMTPURL != "" {
		return fx.Provide(fx.Annotate(func(clock clock.Clock) (*smtpmail.Sender, error) { return smtpmail.New(c.smtpOptions(), clock) },
			fx.As(fx.Self()), fx.As(new(mail.Sender)), fx.OnStop(func(s *smtpmail.Sender) { s.Close() })))
	}
	return fx.Provide(
		fx.Annotate(func(clock clock.Clock) (*devmail.Mailbox, error) { return devmail.New(clock, c.devFile("mailbox")) },
			fx.As(fx.Self()), fx.As(new(mail.Sender))),
		provideDevRoutes(c, mailboxRoutes),
	)
}

// devPageOptions provides the routes of the development panel, of the example emails and of the components. In
// production it provides none.
func devPageOptions(c config) fx.Option {
	if c.isProduction() {
		return fx.Options()
	}
	return fx.Provide(
		provideDevRoutes(c, panelRoutes), provideDevRoutes(c, exampleRoutes), provideDevRoutes(c, componentRoutes),
	)
}

// consoleOptions serves the operator console on the public address too, in development without a proxy that authenticates
// operators.
func consoleOptions(c config) fx.Option {
	if c.isProduction() || c.hasProxyForConsole() {
		return fx.Options()
	}
	return fx.Provide(provideDevRoutes(c, consoleRoutes))
}
