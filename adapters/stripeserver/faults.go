package stripeserver

import (
	"net/http"
	"strings"
	"sync"
)

// FaultKind determines how a request fails.
type FaultKind string

// Kinds of faults that can be injected.
const (
	RateLimit       FaultKind = "429"     // the request is refused and has no effect
	LockTimeout     FaultKind = "lock"    // the request is refused and has no effect, because another one uses the object
	ServerError     FaultKind = "500"     // with FailAfterEffect, a retry with the same key gets the stored 500
	ConnectionReset FaultKind = "reset"   // the connection breaks before the response
	NoResponse      FaultKind = "timeout" // the server sends no response; the request ends when the client disconnects
	KeyInUse        FaultKind = "held"    // the request keeps its key in use until Fault.Release is closed
)

// Fault makes one request fail.
type Fault struct {
	Kind            FaultKind
	FailAfterEffect bool            // the request has its effect, and its response is stored under the key
	Route           string          // the beginning of method and path, such as "POST /v1/subscriptions"; "" matches all
	Release         <-chan struct{} // lets a request with KeyInUse continue when it is closed
	Started         chan<- struct{} // is closed when a request with KeyInUse has started
}

// faultQueue holds the faults that have not been injected yet, in order.
type faultQueue struct {
	mu    sync.Mutex
	queue []Fault
}

// InjectFault makes the next request that matches the fault's route fail, once.
func (s *Server) InjectFault(f Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.queue = append(s.faults.queue, f)
}

// takeMatching removes and returns the first fault that matches the request, or returns the zero Fault.
func (q *faultQueue) takeMatching(r *http.Request) Fault {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, f := range q.queue {
		if strings.HasPrefix(r.Method+" "+r.URL.Path, f.Route) {
			q.queue = append(q.queue[:i:i], q.queue[i+1:]...)
			return f
		}
	}
	return Fault{}
}

// preventsEffect reports whether a request with the fault fails before it has an effect.
func (f Fault) preventsEffect() bool {
	switch f.Kind {
	case "", KeyInUse:
		return false
	case RateLimit, LockTimeout:
		return true
	}
	return !f.FailAfterEffect
}

// writeEarlyFailure writes the error response, or aborts the request, if the fault prevents the effect. It reports
// whether the request has failed.
func (f Fault) writeEarlyFailure(w http.ResponseWriter, r *http.Request) bool {
	if !f.preventsEffect() {
		return false
	}
	f.abort(r)
	if f.Kind == LockTimeout {
		w.Header().Set("Stripe-Should-Retry", "true")
	}
	f.errorResponse().write(w)
	return true
}

// waitForRelease blocks a request with KeyInUse, before its effect, until Release is closed.
func (f Fault) waitForRelease() {
	if f.Kind == KeyInUse {
		close(f.Started)
		<-f.Release
	}
}

// storedResponse returns the response to store under the idempotency key. It is the 500 for a ServerError, and
// otherwise res.
func (f Fault) storedResponse(res response) response {
	if f.Kind == ServerError {
		return f.errorResponse()
	}
	return res
}

// abort ends the request without a response if the fault is a NoResponse or a ConnectionReset.
func (f Fault) abort(r *http.Request) {
	switch f.Kind {
	case NoResponse:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case ConnectionReset:
		panic(http.ErrAbortHandler)
	}
}

// errorResponse returns the error response for the kind of the fault.
func (f Fault) errorResponse() response {
	e := &apiError{status: http.StatusInternalServerError, errorType: "api_error", message: "An unknown error occurred"}
	switch f.Kind {
	case RateLimit:
		e = invalidRequestError("rate_limit", "", "Request rate limit exceeded.")
		e.status = http.StatusTooManyRequests
	case LockTimeout:
		e = invalidRequestError("lock_timeout", "",
			"This object cannot be accessed right now because another API request or Stripe process is currently accessing it.")
		e.status = http.StatusTooManyRequests
	}
	return errorResponse(e)
}

// handleFault serves POST /local/faults. The parameters are failure=429|lock|500|reset|timeout, after=true, which sets
// FailAfterEffect, and route, such as POST /v1/customers.
func (s *Server) handleFault(w http.ResponseWriter, r *http.Request) {
	f := Fault{Kind: FaultKind(r.FormValue("failure")), FailAfterEffect: r.FormValue("after") == "true",
		Route: r.FormValue("route")}
	switch f.Kind {
	case RateLimit, LockTimeout, ServerError, ConnectionReset, NoResponse:
		s.InjectFault(f)
		response{Status: http.StatusOK, Body: object{}}.write(w)
	default:
		errorResponse(invalidRequestError("", "failure", "failure must be 429, lock, 500, reset or timeout")).write(w)
	}
}
