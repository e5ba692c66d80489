package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
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
		r.Method(http.MethodGet, "/dev/clock", clock)
		r.Method(http.MethodPost, "/dev/clock", clock)
	}
}
