package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/domain/fault"
)

// signOut is a GET, because the specification links to it; so another site must not be able to
// send people here.
func (a *api) signOut(w http.ResponseWriter, r *http.Request) error {
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		return fault.New(fault.Forbidden, "Please sign out from within the area.")
	}
	if err := a.UseCases.SignOut.Do(r.Context()); err != nil {
		return err
	}
	if r.Header.Get("X-Requested-With") == "XMLHttpRequest" {
		return reply(w, http.StatusOK, done{})
	}
	http.Redirect(w, r, "/vc-admin/dash", http.StatusSeeOther)
	return nil
}
