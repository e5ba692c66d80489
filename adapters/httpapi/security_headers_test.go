package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// securityHeaders contains the headers of every response with an https URL and the fake provider.
var securityHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
		"style-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
		"object-src 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Cross-Origin-Opener-Policy":   "same-origin-allow-popups",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Strict-Transport-Security":    "max-age=31536000; includeSubDomains",
	"Permissions-Policy": "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), " +
		"fullscreen=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), magnetometer=(), microphone=(), midi=(), " +
		"picture-in-picture=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=(), payment=(self)",
}

const defaultReferrerPolicy, noReferrerPolicy = "strict-origin-when-cross-origin", "no-referrer"

func TestResponses_HaveSecurityHeaders(t *testing.T) {
	tests := []struct {
		method, path                         string
		status                               int
		wantCacheControl, wantReferrerPolicy string
	}{
		{"GET", "/", 200, "no-store", defaultReferrerPolicy},
		{"HEAD", "/", 200, "no-store", defaultReferrerPolicy},
		{"GET", "/vc-admin/dash", 200, "no-cache", defaultReferrerPolicy},
		{"HEAD", "/vc-admin/diy/plans", 200, "no-cache", defaultReferrerPolicy},
		{"GET", "/vc-admin/diy", 302, "no-store", defaultReferrerPolicy},
		{"GET", "/vc-admin/diy/config.json", 200, "no-cache", defaultReferrerPolicy},
		{"GET", "/vc-admin/diy/common-passwords.json", 200, "no-cache", defaultReferrerPolicy},
		{"GET", "/vc-admin/diy/openapi.yaml", 200, "no-cache", defaultReferrerPolicy},
		{"GET", "/vc-admin/diy/assets/app-1.js", 200, "public, max-age=31536000, immutable", defaultReferrerPolicy},
		{"HEAD", "/vc-admin/diy/assets/app-1.js", 200, "public, max-age=31536000, immutable", defaultReferrerPolicy},
		{"GET", "/vc-admin/diy/screens/vc-admin/diy/regform.html", 200, "no-cache", defaultReferrerPolicy},
		{"GET", "/vc-admin/diy/assets/missing.js", 404, "no-store", defaultReferrerPolicy},
		{"GET", "/nowhere", 404, "no-store", defaultReferrerPolicy},
		{"HEAD", "/nowhere", 404, "no-store", defaultReferrerPolicy},
		{"GET", "/vc-admin/user/detail", 200, "no-store", defaultReferrerPolicy},
		{"GET", "/vc-admin/org/customer/cards", 401, "no-store", defaultReferrerPolicy},
		{"GET", "/vc-admin/auth/logout", 303, "no-store", defaultReferrerPolicy},
		{"GET", "/vc-admin/auth/verify?token=x", 303, "no-store", noReferrerPolicy},
		{"GET", "/vc-admin/auth/confirm?token=x", 200, "no-cache", noReferrerPolicy},
		{"GET", "/vc-admin/auth/reset?token=x", 200, "no-cache", noReferrerPolicy},
		{"GET", "/vc-admin/auth/billing-email?token=x", 200, "no-cache", noReferrerPolicy},
		{"GET", "/vc-admin/auth/emails?token=x", 200, "no-cache", noReferrerPolicy},
		{"POST", "/auth/login", 403, "no-store", defaultReferrerPolicy},
		{"GET", "/auth/login", 405, "no-store", defaultReferrerPolicy},
		{"TRACE", "/auth/login", 405, "no-store", defaultReferrerPolicy},
		{"POST", "/vc-admin/webhooks/stripe", 403, "no-store", defaultReferrerPolicy},
		{"GET", "/healthz", 200, "no-store", defaultReferrerPolicy},
		{"GET", "/readyz", 200, "no-store", defaultReferrerPolicy},
		{"GET", "/dev/payments/nowhere", 404, "no-store", defaultReferrerPolicy},
		{"POST", "/vc-admin/webhooks/stripe?panic", 500, "no-store", defaultReferrerPolicy},
	}
	s := newTestServerWithSite(t, httpapi.Site{Payments: fakeProviderWeb, PublicURL: "https://diy.example"})
	receiveEvent := s.useCases.ReceiveEvent
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			s.useCases.ReceiveEvent = receiveEvent
			if strings.HasSuffix(tt.path, "?panic") {
				s.useCases.ReceiveEvent = nil
			}
			w := httptest.NewRecorder()
			s.server.Config.Handler.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, http.NoBody))
			assert.Equal(t, tt.status, w.Code)
			assert.Equal(t, tt.wantCacheControl, w.Header().Get("Cache-Control"))
			assert.Equal(t, tt.wantReferrerPolicy, w.Header().Get("Referrer-Policy"))
			assert.Len(t, w.Header().Get("X-Request-Id"), 26)
			assert.Empty(t, w.Header().Get("Cross-Origin-Embedder-Policy"), "it would block the frames of card fields")
			for name, want := range securityHeaders {
				assert.Equal(t, []string{want}, w.Header().Values(name), name)
			}
		})
	}
}

func TestSecurityHeaders_AllowOriginsOfTheProvider(t *testing.T) {
	s := newTestServerWithSite(t, httpapi.Site{PublicURL: "https://diy.example", Payments: plugin.WebConfig{
		Name: "acme", ScriptOrigins: []string{"https://js.acme.example", "https://*.js.acme.example"},
		FrameOrigins: []string{"https://js.acme.example", "https://bank.acme.example"}, ConnectOrigins: []string{"https://api.acme.example"},
		PaymentSheetOrigins: []string{"https://js.acme.example"}, WebhookPath: "acme",
	}})
	header := s.newBrowser(t).get("/vc-admin/dash").Header

	assert.Contains(t, header.Get("Permissions-Policy"), `payment=(self "https://js.acme.example")`)
	assert.Equal(t, "default-src 'none'; script-src 'self' https://js.acme.example https://*.js.acme.example; "+
		"frame-src https://js.acme.example https://bank.acme.example; "+
		"connect-src 'self' https://api.acme.example; img-src 'self' data:; style-src 'self'; font-src 'self'; "+
		"manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
		header.Get("Content-Security-Policy"))
	assert.Empty(t, newTestServer(t).newBrowser(t).get("/").Header.Get("Strict-Transport-Security"), "the header is not sent over plain HTTP")
}
