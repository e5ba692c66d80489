package stripeserver

import (
	"net/http"
	"strings"
	"sync"
)

// Failure is a way in which a request fails.
type Failure string

// Failures that can be injected.
const (
	RateLimited     Failure = "429"     // the request is refused and has no effect
	LockTimeout     Failure = "lock"    // the request is refused and has no effect, because another one uses the object
	ServerError     Failure = "500"     // with AfterEffect the key replays the 500
	ConnectionReset Failure = "reset"   // the connection breaks before the response
	NoResponse      Failure = "timeout" // no response is sent until the client gives up
	InProgress      Failure = "held"    // the request keeps its key in use until Fault.Release is closed
)

// Fault makes one request fail.
type Fault struct {
	Failure     Failure
	AfterEffect bool            // the request has its effect, and its response is stored under the key
	Route       string          // the beginning of method and path, such as "POST /v1/subscriptions"; "" matches every request
	Release     <-chan struct{} // lets an InProgress request continue when it is closed
	Started     chan<- struct{} // is closed when the request is InProgress
}

// faultQueue holds the faults that have not been injected yet, in order.
type faultQueue struct {
	mu     sync.Mutex
	faults []Fault
}

// InjectFault makes the next request that matches the fault's route fail, once.
func (s *Server) InjectFault(f Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.faults = append(s.faults.faults, f)
}

// next removes and returns the first fault that matches the request, or returns the zero Fault.
func (q *faultQueue) next(r *http.Request) Fault {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, f := range q.faults {
		if strings.HasPrefix(r.Method+" "+r.URL.Path, f.Route) {
			q.faults = append(q.faults[:i:i], q.faults[i+1:]...)
			return f
		}
	}
	return Fault{}
}

// failsBeforeEffect reports whether the fault fails a request before its effect.
func (f Fault) failsBeforeEffect() bool {
	switch f.Failure {
	case "", InProgress:
		return false
	case RateLimited, LockTimeout:
		return true
	}
	return !f.AfterEffect
}

// failBefore fails the request if the fault does so before the effect, and reports whether it has done so.
func (f Fault) failBefore(w http.ResponseWriter, r *http.Request) bool {
	if !f.failsBeforeEffect() {
		return false
	}
	f.abort(r)
	if f.Failure == LockTimeout {
		w.Header().Set("Stripe-Should-Retry", "true")
	}
	f.response().write(w)
	return true
}

// waitForRelease blocks an InProgress request, whose key is in use, before its effect.
func (f Fault) waitForRelease() {
	if f.Failure == InProgress {
		close(f.Started)
		<-f.Release
	}
}

// replaceResponse returns the response that is stored under the key: that of a ServerError, or else res.
func (f Fault) replaceResponse(res response) response {
	if f.Failure == ServerError {
		return f.response()
	}
	return res
}

// abort ends the request without a response if the failure is NoResponse or ConnectionReset.
func (f Fault) abort(r *http.Request) {
	switch f.Failure {
	case NoResponse:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case ConnectionReset:
		panic(http.ErrAbortHandler)
	}
}

// response returns the error response of the failure.
func (f Fault) response() response {
	e := &apiError{status: http.StatusInternalServerError, kind: "api_error", text: "An unknown error occurred"}
	switch f.Failure {
	case RateLimited:
		e = invalidRequest("rate_limit", "", "Request rate limit exceeded.")
		e.status = http.StatusTooManyRequests
	case LockTimeout:
		e = invalidRequest("lock_timeout", "",
			"This object cannot be accessed right now because another API request or Stripe process is currently accessing it.")
		e.status = http.StatusTooManyRequests
	}
	return errorResponse(e)
}

// handleFault serves POST /local/faults with failure=429|lock|500|reset|timeout, after=true and route=POST /v1/….
func (s *Server) handleFault(w http.ResponseWriter, r *http.Request) {
	f := Fault{Failure: Failure(r.FormValue("failure")), AfterEffect: r.FormValue("after") == "true",
		Route: r.FormValue("route")}
	switch f.Failure {
	case RateLimited, LockTimeout, ServerError, ConnectionReset, NoResponse:
		s.InjectFault(f)
		response{Status: http.StatusOK, Body: object{}}.write(w)
	default:
		errorResponse(invalidRequest("", "failure", "There is no such failure.")).write(w)
	}
}
