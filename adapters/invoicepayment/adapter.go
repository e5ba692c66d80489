package invoicepayment

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

//go:embed migrations
var migrations embed.FS

var (
	_ plugin.Adapter = Adapter{}
	_ plugin.Tables  = Adapter{}
)

const (
	defaultDueDays   = 14
	defaultGraceDays = 7
	defaultPrefix    = "INV-"
	// maxDays limits the sum of due and grace days, so that an unpaid monthly subscription ends before its next invoice.
	maxDays = 27
	// developmentSeller is printed on invoices in development if SELLER is not set.
	developmentSeller = "Example Pty Ltd; 1 Example Street; Sydney NSW 2000; ABN 00 000 000 000"
	// developmentAccount is shown in development if ACCOUNT is not set.
	developmentAccount = "Bank: Example Bank; Account name: Example Pty Ltd; BSB: 000-000; Account number: 12345678"
)

// Adapter configures the provider for a server. Its settings are ACCOUNT, SELLER, DUE_DAYS, GRACE_DAYS, NUMBER_PREFIX
// and APPROVAL. ACCOUNT contains the lines of the bank account, such as "BSB: 062-000; Account number: 1234 5678".
// SELLER contains the lines of the seller's name, address and tax number. APPROVAL is "required", the default in
// production, or "off".
type Adapter struct{}

// SettingNames implements plugin.Adapter.
func (Adapter) SettingNames() []string {
	return []string{"ACCOUNT", "SELLER", "DUE_DAYS", "GRACE_DAYS", "NUMBER_PREFIX", "APPROVAL"}
}

// Check implements plugin.Adapter.
func (Adapter) Check(s plugin.Settings) []string {
	_, problems := parseConfig(s)
	return problems
}

// Open implements plugin.Adapter.
func (Adapter) Open(s plugin.Settings, d plugin.Dependencies) (payment.Provider, error) {
	return Open(s, d)
}

// Open returns a provider with the settings.
func Open(s plugin.Settings, d plugin.Dependencies) (*Provider, error) {
	c, problems := parseConfig(s)
	if len(problems) > 0 {
		return nil, fmt.Errorf("invalid settings: %s", strings.Join(problems, "; "))
	}
	c.Database, c.Clock, c.Catalogue, c.Log = d.Database, d.Clock, d.Catalogue, d.Log
	c.Seller.Brand = d.Brand
	return New(c), nil
}

// WebConfig implements plugin.Adapter. The browser loads nothing from the provider, and there is no webhook.
func (Adapter) WebConfig(plugin.Settings) plugin.WebConfig { return plugin.WebConfig{} }

// Migrations implements plugin.Tables.
func (Adapter) Migrations() fs.FS {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return folder
}

// parseConfig returns the configuration, and one sentence for each problem with the settings.
func parseConfig(s plugin.Settings) (c Config, problems []string) {
	add := func(problem string) {
		if problem != "" {
			problems = append(problems, problem)
		}
	}
	var problem string
	c.Terms.BankAccount, problem = parseAccount(s)
	add(problem)
	c.Seller, problem = parseSeller(s)
	add(problem)
	c.Terms.DueDays, problem = parseDays(s, "DUE_DAYS", defaultDueDays)
	add(problem)
	c.Terms.GraceDays, problem = parseDays(s, "GRACE_DAYS", defaultGraceDays)
	add(problem)
	if len(problems) == 0 && c.Terms.DueDays+c.Terms.GraceDays > maxDays {
		add(fmt.Sprintf("DUE_DAYS and GRACE_DAYS must be at most %d together, "+
			"so that an unpaid monthly subscription ends before its next invoice", maxDays))
	}
	c.Terms.NumberPrefix = defaultPrefix
	if prefix, ok := s.Values["NUMBER_PREFIX"]; ok {
		c.Terms.NumberPrefix = prefix
	}
	if !isNumberPrefix(c.Terms.NumberPrefix) {
		add("NUMBER_PREFIX must have at most 10 letters, digits and punctuation marks")
	}
	switch approval := s.Values["APPROVAL"]; approval {
	case "":
		c.RequireApproval = s.Production
	case "required", "off":
		c.RequireApproval = approval == "required"
	default:
		add("APPROVAL must be required or off")
	}
	return c, problems
}

// isNumberPrefix reports whether the prefix of invoice numbers has at most 10 visible ASCII characters.
func isNumberPrefix(prefix string) bool {
	return len(prefix) <= 10 && !strings.ContainsFunc(prefix, func(r rune) bool { return r <= ' ' || r > '~' })
}

// parseAccount returns the lines of the bank account that customers pay to, or the problem with the setting.
func parseAccount(s plugin.Settings) (account []AccountLine, problem string) {
	text := s.Values["ACCOUNT"]
	if text == "" && s.Production {
		return nil, "ACCOUNT must be set: the bank account that customers pay to, " +
			"such as \"BSB: 062-000; Account number: 1234 5678\""
	}
	for part := range strings.SplitSeq(cmp.Or(text, developmentAccount), ";") {
		label, value, ok := strings.Cut(part, ":")
		field := AccountLine{strings.TrimSpace(label), strings.TrimSpace(value)}
		if !ok || field.Label == "" || field.Value == "" {
			return nil, "ACCOUNT must be lines of the form \"Label: value\", separated by semicolons"
		}
		account = append(account, field)
	}
	return account, ""
}

// parseSeller returns the seller who is printed on invoices, or the problem with the setting.
func parseSeller(s plugin.Settings) (seller invoicepdf.Party, problem string) {
	text := s.Values["SELLER"]
	if text == "" && s.Production {
		return seller, "SELLER must be set: name, address and tax number on invoices, " +
			"such as \"Example Pty Ltd; 1 High Street; Sydney NSW 2000; ABN …\""
	}
	for line := range strings.SplitSeq(cmp.Or(text, developmentSeller), ";") {
		seller.Lines = append(seller.Lines, strings.TrimSpace(line))
	}
	seller.Name, seller.Lines = seller.Lines[0], seller.Lines[1:]
	if seller.Name == "" || len(seller.Lines) == 0 {
		return seller, "SELLER must be a name and the lines of an address, separated by semicolons"
	}
	return seller, ""
}

// parseDays returns a number of days, or the problem with the setting.
func parseDays(s plugin.Settings, name string, defaultDays int) (days int, problem string) {
	text := s.Values[name]
	if text == "" {
		return defaultDays, ""
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > maxDays {
		return 0, fmt.Sprintf("%s must be a number of days from 1 to %d", name, maxDays)
	}
	return days, ""
}
