package httpapi

import (
	"cmp"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/trace"
)

// Answer is what an observer learns of a request that was answered. Method and Route take few
// values, however odd the requests are.
type Answer struct {
	Method string // "other" for one that HTTP does not name
	Route  string // the route's pattern, "none" for what led nowhere
	Status int
	Took   time.Duration
}

var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodConnect, http.MethodOptions, http.MethodTrace,
}

func methodOf(r *http.Request) string {
	if slices.Contains(methods, r.Method) {
		return r.Method
	}
	return "other"
}

// requestID names every request, so that all that is logged about it, down to what the payment
// provider answered, can be found together. What a client calls it is not believed: the answer
// tells whoever wants to know.
func requestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := trace.NewID()
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(trace.With(r.Context(), id)))
	})
}

// routeOf is the route's pattern: it names no organisation and holds no query.
func routeOf(r *http.Request) string {
	if pattern := chi.RouteContext(r.Context()).RoutePattern(); pattern != "" {
		return pattern
	}
	return "none"
}

// watch tells the log and the observer of each answer: no body, no query, no header, nobody's name.
func (a *api) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now() //nolint:forbidigo // how long it took is a matter of the real clock
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r)
		took := time.Since(began) //nolint:forbidigo // as above
		answer := Answer{
			Method: methodOf(r), Route: routeOf(r), Status: cmp.Or(ww.Status(), http.StatusOK), Took: took,
		}
		a.Observe(answer)
		a.Log.InfoContext(r.Context(), "request", "method", answer.Method, "route", answer.Route,
			"status", answer.Status, "bytes", ww.BytesWritten(), "ms", took.Milliseconds())
	})
}

// recoverer answers for a handler that panicked; the panic's text is for the log only.
func (a *api) recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				a.Log.ErrorContext(r.Context(), "panic", "stack", string(debug.Stack()))
				a.fail(w, r, fault.Newf(fault.Internal, "panic: %v", p))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
