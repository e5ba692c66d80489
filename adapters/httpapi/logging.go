package httpapi

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/vc-admin/diy/domain/fault"
)

type requestIDKey struct{}

// requestID names every request, so that all that is logged about it can be found together. What
// a client calls it is not believed.
func requestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rand.Text()
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

func requestIDOf(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// routeOf is the route's pattern: it names no organisation and holds no query.
func routeOf(r *http.Request) string {
	if pattern := chi.RouteContext(r.Context()).RoutePattern(); pattern != "" {
		return pattern
	}
	return "none"
}

// logRequests writes one line for each request: no body, no query, no header, nobody's name.
func logRequests(log *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			began := time.Now() //nolint:forbidigo // how long it took is a matter of the real clock
			ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			next.ServeHTTP(ww, r)
			took := time.Since(began) //nolint:forbidigo // as above
			log.InfoContext(r.Context(), "request", "request", requestIDOf(r.Context()), "method", r.Method,
				"route", routeOf(r), "status", ww.Status(), "bytes", ww.BytesWritten(), "ms", took.Milliseconds())
		})
	}
}

// recoverer answers for a handler that panicked; the panic's text is for the log only.
func (a *api) recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				a.fail(w, r, fault.Newf(fault.Internal, "panic: %v", p))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
