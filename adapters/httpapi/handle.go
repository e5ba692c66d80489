package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// handle makes a handler of a function that may fail; failures are written in one place.
func (a *api) handle(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(w, r); err != nil {
			a.fail(w, r, err)
		}
	}
}

// identified is handle for what only signed-in people may ask.
func (a *api) identified(do func(http.ResponseWriter, *http.Request, identity.Identity) error) http.HandlerFunc {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		who, ok := a.Sessions.Current(r.Context())
		if !ok {
			return fault.New(fault.Unauthenticated, "Please sign in first.")
		}
		return do(w, r, who)
	})
}

// allowed lists the methods that the address answers.
func allowed(routes chi.Routes, address string) string {
	var list []string
	for _, method := range methods {
		as := method
		if method == http.MethodHead {
			as = http.MethodGet // whose answer it is, without the body
		}
		if routes.Match(chi.NewRouteContext(), as, address) {
			list = append(list, method)
		}
	}
	return strings.Join(list, ", ")
}

// reply writes an answer as JSON.
func reply(w http.ResponseWriter, status int, answer any) error {
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the visitor may be gone; there is nobody to tell
	return nil
}

// done is the answer when there is nothing to tell.
type done struct{}
