package devclock

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// ServeHTTP responds with the time, {"now": "2026-03-01T12:00:00Z"}. A POST of {"advance": "192h"} first moves the clock.
// If the move fails, the response is 400. A POST without the header X-Requested-With: XMLHttpRequest is refused with 403,
// because pages of other sites can't send the header.
func (c *Clock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := c.Now()
	if r.Method == http.MethodPost {
		if r.Header.Get("X-Requested-With") != "XMLHttpRequest" {
			http.Error(w, "The header X-Requested-With: XMLHttpRequest is missing.", http.StatusForbidden)
			return
		}
		var err error
		if now, err = c.advanceFromBody(r); err != nil {
			http.Error(w, fault.MessageOf(err), http.StatusBadRequest)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = fmt.Fprintf(w, "{\"now\":%q}\n", now.Format(time.RFC3339Nano)) // the client may have disconnected
}

// advanceFromBody moves the clock by the step in the body and returns the new time.
func (c *Clock) advanceFromBody(r *http.Request) (time.Time, error) {
	var body struct {
		Advance string `json:"advance"`
	}
	err := json.NewDecoder(r.Body).Decode(&body)
	step, parseErr := time.ParseDuration(body.Advance)
	if err != nil || parseErr != nil {
		return time.Time{}, fault.New(fault.Invalid, `the body must be {"advance": "192h"}`)
	}
	return c.Advance(step)
}
