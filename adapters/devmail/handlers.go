package devmail

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"
)

//go:embed page
var pageFiles embed.FS

var page = template.Must(template.New("mailbox.html").Funcs(template.FuncMap{
	"linkify":  linkify,
	"rfc3339":  func(t time.Time) string { return t.Format(time.RFC3339Nano) },
	"longDate": func(t time.Time) string { return t.Format("Monday 2 January 2006, 15:04:05 UTC") },
}).ParseFS(pageFiles, "page/mailbox.html"))

// Mailbox serves the mailbox page at /dev/mailbox and its style sheet at the sibling path mailbox.css;
// both must be routed to it. The page works with a content security policy of style-src 'self'.
func (m *Mailbox) Mailbox() http.Handler {
	return readOnly(func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) == "mailbox.css" {
			http.ServeFileFS(w, r, pageFiles, "page/mailbox.css")
			return
		}
		var b bytes.Buffer
		if err := page.Execute(&b, m.Emails()); err != nil {
			http.Error(w, "The mailbox cannot be shown.", http.StatusInternalServerError)
			return
		}
		respond(w, "text/html; charset=utf-8", b.Bytes())
	})
}

// MailboxJSON serves the emails, newest first: [{to, subject, text, html, sentAt}].
func (m *Mailbox) MailboxJSON() http.Handler {
	return readOnly(func(w http.ResponseWriter, _ *http.Request) {
		emails := m.Emails()
		if emails == nil {
			emails = []Email{} // [], not null
		}
		data, err := json.Marshal(emails)
		if err != nil {
			http.Error(w, "The mailbox cannot be shown.", http.StatusInternalServerError)
			return
		}
		respond(w, "application/json", data)
	})
}

func readOnly(next http.HandlerFunc) http.Handler {
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

// span is a part of a text, and a link unless Link is empty.
type span struct{ Text, Link string }

var urlPattern = regexp.MustCompile(`https?://[^\s<>"]+`)

// linkify splits a text into spans, with its URLs as links.
func linkify(text string) []span {
	var spans []span
	end := 0
	for _, found := range urlPattern.FindAllStringIndex(text, -1) {
		link := trimPunctuation(text[found[0]:found[1]])
		if found[0] > end {
			spans = append(spans, span{Text: text[end:found[0]]})
		}
		spans = append(spans, span{Text: link, Link: link})
		end = found[0] + len(link)
	}
	if end < len(text) {
		spans = append(spans, span{Text: text[end:]})
	}
	return spans
}

// trimPunctuation removes the punctuation that follows a URL in a sentence.
func trimPunctuation(link string) string { return strings.TrimRight(link, ".,;:!?)]'") }
