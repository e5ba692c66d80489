package httpapi

import (
	"cmp"
	"log/slog"
	"mime"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/trace"
)

// The largest request bodies, in bytes. A webhook event may be larger than the request of a browser, because it
// contains a whole object, such as an invoice with all its lines.
const (
	maxBodyBytes      = 64 << 10
	maxEventBodyBytes = 512 << 10
)

// handler returns a handler that calls fn and converts its error to a response.
func (a *api) handler(fn func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := fn(w, r); err != nil {
			a.logAndWriteError(w, r, err)
		}
	}
}

// userHandler is a handler that requires a signed-in user.
type userHandler func(http.ResponseWriter, *http.Request, identity.Identity) error

// organisationHeader contains the organisation that a page shows.
const organisationHeader = "X-Organisation-Id"

// requireUser returns a handler that calls next with the signed-in user. It refuses requests of visitors. It also refuses
// requests of a page that shows another organisation than the session's, because the user may have switched organisations
// in another tab. The header never selects the organisation.
func (a *api) requireUser(next userHandler) http.HandlerFunc {
	return a.requireSession(func(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
		if id := r.Header.Get(organisationHeader); id != "" && id != caller.OrganisationID {
			org, err := a.UseCases.ShowOrganisation.Do(r.Context(), caller, caller.OrganisationID)
			if err != nil {
				return err
			}
			return otherOrganisationError(org)
		}
		return next(w, r, caller)
	})
}

// requireSession returns a handler that calls next with the signed-in user in any organisation, and refuses requests of
// visitors. The user is the actor of entries of the audit log.
func (a *api) requireSession(next userHandler) http.HandlerFunc {
	return a.handler(func(w http.ResponseWriter, r *http.Request) error {
		caller, ok := a.Sessions.Current(r.Context())
		if !ok {
			return fault.New(fault.Unauthenticated, "Please sign in first.")
		}
		return next(w, r.WithContext(audit.WithActor(r.Context(), caller.Actor())), caller)
	})
}

// Response describes a response for metrics. Method and Route have few values, even if clients send arbitrary requests.
type Response struct {
	Method   string // "other" for a method that HTTP does not define
	Route    string // the route's pattern, "none" if none matched
	Status   int
	Duration time.Duration
}

// httpMethods are the methods that HTTP defines.
var httpMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodConnect, http.MethodOptions, http.MethodTrace,
}

// methodLabel returns the request's method, or "other" for a method that HTTP does not define.
func methodLabel(r *http.Request) string {
	if slices.Contains(httpMethods, r.Method) {
		return r.Method
	}
	return "other"
}

// routePattern returns the pattern of the request's route, without IDs and query, or "none" if no route matched.
func routePattern(r *http.Request) string {
	return cmp.Or(chi.RouteContext(r.Context()).RoutePattern(), "none")
}

// allowedMethods returns the methods that a path supports, for the Allow header.
func allowedMethods(routes chi.Routes, path string) string {
	var methods []string
	for _, method := range httpMethods {
		routeMethod := method
		if method == http.MethodHead { // the routes of GET also serve HEAD
			routeMethod = http.MethodGet
		}
		if routes.Match(chi.NewRouteContext(), routeMethod, path) {
			methods = append(methods, method)
		}
	}
	return strings.Join(methods, ", ")
}

// withRequestContext adds a new trace ID and the client's address to the context, and sends the trace ID in X-Request-Id.
// It ignores the client's own X-Request-Id.
func (a *api) withRequestContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := trace.NewID()
		w.Header().Set("X-Request-Id", id)
		ctx := withClientAddress(trace.WithID(r.Context(), id), resolveClientAddress(r, a.TrustedProxies))
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// logResponses logs and observes every response, without bodies, queries, headers or names of users.
func (a *api) logResponses(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now() //nolint:forbidigo // durations are real time
		recorder := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(recorder, r)
		elapsed := time.Since(start) //nolint:forbidigo // durations are real time
		response := Response{
			Method: methodLabel(r), Route: routePattern(r), Status: cmp.Or(recorder.Status(), http.StatusOK), Duration: elapsed,
		}
		a.ObserveResponse(response)
		a.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
			slog.String("method", response.Method), slog.String("route", response.Route), slog.Int("status", response.Status),
			slog.Int("bytes", recorder.BytesWritten()), slog.Int64("ms", elapsed.Milliseconds()))
	})
}

// recoverPanics responds with an internal error when a handler panics, and logs the stack.
func (a *api) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				a.Log.ErrorContext(r.Context(), "panic", "stack", string(debug.Stack()))
				a.logAndWriteError(w, r, fault.Newf(fault.Internal, "panic: %v", p))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// protectFromXSRF accepts unsafe requests only if they are same-origin and have the X-Requested-With
// header, the XSRF token and the JSON media type. A form of another site can send none of these. Every response
// sets a token if the browser has no valid one.
func (a *api) protectFromXSRF(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	return a.handler(func(w http.ResponseWriter, r *http.Request) error {
		a.XSRF.EnsureToken(w, r) // also before an error response, so that a page whose session has ended can retry with the new token
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			next.ServeHTTP(w, r)
			return nil
		}
		if origin.Check(r) != nil || r.Header.Get("X-Requested-With") != "XMLHttpRequest" || a.XSRF.Check(r) != nil {
			return errXSRF
		}
		if mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mediaType != "application/json" {
			return errMediaType
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// limitBody returns middleware that makes reads beyond maxBytes of the body fail with http.MaxBytesError.
func limitBody(maxBytes int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, maxBytes)
			next.ServeHTTP(w, r)
		})
	}
}
