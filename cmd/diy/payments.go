package main

import (
	"maps"
	"slices"
	"strings"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/ports/payment/plugin"
)

// paymentProfile is a payment provider as the server is put together with it.
type paymentProfile interface {
	// settingNames lists the settings that the provider reads, without their prefix.
	settingNames() []string
	// check adds what is wrong with the provider's settings, which it reads from c.environment.
	check(c config, problems *configError)
	// parts provides the one payment.Provider there is, and whatever else comes with it.
	parts(c config) fx.Option
	// page is what web pages need of it.
	page(c config) plugin.Web
	// shop is where the provider keeps its own list of prices; nil when it has none.
	shop(c config) (plugin.PriceSync, error)
}

func (c config) checkPayments(problems *configError) {
	if profile, known := paymentProfiles[c.Payments]; known {
		profile.check(c, problems)
		return
	}
	names := slices.Sorted(maps.Keys(paymentProfiles))
	problems.add("DIY_PAYMENTS must be %s, not %q", strings.Join(names, " or "), c.Payments)
}
