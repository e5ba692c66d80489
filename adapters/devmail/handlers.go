package devmail

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"regexp"
	"strings"
	"time"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("mailbox.html").Funcs(template.FuncMap{
	"linkify":  linkify,
	"rfc3339":  func(t time.Time) string { return t.Format(time.RFC3339Nano) },
	"longDate": func(t time.Time) string { return t.Format("Monday 2 January 2006, 15:04:05 UTC") },
}).ParseFS(pageFiles, "page/mailbox.html"))

// pageData is the input of the page template.
type pageData struct {
	Title     string
	Intro     string
	JSONPath  string // path of the same emails as JSON
	EmptyText string // shown if there are no emails
	Groups    []pageGroup
	scheme    string // "light" or "dark"; otherwise the browser's setting applies
}

// pageGroup is a list of emails. The list opens when its name is clicked. Without a name it is always open.
type pageGroup struct {
	Name   string
	Emails []pageEmail
}

// EmailCount returns the number of emails on the page.
func (d pageData) EmailCount() int {
	count := 0
	for _, group := range d.Groups {
		count += len(group.Emails)
	}
	return count
}

// WithColourScheme returns the HTML of an email in the colours of the page's scheme.
func (d pageData) WithColourScheme(html string) string {
	media, ok := map[string]string{"light": "not all", "dark": "all"}[d.scheme]
	if !ok {
		return html
	}
	return strings.ReplaceAll(html, "@media (prefers-color-scheme: dark)", "@media "+media)
}

// pageEmail is an email on the page. ID and ExampleName are "" for emails in the mailbox.
type pageEmail struct {
	Email
	ID          string // the anchor of the example
	ExampleName string // shown instead of recipient and time
}

// pagePolicy is the content security policy of the page. The sandboxed frames with the emails inherit it, so it
// allows inline styles. They run no scripts.
const pagePolicy = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// StylesheetHandler serves the style sheet of the pages, which link to mailbox.css relative to their own URL.
func StylesheetHandler() http.Handler {
	return allowOnlyReads(func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pageFiles, "page/mailbox.css")
	})
}

// PageHandler serves the page with the emails.
func (m *Mailbox) PageHandler() http.Handler {
	return allowOnlyReads(func(w http.ResponseWriter, r *http.Request) {
		data := pageData{
			Title: "Mailbox", Intro: "Development only. Every email that the product sends appears here, newest first.",
			JSONPath: "mailbox.json", EmptyText: "No emails yet. Register on the plans page, and the first email appears here.",
		}
		var emails []pageEmail
		for _, e := range m.Emails() {
			emails = append(emails, pageEmail{Email: e})
		}
		if emails != nil {
			data.Groups = []pageGroup{{Emails: emails}}
		}
		respondPage(w, r, data)
	})
}

// JSONHandler serves the emails, newest first: [{to, subject, text, html, sentAt, attachment: {name, contentType, size}}].
func (m *Mailbox) JSONHandler() http.Handler {
	return allowOnlyReads(func(w http.ResponseWriter, _ *http.Request) {
		emails := m.Emails()
		if emails == nil {
			emails = []Email{} // [], not null
		}
		for i := range emails {
			if a := emails[i].Attachment; a != nil {
				emails[i].Attachment = &Attachment{Name: a.Name, ContentType: a.ContentType, Size: a.Size}
			}
		}
		respondJSON(w, emails)
	})
}

// respondPage writes the page. The parameter scheme of the request selects the colours of the emails.
func respondPage(w http.ResponseWriter, r *http.Request, data pageData) {
	data.scheme = r.URL.Query().Get("scheme")
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, data); err != nil {
		http.Error(w, "The emails can't be shown.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy", pagePolicy)
	respond(w, "text/html; charset=utf-8", b.Bytes())
}

func respondJSON(w http.ResponseWriter, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		http.Error(w, "The emails can't be shown.", http.StatusInternalServerError)
		return
	}
	respond(w, "application/json", data)
}

// allowOnlyReads refuses methods other than GET and HEAD.
func allowOnlyReads(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		next(w, r)
	})
}

func respond(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // the client may have disconnected
}

// span is a part of a text. If Link is not empty, the part is a link.
type span struct{ Text, Link string }

var urlPattern = regexp.MustCompile(`https?://[^\s<>"]+`)

// linkify splits a text into links, one for each URL, and the plain text between them.
func linkify(text string) []span {
	var spans []span
	end := 0
	for _, match := range urlPattern.FindAllStringIndex(text, -1) {
		link := trimPunctuation(text[match[0]:match[1]])
		if match[0] > end {
			spans = append(spans, span{Text: text[end:match[0]]})
		}
		spans = append(spans, span{Text: link, Link: link})
		end = match[0] + len(link)
	}
	if end < len(text) {
		spans = append(spans, span{Text: text[end:]})
	}
	return spans
}

// trimPunctuation removes the punctuation that follows a URL in a sentence.
func trimPunctuation(link string) string { return strings.TrimRight(link, ".,;:!?)]'") }
