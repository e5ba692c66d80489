package diycmd

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConfig_HasDefaultsForDevelopment(t *testing.T) {
	c, err := loadConfig(nil)

	require.NoError(t, err)
	assert.Equal(t, "127.0.0.1:8080", c.Addr)
	assert.Equal(t, "sqlite:data/diy.db", c.DatabaseURL)
	assert.Equal(t, "fake", c.Payments)
	assert.Equal(t, "development", c.Env)
	assert.False(t, c.isProduction())
	assert.False(t, c.Live)
	assert.Equal(t, 2022, c.branding.CopyrightYear)
	assert.NotNil(t, c.catalogue)
}

func TestConfig_ReportsAllProblems(t *testing.T) {
	_, err := loadConfig(map[string]string{
		"DIY_ENV": "staging", "DIY_ADDR": "8080", "DIY_PAYMENTS": "cash", "DIY_DATABASE_URL": "mysql://x",
		"DIY_PUBLIC_URL": "clinic", "DIY_MEETING_URL": "ftp://x", "DIY_LIVE": "perhaps",
		"DIY_SMTP_URL": "smtp://localhost:25", "DIY_CATALOGUE": "nowhere.json", "DIY_BRANDING": "nowhere.json",
		"DIY_LOGIN_QUERY": "a=%zz", "DIY_BILLING_EMAILS": "no", "DIY_KEEP_YEARS": "4", "DIY_RENEWAL_REMINDERS": "no", "DIY_TRIAL_CARDS": "no", "DIY_SMTP_RATE": "0",
	})

	for _, name := range []string{
		"DIY_ENV", "DIY_ADDR", "DIY_PAYMENTS", "DIY_DATABASE_URL", "DIY_PUBLIC_URL", "DIY_MEETING_URL",
		`DIY_LIVE must be true or false, not "perhaps"`, "DIY_MAIL_FROM", "DIY_CATALOGUE", "DIY_BRANDING",
		"DIY_LOGIN_QUERY", "DIY_BILLING_EMAILS", "DIY_KEEP_YEARS must be from 5 to 100, not 4", "DIY_RENEWAL_REMINDERS", "DIY_TRIAL_CARDS must be show or refuse", "DIY_SMTP_RATE must be from 1 to 1000",
	} {
		assert.ErrorContains(t, err, name)
	}
}

func TestConfig_ProductionRequiresPaymentsMailAndURL(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_ENV": "production"})

	assert.ErrorContains(t, err, "DIY_PAYMENTS=fake")
	assert.ErrorContains(t, err, "DIY_SMTP_URL")
	assert.ErrorContains(t, err, "DIY_PUBLIC_URL")
}

func TestConfig_StripeRequiresKeysOfTheRightMode(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_PAYMENTS": "stripe"})
	for _, name := range []string{"DIY_STRIPE_SECRET_KEY", "DIY_STRIPE_PUBLISHABLE_KEY", "DIY_STRIPE_WEBHOOK_SECRET"} {
		assert.ErrorContains(t, err, name)
	}

	settings := map[string]string{
		"DIY_PAYMENTS": "stripe", "DIY_STRIPE_SECRET_KEY": "sk_live_secret", "DIY_STRIPE_PUBLISHABLE_KEY": "pk_live_public",
		"DIY_STRIPE_WEBHOOK_SECRET": "whsec_new, whsec_old",
	}
	_, err = loadConfig(settings)
	assert.ErrorContains(t, err, "development needs a test key")
	assert.NotContains(t, err.Error(), "sk_live_secret")

	settings["DIY_ENV"], settings["DIY_PUBLIC_URL"] = "production", "https://diy.example"
	settings["DIY_SMTP_URL"], settings["DIY_MAIL_FROM"] = "smtp://localhost:25", "diy@diy.example"
	_, err = loadConfig(settings)
	assert.NoError(t, err)
}

func TestConfig_ParsesTheLoginQuery(t *testing.T) {
	c, err := loadConfig(map[string]string{"DIY_LOGIN_QUERY": "?strategy=local&tenant=a%20b"})

	require.NoError(t, err)
	assert.Equal(t, map[string]string{"strategy": "local", "tenant": "a b"}, c.loginQuery)
}

