package payment

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
)

// Adapter is a payment provider as the server is put together with it, when nothing is known of it
// but its name.
type Adapter interface {
	// SettingNames lists every setting that the adapter reads, as keys of Settings.Values. A variable
	// of the environment that is none of them is refused.
	SettingNames() []string
	// Check tells everything that is wrong with the settings, a sentence each. It begins with the
	// setting's name and never quotes a secret. There is none when Open will do.
	Check(s Settings) []string
	// Open makes the provider and asks nobody. One that keeps prices of its own is a Shop.
	Open(s Settings, with Surroundings) (Provider, error)
	// Page is what web pages need of the provider, all but its Kind.
	Page(s Settings) Page
}

// Settings are what an operator says about the provider.
type Settings struct {
	Values     map[string]string // by what follows the provider's name: DIY_STRIPE_TIMEOUT is TIMEOUT
	Production bool              // real money
}

// Surroundings are what a provider is given.
type Surroundings struct {
	Catalogue *catalogue.Catalogue // what is sold, and for how much
	Clock     clock.Clock
	Log       *slog.Logger
}

// Page is what web pages need of the payment provider. Hosts are written as in a content security
// policy, such as https://js.stripe.com; nothing of anybody else's is let in.
type Page struct {
	Kind            string   // the name by which the web app finds the provider's side of it
	PublishableKey  string   // the provider's public key; "" when it has none
	Scripts         []string // hosts whose scripts run in our pages
	Frames          []string // hosts that may be framed
	Calls           []string // hosts that our pages may call
	Sheets          []string // hosts whose frames may open the browser's own payment sheet
	EventSignature  string   // the header that signs its events
	EventsArriveFor string   // the last part of the path that its events are sent to
}

// Shop is a provider's own list of prices.
type Shop interface {
	// Check asks for the catalogue's prices and tells where they differ: that proves that the
	// provider can be reached and takes our key. ErrKeyRefused is in the chain when it does not.
	Check(ctx context.Context) ([]Drift, error)
	// Diff tells what Push would mend.
	Diff(ctx context.Context) ([]Drift, error)
	// Push makes the list the catalogue, and tells what it mended. Doing it again changes nothing.
	Push(ctx context.Context) ([]Drift, error)
}

// Drift is one way in which what the provider sells is not what the catalogue says.
type Drift struct {
	Subject string // a plan's id, or a price's such as "standard_yearly"
	Problem string // "is missing", "has no amount in USD"
}

// String is the drift as a sentence: "standard_yearly is missing".
func (d Drift) String() string { return d.Subject + " " + d.Problem }
