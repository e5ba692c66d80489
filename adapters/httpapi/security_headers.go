package httpapi

import (
	"net/http"
	"strings"

	"github.com/vc-admin/diy/ports/payment/plugin"
)

const ownPolicy = "default-src 'none'; script-src 'self'%s; %sconnect-src 'self'%s; img-src 'self' data:; " +
	"style-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
	"object-src 'none'; frame-ancestors 'none'"

// closedFeatures are what no page of ours uses, and no frame in it. Browsers complain on the console
// about a feature that they don't know on their system, which is why bluetooth is not among them.
var closedFeatures = []string{
	"accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation", "gyroscope",
	"hid", "idle-detection", "magnetometer", "microphone", "midi", "picture-in-picture", "screen-wake-lock",
	"serial", "usb", "xr-spatial-tracking",
}

// securityHeaders puts on every answer what browsers need to know to keep its readers safe. No
// cache keeps an answer that doesn't say otherwise itself.
func securityHeaders(site Site) func(http.Handler) http.Handler {
	headers := map[string]string{
		"Content-Security-Policy":      contentPolicy(site.Payments),
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
		"Referrer-Policy":              "strict-origin-when-cross-origin",
		"Cross-Origin-Opener-Policy":   "same-origin-allow-popups",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           permissions(site.Payments),
		"Cache-Control":                "no-store",
	}
	if strings.HasPrefix(site.PublicURL, "https://") {
		headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for name, value := range headers {
				w.Header().Set(name, value)
			}
			next.ServeHTTP(w, r)
		})
	}
}

func contentPolicy(p plugin.Web) string {
	frames := ""
	if len(p.FrameOrigins) > 0 {
		frames = "frame-src" + listed(p.FrameOrigins) + "; "
	}
	return fill(ownPolicy, listed(p.ScriptOrigins), frames, listed(p.ConnectOrigins))
}

func permissions(p plugin.Web) string {
	asking := []string{"self"}
	for _, host := range p.PaymentSheetOrigins {
		asking = append(asking, `"`+host+`"`)
	}
	return strings.Join(closedFeatures, "=(), ") + "=(), payment=(" + strings.Join(asking, " ") + ")"
}

// listed is the hosts with a space before each.
func listed(hosts []string) string {
	var out strings.Builder
	for _, host := range hosts {
		out.WriteString(" " + host)
	}
	return out.String()
}

// fill puts the parts into the blanks of the text, in order.
func fill(text string, parts ...string) string {
	for _, part := range parts {
		text = strings.Replace(text, "%s", part, 1)
	}
	return text
}
