package diycmd

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConfigDefaultsRunAtOnce(t *testing.T) {
	c, err := loadConfig(nil)

	require.NoError(t, err)
	assert.Equal(t, "127.0.0.1:8080", c.Addr)
	assert.Equal(t, "sqlite:data/diy.db", c.DatabaseURL)
	assert.Equal(t, "fake", c.Payments)
	assert.Equal(t, "development", c.Env)
	assert.False(t, c.production())
	assert.False(t, c.Live)
	assert.Equal(t, 2022, c.branding.CopyrightYear)
	assert.NotNil(t, c.catalogue)
}

func TestConfigReportsEveryProblemAtOnce(t *testing.T) {
	_, err := loadConfig(map[string]string{
		"DIY_ENV": "staging", "DIY_ADDR": "8080", "DIY_PAYMENTS": "cash", "DIY_DATABASE_URL": "mysql://x",
		"DIY_PUBLIC_URL": "clinic", "DIY_MEETING_URL": "ftp://x", "DIY_LIVE": "perhaps",
		"DIY_SMTP_URL": "smtp://localhost:25", "DIY_CATALOGUE": "nowhere.json", "DIY_BRANDING": "nowhere.json",
		"DIY_LOGIN_QUERY": "a=%zz",
	})

	for _, name := range []string{
		"DIY_ENV", "DIY_ADDR", "DIY_PAYMENTS", "DIY_DATABASE_URL", "DIY_PUBLIC_URL", "DIY_MEETING_URL",
		`DIY_LIVE must be true or false, not "perhaps"`, "DIY_MAIL_FROM", "DIY_CATALOGUE", "DIY_BRANDING", "DIY_LOGIN_QUERY",
	} {
		assert.ErrorContains(t, err, name)
	}
}

func TestProductionRefusesWhatTakesNoMoneyAndSendsNoMail(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_ENV": "production"})

	assert.ErrorContains(t, err, "DIY_PAYMENTS=fake")
	assert.ErrorContains(t, err, "DIY_SMTP_URL")
	assert.ErrorContains(t, err, "DIY_PUBLIC_URL")
}

func TestStripeNeedsItsKeysOfTheRightModeAndASecret(t *testing.T) {
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

func TestConfigReadsTheLoginQuery(t *testing.T) {
	c, err := loadConfig(map[string]string{"DIY_LOGIN_QUERY": "?strategy=local&tenant=a%20b"})

	require.NoError(t, err)
	assert.Equal(t, map[string]string{"strategy": "local", "tenant": "a b"}, c.loginQuery)
}

func TestConfigTakesASlashOffThePublicURL(t *testing.T) {
	c, err := loadConfig(map[string]string{"DIY_PUBLIC_URL": "https://diy.example/"})

	require.NoError(t, err)
	assert.Equal(t, "https://diy.example", c.PublicURL)
}

// Cookies are Secure where the public URL is https, however that is written.
func TestThePublicURLsSchemeIsReadInAnyCase(t *testing.T) {
	c, err := loadConfig(map[string]string{"DIY_PUBLIC_URL": "HTTPS://diy.example"})

	require.NoError(t, err)
	assert.Equal(t, "https://diy.example", c.PublicURL)
}

func TestThePublicURLIsAnOrigin(t *testing.T) {
	for _, wrong := range []string{
		"https://diy.example/area", "https://diy.example?a", "https://diy.example#a", "https://ada:secret@diy.example", "//diy.example", "javascript:alert(1)",
	} {
		_, err := loadConfig(map[string]string{"DIY_PUBLIC_URL": wrong})
		require.ErrorContains(t, err, "DIY_PUBLIC_URL", wrong)
		assert.NotContains(t, err.Error(), "secret")
	}
}

func TestAMailServerThatCanNotBeIsRefused(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_SMTP_URL": "http://ada:secret@localhost", "DIY_MAIL_FROM": "nobody"})

	require.ErrorContains(t, err, "DIY_SMTP_URL")
	assert.ErrorContains(t, err, "DIY_MAIL_FROM")
	assert.NotContains(t, err.Error(), "secret")
}

func TestBrandingFileReplacesTheEmbeddedOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "branding.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"name": "Clinica", "copyrightYear": 2022}`), 0o600))

	c, err := loadConfig(map[string]string{"DIY_BRANDING": path})

	require.NoError(t, err)
	assert.Equal(t, "Clinica", c.branding.Name)
}

