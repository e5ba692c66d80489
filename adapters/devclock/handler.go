package devclock

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// ServeHTTP tells the time, {"now": "2026-03-01T12:00:00Z"}. A POST of {"advance": "192h"} moves the
// clock first; 400 when it can't be moved so.
func (c *Clock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := c.Now()
	if r.Method == http.MethodPost {
		moved, err := c.advanceAsAsked(r)
		if err != nil {
			http.Error(w, fault.MessageOf(err), http.StatusBadRequest)
			return
		}
		now = moved
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = fmt.Fprintf(w, "{\"now\":%q}\n", now.Format(time.RFC3339Nano)) // nobody to tell when the visitor has gone
}

func (c *Clock) advanceAsAsked(r *http.Request) (time.Time, error) {
	var in struct {
		Advance string `json:"advance"`
	}
	err := json.NewDecoder(r.Body).Decode(&in)
	step, parseErr := time.ParseDuration(in.Advance)
	if err != nil || parseErr != nil {
		return time.Time{}, fault.New(fault.Invalid, `the body must be {"advance": "192h"}`)
	}
	return c.Advance(step)
}
