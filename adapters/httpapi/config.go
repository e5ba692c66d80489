package httpapi

import (
	_ "embed" // openapi.yaml
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Site holds the operator's settings of this installation.
type Site struct {
	PublicURL  string // without a trailing slash
	MeetingURL string // the target of the link Join Meeting; "" for a page that explains it
	Payments   plugin.WebConfig
	SalesEmail string
	SalesPhone string
	Branding   Branding
	// Passkeys reports whether browsers have passkeys for the public URL.
	Passkeys bool
	// BillingEmails reports whether customers get receipts and other emails about billing.
	BillingEmails bool
	// ChargeReminders reports whether an email announces every first charge after a trial, and every yearly renewal.
	ChargeReminders bool
	Live            bool              // pages work without the debug parameter
	LoginQuery      map[string]string // the query of /auth/login
}

// Branding contains the content of header and footer. The file that DIY_BRANDING names and config.json have it in the
// same JSON format.
type Branding struct {
	Name          string         `json:"name"`
	Company       string         `json:"company"`
	HeaderLinks   []Link         `json:"headerLinks"`
	FooterColumns []FooterColumn `json:"footerColumns"`
	AddressLines  []string       `json:"addressLines"`
	SocialLinks   []Link         `json:"socialLinks"`
	Badges        []string       `json:"badges"`
	CopyrightYear int            `json:"copyrightYear"`
}

// Link is a link to another website.
type Link struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// FooterColumn is a titled group of links.
type FooterColumn struct {
	Title string `json:"title"`
	Links []Link `json:"links"`
}

// withEmptyLists replaces nil lists, which would be encoded as null, by empty ones.
func (b Branding) withEmptyLists() Branding {
	b.HeaderLinks = append([]Link{}, b.HeaderLinks...)
	b.SocialLinks = append([]Link{}, b.SocialLinks...)
	b.AddressLines = append([]string{}, b.AddressLines...)
	b.Badges = append([]string{}, b.Badges...)
	b.FooterColumns = mapEach(b.FooterColumns, func(c FooterColumn) FooterColumn {
		return FooterColumn{Title: c.Title, Links: append([]Link{}, c.Links...)}
	})
	return b
}

// OpenAPI contains the OpenAPI description of the API, in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte

func (a *api) serveConfig(w http.ResponseWriter, r *http.Request) error {
	a.XSRF.EnsureToken(w, r)
	a.config.serve(w, r)
	return nil
}

func (a *api) serveOpenAPI(w http.ResponseWriter, r *http.Request) error {
	a.openAPI.serve(w, r)
	return nil
}

type commonPasswordsWire struct {
	Passwords []string `json:"passwords"`
}

// serveCommonPasswords serves the list with which front ends check a new password while the user types.
func (a *api) serveCommonPasswords(w http.ResponseWriter, r *http.Request) error {
	a.commonPasswords.serve(w, r)
	return nil
}

type configWire struct {
	Catalogue  catalogueWire     `json:"catalogue"`
	Currencies []currencyWire    `json:"currencies"`
	Defaults   defaultsWire      `json:"defaults"`
	Provider   providerWire      `json:"provider"`
	Contact    contactWire       `json:"contact"`
	Branding   Branding          `json:"branding"`
	Live       bool              `json:"live"`
	LoginQuery map[string]string `json:"loginQuery"`
}

type defaultsWire struct {
	Currency string             `json:"currency"`
	Interval catalogue.Interval `json:"interval"`
	Country  string             `json:"country"`
}

type providerWire struct {
	Kind           string `json:"kind"`
	PublishableKey string `json:"publishableKey,omitempty"`

	Entry        payment.Entry `json:"entry,omitempty"`
	Capabilities []string      `json:"capabilities"`
}

// serverCapabilities contains the names of the calls and fields that this server adds to the specification. They do not
// depend on the payment provider.
var serverCapabilities = []string{
	"account", "activity", "billing", "billing_details", "email_preferences", "invoices", "members", "open_payments", "password_reset", "privacy",
	"password_rules", "plan_choice", "retry_invoice", "transfer_reports", "two_step", "verification",
}

// providerCapabilities are the capabilities of payment providers that front ends use.
var providerCapabilities = []payment.Capability{
	payment.SavedMethods, payment.Quoting, payment.ChangeNow, payment.CheaperChangeNow, payment.AtPeriodEnd,
}

type contactWire struct {
	Email string `json:"email"`
	Phone string `json:"phone"`
}

type currencyWire struct {
	Code          string `json:"code"`
	Name          string `json:"name"`
	NamePlural    string `json:"name_plural"`
	Symbol        string `json:"symbol"`
	SymbolNative  string `json:"symbol_native"`
	DecimalDigits int    `json:"decimal_digits"`
	MinorDigits   int    `json:"minor_digits"`
	Rounding      int64  `json:"rounding"`
}

func newConfigDocument(o Options) (document, error) {
	loginQuery := map[string]string{} // encoded as {}, not null
	maps.Copy(loginQuery, o.Site.LoginQuery)
	body, err := json.Marshal(configWire{
		Catalogue:  toCatalogueWire(o.Catalogue),
		Currencies: mapEach(o.Catalogue.Currencies(), toCurrencyWire),
		Defaults: defaultsWire{
			Currency: o.Catalogue.DefaultCurrency(), Interval: o.Catalogue.DefaultInterval(), Country: o.Catalogue.DefaultCountry(),
		},
		Provider:   toProviderWire(o),
		Contact:    contactWire{Email: o.Site.SalesEmail, Phone: o.Site.SalesPhone},
		Branding:   o.Site.Branding.withEmptyLists(),
		Live:       o.Site.Live,
		LoginQuery: loginQuery,
	})
	return newDocument("application/json", body), err
}

func toProviderWire(o Options) providerWire {
	capabilities := slices.Clone(serverCapabilities)
	for _, c := range providerCapabilities {
		if o.Capabilities.Has(c) {
			capabilities = append(capabilities, string(c))
		}
	}
	if o.Capabilities.HasMethodPage() {
		capabilities = append(capabilities, "method_page")
	}
	if o.Site.Passkeys {
		capabilities = append(capabilities, "passkeys")
	}
	if o.Site.BillingEmails {
		capabilities = append(capabilities, "billing_emails")
	}
	if o.Site.ChargeReminders {
		capabilities = append(capabilities, "charge_reminders")
	}
	return providerWire{
		Kind: o.Site.Payments.Name, PublishableKey: o.Site.Payments.PublishableKey, Entry: o.Capabilities.Entry,
		Capabilities: capabilities,
	}
}

func toCurrencyWire(c money.Currency) currencyWire {
	return currencyWire{
		Code: c.Code, Name: c.Name, NamePlural: c.NamePlural, Symbol: c.Symbol, SymbolNative: c.NativeSymbol,
		DecimalDigits: c.Digits, MinorDigits: c.MinorDigits, Rounding: c.Rounding,
	}
}
