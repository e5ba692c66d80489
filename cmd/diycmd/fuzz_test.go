package diycmd

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
)

// secretPart stands in every setting that holds a secret.
const secretPart = "Pa55word-of-ada"

// environments are settings, one a line.
var environments = []string{
	"", "DIY_ENV=production", "DIY_LIVE=perhaps\nDIY_DRAIN=-1s\nDIY_STRIPE_TIMEOUT=1h", "DIY_ADDR=[::1%25x]:99999\nDIY_ADMIN_ADDR=:99999",
	"DIY_PUBLIC_URL=https://diy.example//\nDIY_MEETING_URL=//x", "DIY_PUBLIC_URL=https://a:b@c/d?e#f", "DIY_LOGIN_QUERY=?a=%zz;&&b",
	"DIY_TRUSTED_PROXIES=0.0.0.0/0,::/0,::ffff:0.0.0.0/96,fe80::1%eth0, ,10.0.0.0/33", "DIY_DATABASE_URL=postgres://%zz",
	"DIY_PAYMENTS=stripe\nDIY_STRIPE_SECRET_KEY=sk_live_x\nDIY_STRIPE_PUBLISHABLE_KEY=pk_live_x\nDIY_STRIPE_WEBHOOK_SECRET=,",
	"DIY_MAIL_FROM=Ada <ada@example.test>\r\nBcc: x\nDIY_SMTP_URL=smtps://x:0", "DIY_RATE_LIMITS=off\nDIY_ENV=production", "DIY_SMTP_URL=smtp://\xff@x",
}

// Whatever the environment holds, it is a configuration that keeps its promises, or every problem is
// told and no secret with it.
func FuzzConfig(f *testing.F) {
	for _, seed := range environments {
		f.Add(seed)
	}
	production := inProduction("sqlite:x")
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

// environmentOf reads the lines. No file is named by them: what is in files is made up elsewhere.
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
		assert.True(t, network.IsValid() && network.Bits() > 0, "everybody is believed: %s", c.TrustedProxies)
	}
	if c.PublicURL != "" {
		again, ok := webOrigin(c.PublicURL)
		assert.True(t, ok)
		assert.Equal(t, c.PublicURL, again)
		assert.Regexp(t, "^https?://[^/?#@]", c.PublicURL)
	}
	if c.production() {
		assert.NotEqual(t, "fake", c.Payments)
		assert.NotEmpty(t, c.PublicURL)
		assert.NotEmpty(t, c.SMTPURL)
		assert.Equal(t, "on", c.RateLimits)
	}
}

// A branding file leads to web addresses only, or is told what is wrong with it.
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
