package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/httpapi"
)

// everyAnswer is what every answer carries at the https address with the fake provider.
var everyAnswer = map[string]string{
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

const ownReferrer, noReferrer = "strict-origin-when-cross-origin", "no-referrer"

func TestEveryAnswerIsSafeToRead(t *testing.T) {
	tests := []struct {
		method, path     string
		status           int
		caching, referer string
	}{
		{"GET", "/", 200, "no-store", ownReferrer},
		{"HEAD", "/", 200, "no-store", ownReferrer},
		{"GET", "/vc-admin/dash", 200, "no-cache", ownReferrer},
		{"HEAD", "/vc-admin/diy/plans", 200, "no-cache", ownReferrer},
		{"GET", "/vc-admin/diy", 302, "no-store", ownReferrer},
		{"GET", "/vc-admin/diy/config.json", 200, "no-cache", ownReferrer},
		{"GET", "/vc-admin/diy/openapi.yaml", 200, "no-cache", ownReferrer},
		{"GET", "/vc-admin/diy/assets/app-1.js", 200, "public, max-age=31536000, immutable", ownReferrer},
		{"HEAD", "/vc-admin/diy/assets/app-1.js", 200, "public, max-age=31536000, immutable", ownReferrer},
		{"GET", "/vc-admin/diy/screens.json", 200, "no-cache", ownReferrer},
		{"GET", "/vc-admin/diy/assets/gone.js", 404, "no-store", ownReferrer},
		{"GET", "/nowhere", 404, "no-store", ownReferrer},
		{"HEAD", "/nowhere", 404, "no-store", ownReferrer},
		{"GET", "/vc-admin/user/detail", 200, "no-store", ownReferrer},
		{"GET", "/vc-admin/org/customer/cards", 401, "no-store", ownReferrer},
		{"GET", "/vc-admin/auth/logout", 303, "no-store", ownReferrer},
		{"GET", "/vc-admin/auth/verify?token=x", 303, "no-store", noReferrer},
		{"GET", "/vc-admin/auth/confirm?token=x", 200, "no-cache", noReferrer},
		{"GET", "/vc-admin/auth/reset?token=x", 200, "no-cache", noReferrer},
		{"POST", "/auth/login", 403, "no-store", ownReferrer},
		{"GET", "/auth/login", 405, "no-store", ownReferrer},
		{"TRACE", "/auth/login", 405, "no-store", ownReferrer},
		{"POST", "/vc-admin/webhooks/stripe", 403, "no-store", ownReferrer},
		{"GET", "/healthz", 200, "no-store", ownReferrer},
		{"GET", "/readyz", 200, "no-store", ownReferrer},
		{"GET", "/dev/payments/nowhere", 404, "no-store", ownReferrer},
		{"POST", "/vc-admin/webhooks/stripe?panic", 500, "no-store", ownReferrer},
	}
	h := newHouseAt(t, httpapi.Site{Payments: fakePage, PublicURL: "https://diy.example"})
	receive := h.useCases.ReceiveEvent
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			h.useCases.ReceiveEvent = receive
			if strings.HasSuffix(tt.path, "?panic") {
				h.useCases.ReceiveEvent = nil
			}
			w := httptest.NewRecorder()
			h.server.Config.Handler.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, http.NoBody))
			assert.Equal(t, tt.status, w.Code)
			assert.Equal(t, tt.caching, w.Header().Get("Cache-Control"))
			assert.Equal(t, tt.referer, w.Header().Get("Referrer-Policy"))
			assert.Len(t, w.Header().Get("X-Request-Id"), 26)
			assert.Empty(t, w.Header().Get("Cross-Origin-Embedder-Policy"), "it would block the card field's frames")
			for name, want := range everyAnswer {
				assert.Equal(t, []string{want}, w.Header().Values(name), name)
			}
		})
	}
}

// The webhook has a limit of its own: TestWebhook_AcceptsEventsUpTo512KiB.
func TestNoRouteReadsMoreThanABodysWorth(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	body := `{"username": "` + strings.Repeat("x", 64<<10) + `"}`
	for _, path := range []string{
		"/auth/login", "/vc-admin/signup", "/vc-admin/user-diy/new-user", "/vc-admin/auth/verify/resend",
		"/vc-admin/auth/verify/show", "/vc-admin/auth/verify/confirm", "/vc-admin/auth/verify/reject",
		"/vc-admin/auth/password/forgot", "/vc-admin/auth/password/reset",
		"/vc-admin/user-diy/subscribe", "/vc-admin/org/customer", "/vc-admin/org/customer/edit",
		"/vc-admin/org/customer/cards/add", "/vc-admin/org/customer/cards/del",
		"/vc-admin/org/subscription/list", "/vc-admin/org/subscription/update",
	} {
		r := b.request(http.MethodPost, path, body)
		r.ContentLength = -1 // and the length is not told
		b.send(r).refused(http.StatusRequestEntityTooLarge, "ERRTOOLARGE")
	}
}
