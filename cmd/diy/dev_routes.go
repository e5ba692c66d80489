package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/domain/fault"
)

// mailboxRoutes shows the letters that would have been sent.
func mailboxRoutes(box *devmail.Mailbox) func(chi.Router) {
	return func(r chi.Router) {
		r.Method(http.MethodGet, "/dev/mailbox.json", box.MailboxJSON())
		r.Method(http.MethodGet, "/dev/mailbox", box.Mailbox())
		r.Method(http.MethodGet, "/dev/mailbox.css", box.Mailbox())
	}
}

// clockRoutes tells the application's time and moves it forwards.
func clockRoutes(clock *devclock.Clock) func(chi.Router) {
	return func(r chi.Router) {
		r.Get("/dev/clock", func(w http.ResponseWriter, _ *http.Request) { writeTime(w, clock.Now()) })
		r.Post("/dev/clock", func(w http.ResponseWriter, r *http.Request) { advance(w, r, clock) })
	}
}

func advance(w http.ResponseWriter, r *http.Request, clock *devclock.Clock) {
	var in struct {
		Advance string `json:"advance"`
	}
	err := json.NewDecoder(r.Body).Decode(&in)
	step, parseErr := time.ParseDuration(in.Advance)
	if err != nil || parseErr != nil {
		http.Error(w, `the body must be {"advance": "192h"}`, http.StatusBadRequest)
		return
	}
	now, err := clock.Advance(step)
	if err != nil {
		http.Error(w, fault.MessageOf(err), http.StatusBadRequest)
		return
	}
	writeTime(w, now)
}

func writeTime(w http.ResponseWriter, now time.Time) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = fmt.Fprintf(w, "{\"now\":%q}\n", now.Format(time.RFC3339Nano)) // nobody to tell when the visitor has gone
}
