package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/domain/fault"
)

// alive answers while the process runs.
func (a *api) alive(w http.ResponseWriter, _ *http.Request) error {
	return reply(w, http.StatusOK, done{})
}

// ready answers when requests can be served: the database is there and migrated.
func (a *api) ready(w http.ResponseWriter, r *http.Request) error {
	if err := a.Ready(r); err != nil {
		return fault.Wrap(err, fault.Unavailable, "Not ready yet.")
	}
	return reply(w, http.StatusOK, done{})
}
