package diycmd

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/adapters/smtpmail"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/app/privacy"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	// defaultDrainTime is the time for which a stopping server in production keeps serving after /readyz responds with
	// 503: two intervals of a load balancer's usual health checks.
	defaultDrainTime = 5 * time.Second
	maxDrainTime     = time.Minute
	// minProviderCallsPerSecond is the number of calls that about one payment needs.
	minProviderCallsPerSecond = 10
	maxSMTPRate               = 1000
	maxKeepYears              = 100
)

// config contains all settings of the server. program.loadConfig reads and checks them.
type config struct {
	Env           string `env:"ENV" envDefault:"development"`
	Addr          string `env:"ADDR" envDefault:"127.0.0.1:8080"`
	PublicURL     string `env:"PUBLIC_URL"`
	DatabaseURL   string `env:"DATABASE_URL" envDefault:"sqlite:data/diy.db"`
	Payments      string `env:"PAYMENTS" envDefault:"fake"`
	SMTPURL       string `env:"SMTP_URL"`
	SMTPRate      int    `env:"SMTP_RATE" envDefault:"20"` // per second and server
	SMTPHelo      string `env:"SMTP_HELO"`
	MailFrom      string `env:"MAIL_FROM"`
	MailBounces   string `env:"MAIL_BOUNCES"`
	BillingEmails string `env:"BILLING_EMAILS" envDefault:"on"`
	// RenewalReminders is "required", or "optional" if recipients can turn them off.
	RenewalReminders       string         `env:"RENEWAL_REMINDERS" envDefault:"required"`
	TrialCards             string         `env:"TRIAL_CARDS" envDefault:"show"` // or "refuse"
	KeepYears              int            `env:"KEEP_YEARS" envDefault:"10"`    // of the invoices of erased organisations
	SalesEmail             string         `env:"SALES_EMAIL"`
	SalesPhone             string         `env:"SALES_PHONE"`
	MeetingURL             string         `env:"MEETING_URL"`
	CatalogueFile          string         `env:"CATALOGUE"`
	BrandingFile           string         `env:"BRANDING"`
	LoginQueryText         string         `env:"LOGIN_QUERY"`
	Live                   bool           `env:"LIVE"`
	RateLimits             string         `env:"RATE_LIMITS" envDefault:"on"`
	TrustedProxiesText     string         `env:"TRUSTED_PROXIES"`
	ProviderCallsPerSecond int            `env:"PROVIDER_CALLS" envDefault:"80"` // per second and server
	AdminAddr              string         `env:"ADMIN_ADDR"`                     // "" turns metrics, profiles and the console off
	AdminURL               string         `env:"ADMIN_URL"`                      // of the console, as operators reach it
	AdminUserHeader        string         `env:"ADMIN_USER_HEADER"`
	AdminGroupsHeader      string         `env:"ADMIN_GROUPS_HEADER"`
	AdminProxySecret       string         `env:"ADMIN_PROXY_SECRET"`
	AdminRoles             string         `env:"ADMIN_ROLES"`
	Drain                  *time.Duration `env:"DRAIN"` // nil: the default of the environment

	catalogue      *catalogue.Catalogue
	branding       httpapi.Branding
	integrations   map[string]paymentIntegration // by the values of DIY_PAYMENTS
	loginQuery     map[string]string
	environment    map[string]string // all variables, for the settings of payment providers
	trustedProxies []netip.Prefix    // the parsed TrustedProxiesText
	adminRoles     console.RoleTable // the parsed AdminRoles
}

// configError contains all problems of the configuration.
type configError struct{ problems []string }

// Error lists the problems, one a line.
func (e configError) Error() string {
	return "the configuration is invalid:\n  " + strings.Join(e.problems, "\n  ")
}

func (e *configError) add(format string, args ...any) {
	e.problems = append(e.problems, fmt.Sprintf(format, args...))
}

