package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/vc-admin/diy/ports/payment/plugin"
)

const contentSecurityPolicyTemplate = "default-src 'none'; script-src 'self'%s; " +
	"%sconnect-src 'self'%s; img-src 'self' data:; " +
	"style-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
	"object-src 'none'; frame-ancestors 'none'"

// disabledFeatures are features that no page and no frame uses. Bluetooth is not listed, because browsers on systems
// without Bluetooth would log a warning.
var disabledFeatures = []string{
	"accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation", "gyroscope",
	"hid", "idle-detection", "magnetometer", "microphone", "midi", "picture-in-picture", "screen-wake-lock",
	"serial", "usb", "xr-spatial-tracking",
}

// setSecurityHeaders sets the security headers of every response, and Cache-Control: no-store unless the
// handler sets another value.
func setSecurityHeaders(site Site) func(http.Handler) http.Handler {
	headers := http.Header{
		"Content-Security-Policy":      {contentSecurityPolicy(site.Payments)},
		"X-Content-Type-Options":       {"nosniff"},
		"X-Frame-Options":              {"DENY"},
		"Referrer-Policy":              {"strict-origin-when-cross-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin-allow-popups"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Permissions-Policy":           {permissionsPolicy(site.Payments)},
		"Cache-Control":                {"no-store"},
	}
	if strings.HasPrefix(site.PublicURL, "https://") {
		headers.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			maps.Copy(w.Header(), headers)
			next.ServeHTTP(w, r)
		})
	}
}

func contentSecurityPolicy(p plugin.WebConfig) string {
	frameDirective := ""
	if len(p.FrameOrigins) > 0 {
		frameDirective = "frame-src" + joinOrigins(p.FrameOrigins) + "; "
	}
	return fmt.Sprintf(contentSecurityPolicyTemplate, joinOrigins(p.ScriptOrigins), frameDirective, joinOrigins(p.ConnectOrigins))
}

func permissionsPolicy(p plugin.WebConfig) string {
	paymentOrigins := []string{"self"}
	for _, origin := range p.PaymentSheetOrigins {
		paymentOrigins = append(paymentOrigins, `"`+origin+`"`)
	}
	return strings.Join(disabledFeatures, "=(), ") + "=(), payment=(" + strings.Join(paymentOrigins, " ") + ")"
}

// joinOrigins joins the origins, each with a space before it.
func joinOrigins(origins []string) string {
	var b strings.Builder
	for _, origin := range origins {
		b.WriteString(" " + origin)
	}
	return b.String()
}
