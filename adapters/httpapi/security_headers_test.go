package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func TestEveryAnswerCarriesTheSecurityHeaders(t *testing.T) {
	b := newHouse(t).browser(t)
	for _, path := range []string{"/", "/vc-admin/dash", "/vc-admin/diy/plans", "/vc-admin/user/detail", "/nowhere", "/healthz"} {
		header := b.get(path).Header
		policy := header.Get("Content-Security-Policy")
		assert.Contains(t, policy, "default-src 'none'; script-src 'self'; connect-src 'self';", path)
		assert.NotContains(t, policy, "stripe")
		assert.NotContains(t, policy, "unsafe")
		assert.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		assert.Equal(t, "DENY", header.Get("X-Frame-Options"))
		assert.Equal(t, "same-origin", header.Get("Cross-Origin-Resource-Policy"))
		assert.Equal(t, "same-origin-allow-popups", header.Get("Cross-Origin-Opener-Policy"))
		assert.Empty(t, header.Get("Cross-Origin-Embedder-Policy"), "it would block the card field's frames")
		assert.Empty(t, header.Get("Strict-Transport-Security"), "http")
		assert.Len(t, header.Get("X-Request-Id"), 26)
	}
}

func TestThePaymentProvidersHostsAreLetIn(t *testing.T) {
	h := newHouseAt(t, httpapi.Site{PublicURL: "https://diy.example", Payments: plugin.Web{
		Name: "acme", ScriptOrigins: []string{"https://js.acme.example", "https://*.js.acme.example"},
		FrameOrigins: []string{"https://js.acme.example", "https://bank.acme.example"}, ConnectOrigins: []string{"https://api.acme.example"},
		PaymentSheetOrigins: []string{"https://js.acme.example"}, WebhookPath: "acme", SignatureHeader: "Acme-Signature",
	}})
	header := h.browser(t).get("/vc-admin/dash").Header

	assert.Contains(t, header.Get("Permissions-Policy"), `payment=(self "https://js.acme.example")`)
	assert.Equal(t, "default-src 'none'; script-src 'self' https://js.acme.example https://*.js.acme.example; "+
		"frame-src https://js.acme.example https://bank.acme.example; "+
		"connect-src 'self' https://api.acme.example; img-src 'self' data:; style-src 'self'; font-src 'self'; "+
		"manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
		header.Get("Content-Security-Policy"))
	assert.NotEmpty(t, header.Get("Strict-Transport-Security"))
}

func TestAnswersAboutPeopleAreNeverStored(t *testing.T) {
	b := newHouse(t).browser(t)
	assert.Equal(t, "no-store", b.get("/vc-admin/user/detail").Header.Get("Cache-Control"))
	assert.Equal(t, "no-store", b.get("/vc-admin/org/customer/cards").Header.Get("Cache-Control"))
}
