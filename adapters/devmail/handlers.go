package devmail

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"path"
	"time"
)

//go:embed page
var pageFiles embed.FS

var page = template.Must(template.New("mailbox.html").Funcs(template.FuncMap{
	"linked":  linked,
	"rfc3339": func(t time.Time) string { return t.Format(time.RFC3339Nano) },
	"forEyes": func(t time.Time) string { return t.Format("Monday 2 January 2006, 15:04:05 UTC") },
}).ParseFS(pageFiles, "page/mailbox.html"))

// Mailbox serves the page for eyes at /dev/mailbox, and its style sheet at the sibling path
// mailbox.css: route both to it. The page needs nothing but `style-src 'self'`.
func (m *Mailbox) Mailbox() http.Handler {
	return readOnly(func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) == "mailbox.css" {
			http.ServeFileFS(w, r, pageFiles, "page/mailbox.css")
			return
		}
		var b bytes.Buffer
		if err := page.Execute(&b, m.Letters()); err != nil {
			http.Error(w, "The mailbox can't be shown.", http.StatusInternalServerError)
			return
		}
		answer(w, "text/html; charset=utf-8", b.Bytes())
	})
}

// MailboxJSON serves the letters, newest first: [{to, subject, text, html, sentAt}].
func (m *Mailbox) MailboxJSON() http.Handler {
	return readOnly(func(w http.ResponseWriter, _ *http.Request) {
		letters := m.Letters()
		if letters == nil {
			letters = []Letter{} // [], not null
		}
		data, err := json.Marshal(letters)
		if err != nil {
			http.Error(w, "The mailbox can't be shown.", http.StatusInternalServerError)
			return
		}
		answer(w, "application/json", data)
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

func answer(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // the reader may have gone
}
