package httpapi

import (
	"mime"
	"net/http"
)

// The largest request bodies that are read, in bytes. An event of a payment provider carries a whole
// object, such as an invoice with all of its lines, so it may be larger than what a browser sends.
const (
	maxBody      = 64 << 10
	maxEventBody = 512 << 10
)

// guard lets unsafe requests through only when a page of ours made them: same origin, the marker
// header, the visitor's XSRF token, and JSON, which no form of another site can send.
func (a *api) guard(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			next.ServeHTTP(w, r)
			return nil
		}
		if origin.Check(r) != nil || r.Header.Get("X-Requested-With") != "XMLHttpRequest" || a.XSRF.Check(r) != nil {
			a.XSRF.Ensure(w, r) // so that a page whose session has ended can try again
			return errXSRF
		}
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			return errMediaType
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// limitBody makes reading more than that many bytes of a request's body fail with 413.
func limitBody(bytes int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, bytes)
			next.ServeHTTP(w, r)
		})
	}
}
