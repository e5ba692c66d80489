package diycmd

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

// order is a subscription without a trial, paid with the card.
func order(card string) string {
	return `{"priceId": "standard_monthly", "interval": "monthly", "currency": "AUD", "no_trial": true, "paymentMethodId": "` + card + `"}`
}

// refused wants the answer to be a refusal, and returns its sentence.
func refused(t *testing.T, want, status int, answer string) string {
	t.Helper()
	require.Equal(t, want, status, answer)
	var said struct{ Name, Message string }
	require.NoError(t, json.Unmarshal([]byte(answer), &said))
	return said.Message
}

// books are how many customers there are at Stripe, and what was sold and paid.
type books struct{ customers, subscriptions, paid int }

func (g *gate) look(t *testing.T) (found books) {
	t.Helper()
	require.NoError(t, g.books.Read(t.Context(), func(b fakepayment.Snapshot) error {
		for _, c := range b.Customers() {
			found.customers++
			found.subscriptions += len(c.Subscriptions)
			for _, bill := range b.InvoicesFor(c.ID) {
				if bill.Status == "paid" {
					found.paid++
				}
			}
		}
		return nil
	}))
	return found
}

// Whatever is wrong with Stripe: the person hears a sentence, the log has a line with our id of the
// request and Stripe's, if it gave one, and nothing is half-done. Once Stripe is well the same click
// leads to one subscription, paid once.
func TestTroubleWithStripeLeavesNothingHalfDone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shut      http.HandlerFunc
		says, log string
	}{
		"a revoked key": {revoked, "The payment provider does not let us in at the moment. Please try again later.",
			`("level":"ERROR","msg":"stripe refused or failed",.*"stripe_request":"req_revoked".*"request":"[A-Z0-9]{26}")`},
		"an error": {failing, "The payment provider did not answer. Please try again.",
			`("level":"WARN","msg":"stripe refused or failed",.*"stripe_request":"req_failing".*"request":"[A-Z0-9]{26}")`},
		"nobody there": {broken, "The payment provider did not answer. Please try again.",
			`("level":"WARN","msg":"stripe refused or failed",.*"failure":"EOF".*"request":"[A-Z0-9]{26}")`},
		"slow": {slow, "The payment provider did not answer. Please try again.",
			`("level":"WARN","msg":"stripe refused or failed",.*"failure":"[^"]*deadline exceeded".*"request":"[A-Z0-9]{26}")`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGate(t, catalogue.Default())
			server := g.server(t)
			ada, card := signedUp(t, server), g.card(t)
			require.Equal(t, books{customers: 1}, g.look(t))

			g.shut.Store(&c.shut)
			status, answer := ada.ask(http.MethodPost, server.url+"/vc-admin/user-diy/subscribe", order(card))
			assert.Equal(t, c.says, refused(t, http.StatusServiceUnavailable, status, answer))
			server.waitFor(t, regexp.MustCompile(c.log))
			assert.Equal(t, books{customers: 1}, g.look(t))

			g.shut.Store(nil)
			status, answer = ada.ask(http.MethodPost, server.url+"/vc-admin/user-diy/subscribe", order(card))
			require.Equal(t, http.StatusOK, status, answer)
			assert.Equal(t, books{1, 1, 1}, g.look(t))
			assert.NotContains(t, server.said(t), "sk_test_local")
		})
	}
}

// What was shown is what is charged, or nothing is: not even the card is saved.
func TestAPriceThatIsNotTheCataloguesIsNotSold(t *testing.T) {
	g := newGate(t, nil)
	server := g.server(t)
	ada, card := signedUp(t, server), g.card(t)

	status, answer := ada.ask(http.MethodPost, server.url+"/vc-admin/user-diy/subscribe", order(card))

	assert.Contains(t, refused(t, http.StatusConflict, status, answer), "can't be bought at the moment, and nothing was charged")
	server.waitFor(t, regexp.MustCompile(
		`("level":"ERROR","msg":"a price at stripe is not the catalogue's","price":"standard_monthly",.*"request":"[A-Z0-9]{26}")`))
	assert.Equal(t, books{customers: 1}, g.look(t))
	assert.JSONEq(t, `{"data": []}`, ada.get(server.url+"/vc-admin/org/customer/cards"))

	require.Zero(t, run(t.Context(), stdio{env: g.settings(t), stdout: io.Discard, stderr: io.Discard}, []string{"catalogue", "push"}))
	status, answer = ada.ask(http.MethodPost, server.url+"/vc-admin/user-diy/subscribe", order(card))
	require.Equal(t, http.StatusOK, status, answer)
	assert.Equal(t, books{1, 1, 1}, g.look(t))
}
