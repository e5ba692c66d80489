package devmail

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strconv"

	"github.com/vc-admin/diy/ports/mail"
)

// Example is an email with example data.
type Example struct {
	Name    string // the kind of email
	Variant string // what is special about the data; "" for ordinary data
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

// ExamplesHandler serves the examples as a page or, if the path ends with .json, as
// [{name, variant, subject, text, html}].
func ExamplesHandler(examples []Example) http.Handler {
	data := pageData{
		Title: "Emails", Intro: "Development only. All emails that the product sends, with example data.",
		JSONPath: "emails.json", EmptyText: "There are no examples.",
	}
	jsonExamples := []exampleJSON{}
	for i, e := range examples {
		m := e.Message
		g := slices.IndexFunc(data.Groups, func(group pageGroup) bool { return group.Name == e.Name })
		if g < 0 {
			g = len(data.Groups)
			data.Groups = append(data.Groups, pageGroup{Name: e.Name})
		}
		group := &data.Groups[g]
		group.Emails = append(group.Emails, pageEmail{
			ID: "email-" + strconv.Itoa(i+1), ExampleName: e.Name + ": " + cmp.Or(e.Variant, "ordinary data"),
			Email: Email{To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML},
		})
		jsonExamples = append(jsonExamples, exampleJSON{e.Name, e.Variant, m.Subject, m.Text, m.HTML})
	}
	return allowOnlyReads(func(w http.ResponseWriter, r *http.Request) {
		if path.Ext(r.URL.Path) == ".json" {
			respondJSON(w, jsonExamples)
			return
		}
		respondPage(w, r, data)
	})
}