// The scheme of the public URL decides whether cookies are Secure.
func TestConfig_NormalisesThePublicURL(t *testing.T) {
	for _, url := range []string{"HTTPS://diy.example", "https://diy.example/"} {
		c, err := loadConfig(map[string]string{"DIY_PUBLIC_URL": url})
		require.NoError(t, err)
		assert.Equal(t, "https://diy.example", c.PublicURL)
	}
}

func TestConfig_PublicURLMustBeAnOrigin(t *testing.T) {
	for _, invalid := range []string{
		"https://diy.example/area", "https://diy.example?a", "https://diy.example#a", "https://ada:secret@diy.example",
		"//diy.example", "javascript:alert(1)",
	} {
		_, err := loadConfig(map[string]string{"DIY_PUBLIC_URL": invalid})
		require.ErrorContains(t, err, "DIY_PUBLIC_URL", invalid)
		assert.NotContains(t, err.Error(), "secret")
	}
}

func TestConfig_RefusesInvalidMailSettings(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_SMTP_URL": "http://ada:secret@localhost", "DIY_MAIL_FROM": "nobody"})

	require.ErrorContains(t, err, "DIY_SMTP_URL")
	assert.ErrorContains(t, err, "DIY_MAIL_FROM")
	assert.NotContains(t, err.Error(), "secret")
}

func TestConfig_RateLimitsCanBeOffInDevelopmentOnly(t *testing.T) {
	c, err := loadConfig(nil)
	require.NoError(t, err)
	assert.Equal(t, "on", c.RateLimits)

	_, err = loadConfig(map[string]string{"DIY_RATE_LIMITS": "off"})
	require.NoError(t, err)
	_, err = loadConfig(map[string]string{"DIY_RATE_LIMITS": "sometimes"})
	require.ErrorContains(t, err, `DIY_RATE_LIMITS must be on or off, not "sometimes"`)
	_, err = loadConfig(map[string]string{"DIY_RATE_LIMITS": "off", "DIY_ENV": "production"})
	require.ErrorContains(t, err, "DIY_RATE_LIMITS=off is for development only")
}

func TestConfig_ParsesTrustedProxies(t *testing.T) {
	c, err := loadConfig(map[string]string{
		"DIY_TRUSTED_PROXIES": "10.0.0.7, 172.16.5.0/12,2001:db8::/32 ,fd00::1,::ffff:192.0.2.1,::ffff:198.51.100.0/120,",
	})
	require.NoError(t, err)
	var networks []string
	for _, network := range c.trustedProxies {
		networks = append(networks, network.String())
	}
	assert.Equal(t, []string{
		"10.0.0.7/32", "172.16.0.0/12", "2001:db8::/32", "fd00::1/128", "192.0.2.1/32", "198.51.100.0/24",
	}, networks)

	c, err = loadConfig(nil)
	require.NoError(t, err)
	assert.Empty(t, c.trustedProxies)
}

func TestConfig_ReportsAllInvalidProxies(t *testing.T) {
	invalid := []string{
		"proxy.example", "10.0.0", "10.0.0.1:80", "10.0.0.0/33", "10.0.0.0/", "[::1]", "fe80::1%eth0", "0.0.0.0/0", "::/0",
		"::ffff:0.0.0.0/96",
	}
	for _, text := range invalid {
		_, err := loadConfig(map[string]string{"DIY_TRUSTED_PROXIES": "10.0.0.1," + text + ",nobody"})
		assert.ErrorContains(t, err, `DIY_TRUSTED_PROXIES: "`+text+`" is`)
		assert.ErrorContains(t, err, `DIY_TRUSTED_PROXIES: "nobody" is`, "all problems are reported")
	}
}

func TestConfig_ChecksProviderCalls(t *testing.T) {
	c, err := loadConfig(map[string]string{"DIY_PROVIDER_CALLS": "25"})
	require.NoError(t, err)
	assert.Equal(t, 25, providerCallsPerSecond(c))

	_, err = loadConfig(map[string]string{"DIY_PROVIDER_CALLS": "many"})
	require.ErrorContains(t, err, `DIY_PROVIDER_CALLS must be a whole number, not "many"`)
	_, err = loadConfig(map[string]string{"DIY_PROVIDER_CALLS": "0"})
	require.ErrorContains(t, err, "DIY_PROVIDER_CALLS must be at least 10, not 0")
}