func TestBrandingFileIsChecked(t *testing.T) {
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

func TestRateLimitsAreOnUnlessDevelopmentSaysOtherwise(t *testing.T) {
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

func TestTrustedProxiesAreAddressesAndNetworks(t *testing.T) {
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

func TestEveryProxyThatIsNoneIsReported(t *testing.T) {
	wrong := []string{
		"proxy.example", "10.0.0", "10.0.0.1:80", "10.0.0.0/33", "10.0.0.0/", "[::1]", "fe80::1%eth0", "0.0.0.0/0", "::/0",
		"::ffff:0.0.0.0/96",
	}
	for _, text := range wrong {
		_, err := loadConfig(map[string]string{"DIY_TRUSTED_PROXIES": "10.0.0.1," + text + ",nobody"})
		assert.ErrorContains(t, err, `DIY_TRUSTED_PROXIES: "`+text+`" is`)
		assert.ErrorContains(t, err, `DIY_TRUSTED_PROXIES: "nobody" is`, "all at once")
	}
}

func TestProviderCallsAreAWholeNumberThatLeavesRoomForAPayment(t *testing.T) {
	c, err := loadConfig(map[string]string{"DIY_PROVIDER_CALLS": "25"})
	require.NoError(t, err)
	assert.Equal(t, 25, providerCalls(c))

	_, err = loadConfig(map[string]string{"DIY_PROVIDER_CALLS": "many"})
	require.ErrorContains(t, err, `DIY_PROVIDER_CALLS must be a whole number, not "many"`)
	_, err = loadConfig(map[string]string{"DIY_PROVIDER_CALLS": "0"})
	require.ErrorContains(t, err, "DIY_PROVIDER_CALLS must be at least 10, not 0")
}

func TestTheAdminAddressIsCheckedWithEverythingElse(t *testing.T) {
	for _, c := range []struct{ public, admin, problem string }{
		{"127.0.0.1:8080", "9090", "DIY_ADMIN_ADDR must be HOST:PORT"},
		{"127.0.0.1:8080", "127.0.0.1:8080", "DIY_ADMIN_ADDR must not be"},
		{":8080", "127.0.0.1:8080", "DIY_ADMIN_ADDR must not be"},
		{"127.0.0.1:8080", "[::]:8080", "DIY_ADMIN_ADDR must not be"},
	} {
		_, err := loadConfig(map[string]string{"DIY_ADDR": c.public, "DIY_ADMIN_ADDR": c.admin, "DIY_ENV": "staging", "DIY_DRAIN": "-1s"})
		assert.ErrorContains(t, err, c.problem)
		assert.ErrorContains(t, err, "DIY_ENV")
		assert.ErrorContains(t, err, "DIY_DRAIN must be between 0s and 1m0s")
	}
	for _, admin := range []string{"", "127.0.0.1:9090", ":9090", "10.0.0.1:8080"} {
		_, err := loadConfig(map[string]string{"DIY_ADDR": "127.0.0.1:8080", "DIY_ADMIN_ADDR": admin})
		assert.NoError(t, err, admin)
	}
	_, err := loadConfig(map[string]string{"DIY_ADDR": "127.0.0.1:0", "DIY_ADMIN_ADDR": "127.0.0.1:0"})
	assert.NoError(t, err, "two free ports")
}

func TestOnlyProductionDrainsUnasked(t *testing.T) {
	asked := 2 * time.Second
	none := time.Duration(0)
	for _, c := range []struct {
		config config
		want   time.Duration
	}{
		{config{Env: "development"}, 0},
		{config{Env: "production"}, 5 * time.Second},
		{config{Env: "development", Drain: &asked}, asked},
		{config{Env: "production", Drain: &none}, 0},
	} {
		assert.Equal(t, c.want, c.config.drain())
	}
	c, err := loadConfig(map[string]string{"DIY_DRAIN": "1500ms"})
	require.NoError(t, err)
	assert.Equal(t, 1500*time.Millisecond, c.drain())
}

func TestADrainThatIsNoTimeIsNamed(t *testing.T) {
	_, err := loadConfig(map[string]string{"DIY_DRAIN": "soon"})
	assert.ErrorContains(t, err, `DIY_DRAIN must be a time such as 5s, not "soon"`)
}
