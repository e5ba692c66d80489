package stripeserver

import (
	"net/http"
	"strings"
	"sync"
)

// Failure is a way in which Stripe does not answer as one hopes.
type Failure string

// The failures.
const (
	TooMany   Failure = "429"     // refused before anything happens
	Locked    Failure = "409"     // refused before anything happens: somebody else is at the object
	Broken    Failure = "500"     // with After it has happened all the same, and the key repeats the 500
	Reset     Failure = "reset"   // the connection breaks
	Unanswers Failure = "timeout" // no answer, until whoever asked gives up
	Held      Failure = "held"    // in progress, its key in use, until Fault.Until is closed
)

// Fault strikes one request.
type Fault struct {
	Failure Failure
	After   bool            // after the effect, with its answer kept under the key; else nothing happens
	Route   string          // how the struck request begins, such as "POST /v1/subscriptions"; "" is any
	Until   <-chan struct{} // ends a request that is Held
	Started chan<- struct{} // closed when a request is Held
}

// faults are those still to strike, in order.
type faults struct {
	mu   sync.Mutex
	left []Fault
}

// Fail has the next request of the fault's route struck by it, once.
func (f *Face) Fail(next Fault) {
	f.faults.mu.Lock()
	defer f.faults.mu.Unlock()
	f.faults.left = append(f.faults.left, next)
}

// take is the fault that strikes the request, or none.
func (f *faults) take(r *http.Request) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, each := range f.left {
		if strings.HasPrefix(r.Method+" "+r.URL.Path, each.Route) {
			f.left = append(f.left[:i:i], f.left[i+1:]...)
			return each
		}
	}
	return Fault{}
}

// before strikes before the effect, and reports whether that was all of the request.
func (f Fault) before(w http.ResponseWriter, r *http.Request) bool {
	if f.Failure == "" || f.Failure == Held || f.After && f.Failure != TooMany && f.Failure != Locked {
		return false
	}
	f.cut(r)
	f.answer().write(w)
	return true
}

// hold keeps the request waiting, after it has taken its key and before its effect. Its client may
// leave meanwhile: the request is carried out all the same.
func (f Fault) hold() {
	if f.Failure == Held {
		close(f.Started)
		<-f.Until
	}
}

// distort strikes between the effect and what is kept of its answer.
func (f Fault) distort(a answer) answer {
	if f.Failure == Broken {
		return f.answer()
	}
	return a
}

// after strikes when everything is done and kept, and only the answer is still to be sent.
func (f Fault) after(r *http.Request) { f.cut(r) }

// cut ends the request without an answer, if that is what the fault does.
func (f Fault) cut(r *http.Request) {
	switch f.Failure {
	case Unanswers:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case Reset:
		panic(http.ErrAbortHandler)
	}
}

func (f Fault) answer() answer {
	e := &apiError{status: http.StatusInternalServerError, kind: "api_error", text: "An unknown error occurred"}
	switch f.Failure {
	case TooMany:
		e = invalidRequest("rate_limit", "", "Request rate limit exceeded.")
		e.status = http.StatusTooManyRequests
	case Locked:
		e = invalidRequest("lock_timeout", "", "This object cannot be accessed right now because another API request or Stripe process is currently accessing it.")
		e.status = http.StatusConflict
	}
	return refusal(e)
}
