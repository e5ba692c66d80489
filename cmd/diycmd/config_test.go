package diycmd

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
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
		"DIY_LOGIN_QUERY": "a=%zz", "DIY_BILLING_EMAILS": "no", "DIY_RENEWAL_REMINDERS": "no", "DIY_SMTP_RATE": "0",
	})

	for _, name := range []string{
		"DIY_ENV", "DIY_ADDR", "DIY_PAYMENTS", "DIY_DATABASE_URL", "DIY_PUBLIC_URL", "DIY_MEETING_URL",
		`DIY_LIVE must be true or false, not "perhaps"`, "DIY_MAIL_FROM", "DIY_CATALOGUE", "DIY_BRANDING", "DIY_LOGIN_QUERY", "DIY_BILLING_EMAILS", "DIY_RENEWAL_REMINDERS",
		"DIY_SMTP_RATE must be from 1 to 1000",
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

	live := map[string]string{
		"DIY_PAYMENTS": "stripe", "DIY_STRIPE_SECRET_KEY": "sk_live_secret", "DIY_STRIPE_PUBLISHABLE_KEY": "pk_live_public",
		"DIY_STRIPE_WEBHOOK_SECRET": "whsec_new, whsec_old",
	}
	_, err = loadConfig(live)
	assert.ErrorContains(t, err, "development needs a test key")
	assert.NotContains(t, err.Error(), "sk_live_secret")

	live["DIY_ENV"], live["DIY_PUBLIC_URL"] = "production", "https://diy.example"
	live["DIY_SMTP_URL"], live["DIY_MAIL_FROM"] = "smtp://localhost:25", "diy@diy.example"
	_, err = loadConfig(live)
	assert.NoError(t, err)
}

func TestConfig_ParsesTheLoginQuery(t *testing.T) {
	c, err := loadConfig(map[string]string{"DIY_LOGIN_QUERY": "?strategy=local&tenant=a%20b"})

	require.NoError(t, err)
	assert.Equal(t, map[string]string{"strategy": "local", "tenant": "a b"}, c.loginQuery)
}

// Cookies are Secure if the public URL begins with https.
func TestConfig_NormalisesThePublicURL(t *testing.T) {
	for _, url := range []string{"HTTPS://diy.example", "https://diy.example/"} {
		c, err := loadConfig(map[string]string{"DIY_PUBLIC_URL": url})
		require.NoError(t, err)
		assert.Equal(t, "https://diy.example", c.PublicURL)
	}
}

func TestConfig_PublicURLMustBeAnOrigin(t *testing.T) {
	for _, wrong := range []string{
		"https://diy.example/area", "https://diy.example?a", "https://diy.example#a", "https://ada:secret@diy.example",
		"//diy.example", "javascript:alert(1)",
	} {
		_, err := loadConfig(map[string]string{"DIY_PUBLIC_URL": wrong})
		require.ErrorContains(t, err, "DIY_PUBLIC_URL", wrong)
		assert.NotContains(t, err.Error(), "secret")
	}
}

func TestConfig_RefusesInvalidMailSettings(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_SMTP_URL": "http://ada:secret@localhost", "DIY_MAIL_FROM": "nobody"})

	require.ErrorContains(t, err, "DIY_SMTP_URL")
	assert.ErrorContains(t, err, "DIY_MAIL_FROM")
	assert.NotContains(t, err.Error(), "secret")
}

func TestBranding_FileReplacesTheEmbeddedOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "branding.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"name": "Clinica", "copyrightYear": 2022}`), 0o600))

	c, err := loadConfig(map[string]string{"DIY_BRANDING": path})

	require.NoError(t, err)
	assert.Equal(t, "Clinica", c.branding.Name)
}

func TestPostalAddress_JoinsTheLinesOfTheBranding(t *testing.T) {
	assert.Nil(t, postalAddress(httpapi.Branding{Name: "Vision", Company: "Vision Telehealth"}))
	assert.Equal(t, []string{"Vision Telehealth", "Sydney"},
		postalAddress(httpapi.Branding{Company: "Vision Telehealth", AddressLines: []string{"Sydney"}}))
	assert.Equal(t, []string{"Vision", "Sydney"},
		postalAddress(httpapi.Branding{Name: "Vision", AddressLines: []string{"Sydney"}}))
}

