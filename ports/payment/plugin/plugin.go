// Package plugin defines how a server loads a payment provider: its settings, how it is opened, the
// origins that web pages must allow, and the path of its webhook. Use cases do not import this
// package; they use package payment.
//
// An [Adapter] is registered under a name such as "stripe". The operator selects the adapter with
// DIY_PAYMENTS=stripe and configures it with variables that begin with its name, such as
// DIY_STRIPE_SECRET_KEY.
package plugin

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
)

// Adapter loads a payment provider from an operator's settings. A provider that keeps its own price
// list also implements [PriceSync].
type Adapter interface {
	// SettingNames returns the keys of Settings.Values that the adapter reads. The server refuses to
	// start with a variable that begins with the provider's name and is not listed.
	SettingNames() []string
	// Check returns one sentence for each problem with the settings, beginning with the setting's
	// name and without quoting secrets. If it returns none, Open succeeds.
	Check(s Settings) []string
	// Open creates the provider without calling its API.
	Open(s Settings, d Dependencies) (payment.Provider, error)
	// WebConfig describes the provider to the HTTP server. It sets all fields except Name.
	WebConfig(s Settings) WebConfig
}

// Settings are the operator's settings for one provider.
type Settings struct {
	Values     map[string]string // keyed without the prefix: DIY_STRIPE_TIMEOUT is TIMEOUT
	Production bool              // payments are real, and test keys are refused
}

// Dependencies contains what the server provides to a payment provider.
type Dependencies struct {
	Catalogue *catalogue.Catalogue // the plans and prices on sale
	Clock     clock.Clock          // can be moved in development
	Log       *slog.Logger
	Database  Database // nil for commands that need none
	PublicURL string   // of the web app, without a slash at the end
	Brand     string   // the product's name, for documents; "" if it has none
}

// WebConfig describes a provider to the HTTP server and its pages. Origins have the format of a content
// security policy, such as https://js.stripe.com; browsers block all other origins.
type WebConfig struct {
	Name                string   // the name the provider is registered under; set by the server
	PublishableKey      string   // the public key for the browser; "" if there is none
	ScriptOrigins       []string // script-src: scripts that pages load
	FrameOrigins        []string // frame-src: frames that pages embed
	ConnectOrigins      []string // connect-src: APIs that pages call
	PaymentSheetOrigins []string // frames that may open the browser's payment sheet (Permissions-Policy)
	WebhookPath         string   // the last segment of the webhook's path; "" without payment.Webhooks
}

// PriceSync is implemented by providers that keep their own list of products and prices.
type PriceSync interface {
	// Check returns the differences between the provider's prices and tax rates and the catalogue,
	// which would change what customers are charged. The server calls Check at startup, which also
	// verifies that the provider is reachable. If the provider refuses the API key, the error wraps
	// payment.ErrAPIKeyRefused.
	Check(ctx context.Context) ([]PriceDiff, error)
	// Diff returns everything that Push would change. In addition to the differences that Check
	// returns, it includes differences that do not change what customers are charged, such as a
	// product's name.
	Diff(ctx context.Context) ([]PriceDiff, error)
	// Push updates the provider's products and prices to match the catalogue and returns what it
	// changed. It is idempotent.
	Push(ctx context.Context) ([]PriceDiff, error)
}

// PriceDiff is one difference between the provider's price list and the catalogue.
type PriceDiff struct {
	Subject string // the ID of a plan, or of a price such as "standard_yearly"
	Problem string // "is missing", "has no amount in USD"
}

// String returns the difference as a sentence: "standard_yearly is missing".
func (d PriceDiff) String() string { return d.Subject + " " + d.Problem }
