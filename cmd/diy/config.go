package main

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/adapters/smtpmail"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// config is everything an operator can set. loadConfig reads and checks it.
type config struct {
	Env            string `env:"ENV" envDefault:"development"`
	Addr           string `env:"ADDR" envDefault:"127.0.0.1:8080"`
	PublicURL      string `env:"PUBLIC_URL"`
	DatabaseURL    string `env:"DATABASE_URL" envDefault:"sqlite:data/diy.db"`
	Payments       string `env:"PAYMENTS" envDefault:"fake"`
	SMTPURL        string `env:"SMTP_URL"`
	MailFrom       string `env:"MAIL_FROM"`
	SalesEmail     string `env:"SALES_EMAIL" envDefault:"sales@vision.example"`
	SalesPhone     string `env:"SALES_PHONE" envDefault:"+61 2 5550 0100"`
	MeetingURL     string `env:"MEETING_URL"`
	CatalogueFile  string `env:"CATALOGUE"`
	BrandingFile   string `env:"BRANDING"`
	LoginQueryText string `env:"LOGIN_QUERY"`
	Live           bool   `env:"LIVE"`
	RateLimits     string `env:"RATE_LIMITS" envDefault:"on"`
	TrustedProxies string `env:"TRUSTED_PROXIES"`
	Operation      operation
	catalogue      *catalogue.Catalogue
	branding       httpapi.Branding
	loginQuery     map[string]string
	environment    map[string]string // what settings of payment providers are read from
	proxies        []netip.Prefix    // what TrustedProxies names
}

// configError is every problem of the configuration at once.
type configError struct{ problems []string }

func (e configError) Error() string {
	return "the configuration is not usable:\n  " + strings.Join(e.problems, "\n  ")
}

func (e *configError) add(format string, args ...any) {
	e.problems = append(e.problems, fmt.Sprintf(format, args...))
}

// loadConfig reads the environment and what it points to, and reports all problems together.
func loadConfig(environment map[string]string) (config, error) {
	c := config{environment: environment}
	var problems configError
	c.parse(&problems)
	c.checkWords(&problems)
	c.checkAddresses(&problems)
	c.checkMail(&problems)
	c.Operation.check(c.Addr, &problems)
	c.checkProduction(&problems)
	c.checkPayments(&problems)
	c.checkRateLimits(&problems)
	c.readProxies(&problems)
	c.readFiles(&problems)
	c.readLoginQuery(&problems)
	if len(problems.problems) > 0 {
		return config{}, problems
	}
	return c, nil
}

// production reports whether real people and real money are at stake.
func (c config) production() bool { return c.Env == "production" }

func (c config) checkWords(problems *configError) {
	if c.Env != "development" && c.Env != "production" {
		problems.add("DIY_ENV must be development or production, not %q", c.Env)
	}
	if err := sqlstorage.CheckURL(c.DatabaseURL); err != nil {
		problems.add("DIY_DATABASE_URL: %s", fault.MessageOf(err))
	}
}

// checkMail refuses a mail server that no letter could be given to.
func (c config) checkMail(problems *configError) {
	switch {
	case c.SMTPURL == "":
	case c.MailFrom == "":
		problems.add("DIY_MAIL_FROM must be set with DIY_SMTP_URL")
	default:
		if _, err := smtpmail.New(c.SMTPURL, c.MailFrom, systemclock.New()); err != nil {
			problems.add("DIY_SMTP_URL, DIY_MAIL_FROM: %v", err)
		}
	}
}

func (c config) checkProduction(problems *configError) {
	if !c.production() {
		return
	}
	if c.SMTPURL == "" {
		problems.add("DIY_SMTP_URL must be set in production")
	}
	if c.PublicURL == "" {
		problems.add("DIY_PUBLIC_URL must be set in production")
	}
}
