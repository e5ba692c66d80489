package stripeserver

import (
	"context"
	"net/http"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// What follows is not Stripe's: what its script and its banks do between them, and how tests
// from outside have faults strike.

// authenticateHolder ends the authentication of a card's holder: outcome=complete or fail.
func (f *Face) authenticateHolder(w http.ResponseWriter, r *http.Request) {
	outcome := fakepayment.Outcome(r.FormValue("outcome"))
	if outcome != fakepayment.Complete && outcome != fakepayment.Fail {
		refusal(invalidRequest("", "outcome", "outcome must be complete or fail")).write(w)
		return
	}
	after, err := f.provider.Confirm(context.WithoutCancel(r.Context()), fakepayment.Confirmation{
		ClientSecret: r.PathValue("secret"), Outcome: outcome,
	})
	if err != nil {
		refusal(err).write(w)
		return
	}
	answer{Status: http.StatusOK, Body: object{"id": after.ID, "status": string(after.Status)}}.write(w)
}

// addFault has a fault strike: failure=429|409|500|reset|timeout, after=true, route=POST /v1/….
func (f *Face) addFault(w http.ResponseWriter, r *http.Request) {
	next := Fault{Failure: Failure(r.FormValue("failure")), After: r.FormValue("after") == "true", Route: r.FormValue("route")}
	switch next.Failure {
	case TooMany, Locked, Broken, Reset, Unanswers:
		f.Fail(next)
		answer{Status: http.StatusOK, Body: object{}}.write(w)
	default:
		refusal(invalidRequest("", "failure", "There is no such failure.")).write(w)
	}
}