// loadConfig reads the environment and the files that it names. The error is a configError with all problems.
func (p program) loadConfig() (config, error) {
	c := config{environment: p.env, integrations: p.integrations}
	var problems configError
	c.checkVariableNames(&problems)
	c.parseVariables(&problems)
	c.checkModeAndDatabase(&problems)
	c.checkProduction(&problems)
	c.checkAddresses(&problems)
	c.checkConsole(&problems)
	c.checkMail(&problems)
	c.checkTrials(&problems)
	c.checkPayments(&problems)
	c.checkLimits(&problems)
	c.checkKeepYears(&problems)
	c.readProxies(&problems)
	c.readCatalogue(&problems)
	c.readBranding(&problems)
	c.readLoginQuery(&problems)
	c.setDefaultContact()
	if len(problems.problems) > 0 {
		return config{}, problems
	}
	return c, nil
}

// isProduction reports whether DIY_ENV is production.
func (c config) isProduction() bool { return c.Env == "production" }

// drainTime returns how long a stopping server keeps serving, so that load balancers notice that it is not ready.
func (c config) drainTime() time.Duration {
	switch {
	case c.Drain != nil:
		return *c.Drain
	case c.isProduction():
		return defaultDrainTime
	}
	return 0
}

// checkModeAndDatabase checks the mode, the database and the drain time.
func (c config) checkModeAndDatabase(problems *configError) {
	if c.Env != "development" && !c.isProduction() {
		problems.add("DIY_ENV must be development or production, not %q", c.Env)
	}
	if err := sqlstorage.CheckURL(c.DatabaseURL); err != nil {
		problems.add("DIY_DATABASE_URL: %s", fault.MessageOf(err))
	}
	if c.Drain != nil && (*c.Drain < 0 || *c.Drain > maxDrainTime) {
		problems.add("DIY_DRAIN must be between 0s and %s, not %s", maxDrainTime, *c.Drain)
	}
}

// checkProduction checks settings that only production requires.
func (c config) checkProduction(problems *configError) {
	if !c.isProduction() {
		return
	}
	if c.SMTPURL == "" {
		problems.add("DIY_SMTP_URL must be set in production")
	}
	if c.PublicURL == "" {
		problems.add("DIY_PUBLIC_URL must be set in production")
	}
}

// checkAddresses checks listen addresses and URLs, and normalises the public URL.
func (c *config) checkAddresses(problems *configError) {
	if !isHostAndPort(c.Addr) {
		problems.add("DIY_ADDR must be HOST:PORT, not %q", c.Addr)
	}
	switch {
	case c.AdminAddr == "":
	case !isHostAndPort(c.AdminAddr):
		problems.add("DIY_ADMIN_ADDR must be HOST:PORT, not %q", c.AdminAddr)
	case addressesConflict(c.AdminAddr, c.Addr):
		problems.add("DIY_ADMIN_ADDR must not be the public address of DIY_ADDR")
	}
	if c.PublicURL != "" {
		origin, ok := parseWebOrigin(strings.TrimRight(c.PublicURL, "/"))
		if !ok {
			problems.add("DIY_PUBLIC_URL must be an http or https address without a path, query or fragment")
		}
		c.PublicURL = origin
	}
	if c.MeetingURL != "" && !isWebURL(c.MeetingURL) {
		problems.add("DIY_MEETING_URL must be an http or https address")
	}
}

func (c config) checkKeepYears(problems *configError) {
	if c.KeepYears < privacy.MinKeepYears || c.KeepYears > maxKeepYears {
		problems.add("DIY_KEEP_YEARS must be from %d to %d, not %d", privacy.MinKeepYears, maxKeepYears, c.KeepYears)
	}
}

func isHostAndPort(address string) bool {
	_, _, err := net.SplitHostPort(address)
	return err == nil
}

func isWebURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// parseWebOrigin parses a URL that consists only of a scheme, a host and an optional port. The result has the scheme in
// lower case.
func parseWebOrigin(text string) (origin string, ok bool) {
	u, err := url.Parse(text)
	if err != nil || !isWebURL(text) || *u != (url.URL{Scheme: u.Scheme, Host: u.Host}) {
		return "", false
	}
	return u.String(), true
}

// checkTrials checks the setting of trials with the same card.
func (c config) checkTrials(problems *configError) {
	if c.TrialCards != "show" && c.TrialCards != "refuse" {
		problems.add("DIY_TRIAL_CARDS must be show or refuse, not %q", c.TrialCards)
	}
}