func TestConfig_ChecksTheAdminAddress(t *testing.T) {
	for _, c := range []struct{ public, admin, problem string }{
		{"127.0.0.1:8080", "9090", "DIY_ADMIN_ADDR must be HOST:PORT"},
		{"127.0.0.1:8080", "127.0.0.1:8080", "DIY_ADMIN_ADDR must not be"},
		{":8080", "127.0.0.1:8080", "DIY_ADMIN_ADDR must not be"},
		{"127.0.0.1:8080", "[::]:8080", "DIY_ADMIN_ADDR must not be"},
	} {
		_, err := loadConfig(map[string]string{
			"DIY_ADDR": c.public, "DIY_ADMIN_ADDR": c.admin, "DIY_ENV": "staging", "DIY_DRAIN": "-1s",
		})
		assert.ErrorContains(t, err, c.problem)
		assert.ErrorContains(t, err, "DIY_ENV")
		assert.ErrorContains(t, err, "DIY_DRAIN must be between 0s and 1m0s")
	}
	for _, admin := range []string{"", "127.0.0.1:9090", ":9090", "10.0.0.1:8080"} {
		_, err := loadConfig(map[string]string{"DIY_ADDR": "127.0.0.1:8080", "DIY_ADMIN_ADDR": admin})
		assert.NoError(t, err, admin)
	}
	_, err := loadConfig(map[string]string{"DIY_ADDR": "127.0.0.1:0", "DIY_ADMIN_ADDR": "127.0.0.1:0"})
	assert.NoError(t, err, "port 0 means any free port")
}

func TestDrainTime_DefaultsToFiveSecondsInProduction(t *testing.T) {
	drain := 2 * time.Second
	zero := time.Duration(0)
	for _, c := range []struct {
		config config
		want   time.Duration
	}{
		{config{Env: "development"}, 0},
		{config{Env: "production"}, 5 * time.Second},
		{config{Env: "development", Drain: &drain}, drain},
		{config{Env: "production", Drain: &zero}, 0},
	} {
		assert.Equal(t, c.want, c.config.drainTime())
	}
	c, err := loadConfig(map[string]string{"DIY_DRAIN": "1500ms"})
	require.NoError(t, err)
	assert.Equal(t, 1500*time.Millisecond, c.drainTime())
	_, err = loadConfig(map[string]string{"DIY_DRAIN": "soon"})
	assert.ErrorContains(t, err, `DIY_DRAIN must be a time such as 5s, not "soon"`)
}

// secretPart is a part of every secret in a fuzzed environment.
const secretPart = "Pa55word-of-ada"

// fuzzEnvironments contains environments with one variable on each line.
var fuzzEnvironments = []string{
	"", "DIY_ENV=production", "DIY_LIVE=perhaps\nDIY_DRAIN=-1s\nDIY_STRIPE_TIMEOUT=1h",
	"DIY_ADDR=[::1%25x]:99999\nDIY_ADMIN_ADDR=:99999",
	"DIY_PUBLIC_URL=https://diy.example//\nDIY_MEETING_URL=//x", "DIY_PUBLIC_URL=https://a:b@c/d?e#f",
	"DIY_LOGIN_QUERY=?a=%zz;&&b",
	"DIY_TRUSTED_PROXIES=0.0.0.0/0,::/0,::ffff:0.0.0.0/96,fe80::1%eth0, ,10.0.0.0/33", "DIY_DATABASE_URL=postgres://%zz",
	"DIY_PAYMENTS=stripe\nDIY_STRIPE_SECRET_KEY=sk_live_x\nDIY_STRIPE_PUBLISHABLE_KEY=pk_live_x\nDIY_STRIPE_WEBHOOK_SECRET=,",
	"DIY_MAIL_FROM=Ada <ada@example.test>\r\nBcc: x\nDIY_SMTP_URL=smtps://x:0", "DIY_RATE_LIMITS=off\nDIY_ENV=production",
	"DIY_SMTP_URL=smtp://\xff@x",
}

