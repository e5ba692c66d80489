package stripeserver

import (
	"crypto/rand"
	"net/http"
)

// bodyLimit is as much as anybody has to say here.
const bodyLimit = 1 << 20

// ServeHTTP answers one request.
func (f *Face) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Request-Id", "req_"+rand.Text()[:14])
	w.Header().Set("Stripe-Version", Version)
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Expose-Headers", "Request-Id")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
		w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Stripe-Version")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, bodyLimit)
	f.routes.ServeHTTP(w, r)
}

// endpoint is one of the API's.
type endpoint struct {
	params  string // the parameters it knows, by their first name
	kind    string // of the object it answers with, or of each in the list
	list    bool
	browser bool // a publishable key will do
	do      func(*call) (show, error)
}

// show makes the answer, once the effect is there.
type show func(view) (object, error)

// handler puts an endpoint behind everything that all of them have.
func (f *Face) handler(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := f.admit(r, e)
		if err != nil {
			refusal(err).write(w)
			return
		}
		struck := f.faults.take(r)
		if struck.before(w, r) {
			return
		}
		a, replayed := f.keys.once(c, func() answer {
			struck.hold()
			return struck.distort(f.carryOut(c))
		})
		if replayed {
			w.Header().Set("Idempotent-Replayed", "true")
		}
		struck.after(r)
		a.write(w)
	})
}

// admit refuses what never gets as far as being carried out. Its key stays free.
func (f *Face) admit(r *http.Request, e endpoint) (*call, error) {
	c := &call{Face: f, r: r, endpoint: e}
	for _, check := range []func() error{c.readForm, c.authenticate, c.checkVersion, c.checkParams, c.checkExpand, c.checkKey} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// carryOut does what is asked, one request after the other, and to its end even when whoever
// asked has gone.
func (f *Face) carryOut(c *call) answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	made, err := c.do(c)
	if err != nil {
		return refusal(err)
	}
	out, err := c.look(made)
	if err != nil {
		return refusal(err)
	}
	return answer{Status: http.StatusOK, Body: out}
}
