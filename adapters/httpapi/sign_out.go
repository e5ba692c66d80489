package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/domain/fault"
)

// signOut is a GET because the specification links to it, so it refuses requests that another
// origin caused, one on another subdomain of the same site included. Clients that send no
// Sec-Fetch-Site header are accepted: browsers leave it out on plain http.
func (a *api) signOut(w http.ResponseWriter, r *http.Request) error {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" && from != "none" {
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