// FuzzConfig requires that loadConfig returns a usable configuration or an error without secrets.
func FuzzConfig(f *testing.F) {
	for _, seed := range fuzzEnvironments {
		f.Add(seed)
	}
	production := productionSettings("sqlite:x")
	lines := ""
	for _, name := range slices.Sorted(maps.Keys(production)) {
		lines += name + "=" + production[name] + "\n"
	}
	f.Add(lines)
	f.Fuzz(func(t *testing.T, lines string) {
		c, err := loadConfig(parseFuzzEnvironment(lines))
		if err == nil {
			assertUsableConfig(t, c)
			return
		}
		configErr, ok := errors.AsType[configError](err)
		require.True(t, ok, "%v", err)
		assert.NotEmpty(t, configErr.problems)
		assert.NotContains(t, err.Error(), secretPart)
	})
}

// parseFuzzEnvironment parses the lines. It leaves out variables that name files and adds secretPart to all secrets.
func parseFuzzEnvironment(lines string) map[string]string {
	environment := map[string]string{}
	for line := range strings.SplitSeq(lines, "\n") {
		name, value, _ := strings.Cut(line, "=")
		switch name {
		case "DIY_CATALOGUE", "DIY_BRANDING":
			continue
		case "DIY_STRIPE_SECRET_KEY", "DIY_STRIPE_WEBHOOK_SECRET":
			value += secretPart
		case "DIY_SMTP_URL":
			value = strings.Replace(value, "://", "://ada:"+secretPart+"@", 1)
		}
		environment[name] = value
	}
	return environment
}

// assertUsableConfig asserts the rules that every accepted configuration must meet.
func assertUsableConfig(t *testing.T, c config) {
	t.Helper()
	assert.Contains(t, paymentIntegrations, c.Payments)
	for _, network := range c.trustedProxies {
		assert.True(t, network.IsValid() && network.Bits() > 0, "trusts every address: %s", c.TrustedProxiesText)
	}
	if c.PublicURL != "" {
		origin, ok := parseWebOrigin(c.PublicURL)
		assert.True(t, ok)
		assert.Equal(t, c.PublicURL, origin)
		assert.Regexp(t, "^https?://[^/?#@]", c.PublicURL)
	}
	if c.isProduction() {
		assert.NotEqual(t, "fake", c.Payments)
		assert.NotEmpty(t, c.PublicURL)
		assert.NotEmpty(t, c.SMTPURL)
		assert.Equal(t, "on", c.RateLimits)
	}
}

func TestConfig_ConsoleNeedsAllOfItsSettings(t *testing.T) {
	settings := map[string]string{
		"DIY_ADMIN_ADDR": "127.0.0.1:0", "DIY_ADMIN_URL": "https://console.example/", "DIY_ADMIN_USER_HEADER": "X-Forwarded-Email",
		"DIY_ADMIN_PROXY_SECRET": "0123456789abcdef0123456789abcdef", "DIY_ADMIN_ROLES": "finance=group:billing,ann@example.com",
	}
	c, err := loadConfig(settings)
	require.NoError(t, err)
	assert.Equal(t, "https://console.example", c.AdminURL)
	assert.True(t, c.hasProxyForConsole())

	for name := range settings {
		incomplete := maps.Clone(settings)
		delete(incomplete, name)
		_, err := loadConfig(incomplete)
		assert.ErrorContains(t, err, name)
	}
	for name, value := range map[string]string{
		"DIY_ADMIN_URL": "https://console.example/path", "DIY_ADMIN_USER_HEADER": "X User", "DIY_ADMIN_PROXY_SECRET": "short",
		"DIY_ADMIN_ROLES": "root=ann", "DIY_ADMIN_GROUPS_HEADER": "X:Groups",
	} {
		invalid := maps.Clone(settings)
		invalid[name] = value
		_, err := loadConfig(invalid)
		assert.ErrorContains(t, err, name)
		assert.NotContains(t, err.Error(), settings["DIY_ADMIN_PROXY_SECRET"])
	}
}