func TestBranding_RefusesInvalidFiles(t *testing.T) {
	for name, text := range map[string]string{
		"unknown key": `{"name": "A", "colour": "red"}`,
		"no name":     `{"company": "A"}`,
		"script link": `{"name": "A", "headerLinks": [{"label": "x", "url": "javascript:alert(1)"}]}`,
		"no JSON":     `name: A`,
		"more":        `{"name": "A"} {"name": "B"}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "branding.json")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			_, err := loadConfig(map[string]string{"DIY_BRANDING": path})
			assert.ErrorContains(t, err, "DIY_BRANDING")
		})
	}
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
	var got []string
	for _, network := range c.proxies {
		got = append(got, network.String())
	}
	assert.Equal(t, []string{
		"10.0.0.7/32", "172.16.0.0/12", "2001:db8::/32", "fd00::1/128", "192.0.2.1/32", "198.51.100.0/24",
	}, got)

	c, err = loadConfig(nil)
	require.NoError(t, err)
	assert.Empty(t, c.proxies)
}

func TestConfig_ReportsAllInvalidProxies(t *testing.T) {
	wrong := []string{
		"proxy.example", "10.0.0", "10.0.0.1:80", "10.0.0.0/33", "10.0.0.0/", "[::1]", "fe80::1%eth0", "0.0.0.0/0", "::/0",
		"::ffff:0.0.0.0/96",
	}
	for _, text := range wrong {
		_, err := loadConfig(map[string]string{"DIY_TRUSTED_PROXIES": "10.0.0.1," + text + ",nobody"})
		assert.ErrorContains(t, err, `DIY_TRUSTED_PROXIES: "`+text+`" is`)
		assert.ErrorContains(t, err, `DIY_TRUSTED_PROXIES: "nobody" is`, "all problems are reported")
	}
}

func TestConfig_ChecksProviderCalls(t *testing.T) {
	c, err := loadConfig(map[string]string{"DIY_PROVIDER_CALLS": "25"})
	require.NoError(t, err)
	assert.Equal(t, 25, providerCalls(c))

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

func TestConfig_DrainsInProductionOnly(t *testing.T) {
	drain := 2 * time.Second
	none := time.Duration(0)
	for _, c := range []struct {
		config config
		want   time.Duration
	}{
		{config{Env: "development"}, 0},
		{config{Env: "production"}, 5 * time.Second},
		{config{Env: "development", Drain: &drain}, drain},
		{config{Env: "production", Drain: &none}, 0},
	} {
		assert.Equal(t, c.want, c.config.drain())
	}
	c, err := loadConfig(map[string]string{"DIY_DRAIN": "1500ms"})
	require.NoError(t, err)
	assert.Equal(t, 1500*time.Millisecond, c.drain())
	_, err = loadConfig(map[string]string{"DIY_DRAIN": "soon"})
	assert.ErrorContains(t, err, `DIY_DRAIN must be a time such as 5s, not "soon"`)
}

func TestConfig_SuggestsTheNearestVariable(t *testing.T) {
	var stderr strings.Builder
	env := map[string]string{
		"DIY_TRUSTED_PROXYS": "10.0.0.0/8", "DIY_PUBLICURL": "https://diy.example", "DIY_STIPE_SECRET_KEY": "sk_test_secret",
		"DIY_PORT": "8080", "DIY_ENV": "staging",
	}

	code := run(t.Context(), env, &stderr)

	assert.Equal(t, 2, code)
	for _, problem := range []string{
		"DIY_TRUSTED_PROXYS is not a variable of diy: did you mean DIY_TRUSTED_PROXIES?",
		"DIY_PUBLICURL is not a variable of diy: did you mean DIY_PUBLIC_URL?",
		"DIY_STIPE_SECRET_KEY is not a variable of diy: did you mean DIY_STRIPE_SECRET_KEY?",
		"DIY_PORT is not a variable of diy",
		"DIY_ENV must be development or production",
	} {
		assert.Contains(t, stderr.String(), problem)
	}
	assert.NotContains(t, stderr.String(), "sk_test_secret")
}

func TestConfig_AcceptsUnrelatedVariables(t *testing.T) {
	for name, value := range map[string]string{
		"DIY_STRIPE_TIMEOUT": "5s", // of a provider that is not chosen
		"DIY_CHROMIUM":       "/usr/bin/chromium",
		"NOT_DIY_X":          "1",
		// Kubernetes sets these for a service called diy.
		"DIY_SERVICE_HOST": "10.0.0.1", "DIY_SERVICE_PORT": "8080", "DIY_SERVICE_PORT_HTTP": "8080",
		"DIY_PORT":          "tcp://10.0.0.1:8080",
		"DIY_PORT_8080_TCP": "tcp://10.0.0.1:8080", "DIY_PORT_8080_TCP_ADDR": "10.0.0.1", "DIY_STAGING_SERVICE_HOST": "10.0.0.2",
	} {
		_, err := loadConfig(map[string]string{name: value})
		assert.NoError(t, err, name)
	}
}

func TestEditDistance_CountsChangedCharacters(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"", "abc", 3}, {"abc", "", 3}, {"PROXYS", "PROXIES", 2}, {"STIPE", "STRIPE", 1},
		{"abc", "xyz", 3}} {
		assert.Equal(t, c.want, editDistance(c.a, c.b), "%s → %s", c.a, c.b)
	}
}

// secretPart is part of every secret.
const secretPart = "Pa55word-of-ada"

// environments are environments with one variable per line.
var environments = []string{
	"", "DIY_ENV=production", "DIY_LIVE=perhaps\nDIY_DRAIN=-1s\nDIY_STRIPE_TIMEOUT=1h",
	"DIY_ADDR=[::1%25x]:99999\nDIY_ADMIN_ADDR=:99999",
	"DIY_PUBLIC_URL=https://diy.example//\nDIY_MEETING_URL=//x", "DIY_PUBLIC_URL=https://a:b@c/d?e#f",
	"DIY_LOGIN_QUERY=?a=%zz;&&b",
	"DIY_TRUSTED_PROXIES=0.0.0.0/0,::/0,::ffff:0.0.0.0/96,fe80::1%eth0, ,10.0.0.0/33", "DIY_DATABASE_URL=postgres://%zz",
	"DIY_PAYMENTS=stripe\nDIY_STRIPE_SECRET_KEY=sk_live_x\nDIY_STRIPE_PUBLISHABLE_KEY=pk_live_x\nDIY_STRIPE_WEBHOOK_SECRET=,",
	"DIY_MAIL_FROM=Ada <ada@example.test>\r\nBcc: x\nDIY_SMTP_URL=smtps://x:0", "DIY_RATE_LIMITS=off\nDIY_ENV=production",
	"DIY_SMTP_URL=smtp://\xff@x",
}

// FuzzConfig requires a valid configuration or an error without secrets.
func FuzzConfig(f *testing.F) {
	for _, seed := range environments {
		f.Add(seed)
	}
	production := productionSettings("sqlite:x")
	whole := ""
	for _, name := range slices.Sorted(maps.Keys(production)) {
		whole += name + "=" + production[name] + "\n"
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, lines string) {
		c, err := loadConfig(environmentOf(lines))
		if err == nil {
			assertUsable(t, c)
			return
		}
		wrong, ok := errors.AsType[configError](err)
		require.True(t, ok, "%v", err)
		assert.NotEmpty(t, wrong.problems)
		assert.NotContains(t, err.Error(), secretPart)
	})
}

// environmentOf parses the lines and leaves out variables that name files.
func environmentOf(lines string) map[string]string {
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

func assertUsable(t *testing.T, c config) {
	t.Helper()
	assert.Contains(t, paymentProfiles, c.Payments)
	for _, network := range c.proxies {
		assert.True(t, network.IsValid() && network.Bits() > 0, "trusts every address: %s", c.TrustedProxies)
	}
	if c.PublicURL != "" {
		second, ok := webOrigin(c.PublicURL)
		assert.True(t, ok)
		assert.Equal(t, c.PublicURL, second)
		assert.Regexp(t, "^https?://[^/?#@]", c.PublicURL)
	}
	if c.isProduction() {
		assert.NotEqual(t, "fake", c.Payments)
		assert.NotEmpty(t, c.PublicURL)
		assert.NotEmpty(t, c.SMTPURL)
		assert.Equal(t, "on", c.RateLimits)
	}
}

// FuzzBranding requires that accepted files link to http and https only.
func FuzzBranding(f *testing.F) {
	for _, seed := range []string{
		string(defaultBranding), "", "null", "[]", `{"name": "A"} {}`, `{"name": "A", "headerLinks": null, "copyrightYear": 1e99}`,
		`{"name": "A", "footerColumns": [{"title": "x", "links": [{"label": "x", "url": "java\tscript:alert(1)"}]}]}`,
		`{"name": "A", "socialLinks": [{"label": "x", "url": "//evil.example"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		branding, err := parseBranding(data)
		if err != nil {
			return
		}
		assert.NotEmpty(t, branding.Name)
		links := append([]httpapi.Link{}, branding.HeaderLinks...)
		for _, column := range branding.FooterColumns {
			links = append(links, column.Links...)
		}
		for _, link := range append(links, branding.SocialLinks...) {
			assert.Regexp(t, "^(?i)https?://", link.URL)
		}
	})
}
