package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// countersPatience is how long a request waits for the counters.
const countersPatience = 5 * time.Second

// limited does something unless one of its limits is used up. Where the counters can't be reached
// it does nothing either: whatever is limited needs the same database, so that nothing is lost by
// keeping the door shut, and everything that is not limited goes on.
func (a *api) limited(r *http.Request, uses []use, do func() error) error {
	if a.Limits == nil {
		return do()
	}
	ctx, cancel := context.WithTimeout(r.Context(), countersPatience)
	defer cancel()
	wait, err := a.Limits.Take(ctx, a.Clock.Now(), mapEach(uses, use.try)...)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "Please try again later!")
	}
	if wait > 0 {
		a.Log.WarnContext(r.Context(), "limit reached", "route", routeOf(r), "address", networkOf(r))
		return errRate(wait)
	}
	err = do()
	a.spare(r, uses, err)
	return err
}

// limitedBy is limited for a handler that signed-in people ask.
func (a *api) limitedBy(
	uses func(*http.Request, identity.Identity) []use, do func(http.ResponseWriter, *http.Request, identity.Identity) error,
) func(http.ResponseWriter, *http.Request, identity.Identity) error {
	return func(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
		return a.limited(r, uses(r, who), func() error { return do(w, r, who) })
	}
}

// spare gives back what does not count after this outcome, also when the visitor has gone
// meanwhile. When that fails, the try counts: it comes back by itself.
func (a *api) spare(r *http.Request, uses []use, outcome error) {
	var spared []ratelimit.Try
	for _, u := range uses {
		if u.spares != nil && u.spares(outcome) {
			spared = append(spared, u.try())
		}
	}
	if len(spared) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), countersPatience)
	defer cancel()
	if err := a.Limits.GiveBack(ctx, a.Clock.Now(), spared...); err != nil {
		a.Log.WarnContext(ctx, "a try that did not count could not be given back", "error", err)
	}
}