// checkMail checks the settings of the mail server and of the emails about billing.
func (c config) checkMail(problems *configError) {
	if c.BillingEmails != "on" && c.BillingEmails != "off" {
		problems.add("DIY_BILLING_EMAILS must be on or off, not %q", c.BillingEmails)
	}
	if c.RenewalReminders != "optional" && c.RenewalReminders != "required" {
		problems.add("DIY_RENEWAL_REMINDERS must be optional or required, not %q", c.RenewalReminders)
	}
	if c.SMTPRate < 1 || c.SMTPRate > maxSMTPRate {
		problems.add("DIY_SMTP_RATE must be from 1 to %d emails per second, not %d", maxSMTPRate, c.SMTPRate)
	}
	switch {
	case c.SMTPURL == "":
	case c.MailFrom == "":
		problems.add("DIY_MAIL_FROM must be set with DIY_SMTP_URL")
	default:
		if _, err := smtpmail.New(c.smtpOptions(), systemclock.New()); err != nil {
			problems.add("DIY_SMTP_URL, DIY_SMTP_HELO, DIY_MAIL_FROM, DIY_MAIL_BOUNCES: %v", err)
		}
	}
}

func (c config) smtpOptions() smtpmail.Options {
	options := smtpmail.Options{
		URL: c.SMTPURL, From: c.MailFrom, BounceAddress: c.MailBounces, Helo: c.SMTPHelo, Rate: c.SMTPRate,
	}
	if publicURL, err := url.Parse(c.PublicURL); err == nil {
		options.PublicHost = publicURL.Hostname()
	}
	return options
}

// checkLimits refuses to run without rate limits in production, because attackers could guess passwords.
func (c config) checkLimits(problems *configError) {
	switch {
	case c.RateLimits != "on" && c.RateLimits != "off":
		problems.add("DIY_RATE_LIMITS must be on or off, not %q", c.RateLimits)
	case c.RateLimits == "off" && c.isProduction():
		problems.add("DIY_RATE_LIMITS=off is for development only")
	}
	if c.ProviderCallsPerSecond < minProviderCallsPerSecond {
		problems.add("DIY_PROVIDER_CALLS must be at least %d, not %d", minProviderCallsPerSecond, c.ProviderCallsPerSecond)
	}
}

// readProxies parses the addresses and networks of the trusted proxies.
func (c *config) readProxies(problems *configError) {
	for text := range strings.SplitSeq(c.TrustedProxiesText, ",") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		network, ok := parseNetwork(text)
		switch {
		case !ok:
			problems.add("DIY_TRUSTED_PROXIES: %q is neither an address nor a network such as 10.0.0.0/8", text)
		case network.Bits() == 0:
			problems.add("DIY_TRUSTED_PROXIES: %q is every address, so any client could forge its own", text)
		default:
			c.trustedProxies = append(c.trustedProxies, network)
		}
	}
}

// parseNetwork parses a network or a single address. IPv4 written as IPv6 becomes IPv4.
func parseNetwork(text string) (netip.Prefix, bool) {
	if address, err := netip.ParseAddr(text); err == nil {
		address = address.Unmap()
		return netip.PrefixFrom(address, address.BitLen()), address.Zone() == ""
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, false
	}
	if network.Addr().Is4In6() {
		network = netip.PrefixFrom(network.Addr().Unmap(), max(0, network.Bits()-96))
	}
	return network.Masked(), true
}

func (c *config) readCatalogue(problems *configError) {
	c.catalogue = catalogue.Default()
	if c.CatalogueFile == "" {
		return
	}
	file, err := os.Open(c.CatalogueFile)
	if err == nil {
		c.catalogue, err = catalogue.Load(file)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		problems.add("DIY_CATALOGUE: %v", err)
	}
}

func (c *config) readBranding(problems *configError) {
	branding, err := loadBranding(c.BrandingFile)
	if err != nil {
		problems.add("DIY_BRANDING: %v", err)
	}
	c.branding = branding
}

func (c *config) readLoginQuery(problems *configError) {
	query, err := url.ParseQuery(strings.TrimPrefix(c.LoginQueryText, "?"))
	if err != nil {
		problems.add("DIY_LOGIN_QUERY must be a query such as a=1&b=2")
	}
	c.loginQuery = map[string]string{}
	for name := range query {
		c.loginQuery[name] = query.Get(name)
	}
}
