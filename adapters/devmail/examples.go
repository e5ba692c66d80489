package devmail

import (
	"cmp"
	"net/http"
	"path"
	"strconv"

	"github.com/vc-admin/diy/ports/mail"
)

// Example is an email with example data.
type Example struct {
	Name    string // the kind of email
	Variant string // how the data differs from that of other examples; may be ""
	Message mail.Message
}

// exampleJSON is the JSON format of an example.
type exampleJSON struct {
	Name    string `json:"name"`
	Variant string `json:"variant"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	HTML    string `json:"html"`
}

// Examples serves the examples as a page, and at a path that ends with .json as
// [{name, variant, subject, text, html}].
func Examples(list []Example) http.Handler {
	data := pageData{
		Title: "Emails", Intro: "Development only. All emails that the product sends, with example data.", JSON: "emails.json",
		Empty: "There are no examples.",
	}
	wire := []exampleJSON{}
	for i, e := range list {
		m := e.Message
		data.Emails = append(data.Emails, pageEmail{
			ID: "email-" + strconv.Itoa(i+1), Variant: e.Name + ": " + cmp.Or(e.Variant, "ordinary data"),
			Email: Email{To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML},
		})
		wire = append(wire, exampleJSON{e.Name, e.Variant, m.Subject, m.Text, m.HTML})
	}
	return readOnly(func(w http.ResponseWriter, r *http.Request) {
		if path.Ext(r.URL.Path) == ".json" {
			respondJSON(w, wire)
			return
		}
		respondPage(w, data)
	})
}
