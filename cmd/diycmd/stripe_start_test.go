package diycmd

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/catalogue"
)

// A key that can't work stops the start, because nobody could pay before an operator has seen to
// it. What is said names the setting, and Stripe's id of the request where there was one.
func TestAKeyThatCannotWorkStopsTheStart(t *testing.T) {
	g := newGate(t, catalogue.Default())
	cases := map[string]struct {
		key  string
		shut http.HandlerFunc
		says string
	}{
		"of nobody":         {"sk_test_nobody", nil, `DIY_STRIPE_\*: the payment provider does not take our key \(.*status 401.*request req_\w+`},
		"revoked":           {"sk_test_local", revoked, `DIY_STRIPE_\*: the payment provider does not take our key \(.*code api_key_expired.*request req_revoked`},
		"of the wrong mode": {"sk_live_local", nil, `DIY_STRIPE_SECRET_KEY: development needs a test key`},
		"the public one":    {"pk_test_local", nil, `DIY_STRIPE_SECRET_KEY: the secret key of Stripe's API must begin with`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			env := g.settings(t)
			env["DIY_STRIPE_SECRET_KEY"] = c.key
			g.shut.Store(nil)
			if c.shut != nil {
				g.shut.Store(&c.shut)
			}
			for _, command := range [][]string{{"serve"}, {"catalogue", "diff"}, {"catalogue", "push"}} {
				var said strings.Builder
				// A start that does not fail would go on for ever.
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				code := run(ctx, stdio{env: env, stdout: io.Discard, stderr: &said}, command)
				cancel()
				assert.NotZero(t, code, command)
				assert.Regexp(t, c.says, said.String(), command)
				assert.NotContains(t, said.String(), c.key)
			}
		})
	}
}

// Plans can be read and people can register while Stripe is away: the start only says so.
func TestAnOutageDoesNotStopTheStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shut http.HandlerFunc
		says string
	}{
		"unreachable": {broken, `"level":"ERROR","msg":"the payment provider could not be asked for its prices","error":"[^"]*EOF`},
		"slow":        {slow, `"level":"ERROR","msg":"the payment provider could not be asked for its prices","error":"[^"]*deadline exceeded`},
		"failing":     {failing, `"level":"ERROR","msg":"the payment provider could not be asked for its prices","error":"[^"]*status 500[^"]*request req_failing`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, catalogue.Default())
			g.shut.Store(&c.shut)
			server := g.server(t)
			server.waitFor(t, regexp.MustCompile("("+c.says+")"))

			assert.Equal(t, http.StatusOK, getStatus(t, server.url+"/readyz"))
			assert.Equal(t, http.StatusOK, getStatus(t, server.url+"/vc-admin/diy/plans"))
			signedUp(t, server)
			assert.NotContains(t, server.said(t), "sk_test_local")
		})
	}
}

func TestTheStartTellsWhichPricesAreNotTheCatalogues(t *testing.T) {
	server := newGate(t, nil).server(t)
	server.waitFor(t, regexp.MustCompile(
		`("level":"WARN","msg":"a price at the payment provider is not the catalogue's: run .diy catalogue push.","price":"professional_yearly","problem":"is missing")`))
}
