package main

import (
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/smtpmail"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

// paymentProfiles are the payment providers, by the name DIY_PAYMENTS gives them. Their settings
// begin with it: DIY_STRIPE_SECRET_KEY.
var paymentProfiles = map[string]paymentProfile{
	"fake":   fakePayments{},
	"stripe": plainPayments{stripepayment.Adapter{}},
}

// profileOf chooses the adapters: this is the place, and the only one, that knows them all.
func profileOf(c config) fx.Option {
	return fx.Options(clockProfile(c), mailProfile(c), paymentProfiles[c.Payments].parts(c))
}

// clockProfile lets development move the time.
func clockProfile(c config) fx.Option {
	if c.production() {
		return fx.Provide(fx.Annotate(systemclock.New, fx.As(new(clock.Clock))))
	}
	return fx.Provide(
		fx.Annotate(func() (*devclock.Clock, error) { return devclock.Open(c.beside("clock"), nil) },
			fx.As(fx.Self()), fx.As(new(clock.Clock))),
		devRoutes(c, clockRoutes),
	)
}

// mailProfile sends emails where a mail server is named, and shows them on a page elsewhere.
func mailProfile(c config) fx.Option {
	if c.SMTPURL != "" {
		return fx.Provide(fx.Annotate(func(clock clock.Clock) (*smtpmail.Sender, error) { return smtpmail.New(c.SMTPURL, c.MailFrom, clock) },
			fx.As(new(mail.Sender))))
	}
	return fx.Provide(
		fx.Annotate(func(clock clock.Clock) (*devmail.Mailbox, error) { return devmail.New(clock, c.beside("mailbox")) },
			fx.As(fx.Self()), fx.As(new(mail.Sender))),
		devRoutes(c, mailboxRoutes),
	)
}
