package stripeserver

import (
	"encoding/json"
	"net/http"
)

// object is one of Stripe's, field by field.
type object map[string]any

// answer is a whole answer.
type answer struct {
	Status int
	Body   object
}

func (a answer) write(w http.ResponseWriter) {
	text, err := json.MarshalIndent(a.Body, "", "  ")
	if err != nil {
		panic(err) // strings and numbers always have a JSON form
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.Status)
	_, _ = w.Write(append(text, '\n')) // whoever asked has gone; nobody is left to tell
}
