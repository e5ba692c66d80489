package devmail

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/mail"
)

func get(h http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	return w
}

func TestJSONHandler_ListsEmailsNewestFirst(t *testing.T) {
	m := openMailbox(t, "")
	w := get(m.JSONHandler(), "/dev/mailbox.json")
	assert.Equal(t, "application/json", w.Header().Get("Content-Type"))
	assert.JSONEq(t, `[]`, w.Body.String())

	sendEmails(t, m, 1, 2)
	w = get(m.JSONHandler(), "/dev/mailbox.json")
	assert.JSONEq(t, `[
		{"to":"ann@example.com","subject":"Email 2","text":"Open https://x.example/?a=1&b=2.\n","html":"<p>Open <b>it</b></p>",
		 "sentAt":"2026-03-01T12:00:00.123456Z"},
		{"to":"ann@example.com","subject":"Email 1","text":"Open https://x.example/?a=1&b=2.\n","html":"<p>Open <b>it</b></p>",
		 "sentAt":"2026-03-01T12:00:00.123456Z"}
	]`, w.Body.String())
}

func TestPageHandler_ShowsEmailWithLinksAndSandboxedHTML(t *testing.T) {
	m := openMailbox(t, "")
	assert.Contains(t, get(m.PageHandler(), "/dev/mailbox").Body.String(), "No emails yet")

	sendEmails(t, m, 1)
	w := get(m.PageHandler(), "/dev/mailbox")
	body := w.Body.String()
	assert.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	assert.Contains(t, body, "<h2>Email 1</h2>")
	assert.Contains(t, body, "ann@example.com")
	assert.Contains(t, body, `<time datetime="2026-03-01T12:00:00.123456Z">Sunday 1 March 2026, 12:00:00 UTC</time>`)
	assert.Contains(t, body, `<a href="https://x.example/?a=1&amp;b=2">https://x.example/?a=1&amp;b=2</a>.`)
	assert.Contains(t, body, ` sandbox srcdoc="&lt;p&gt;Open &lt;b&gt;it&lt;/b&gt;&lt;/p&gt;"`,
		"the HTML is shown in a frame that runs no scripts")
	policy := w.Header().Get("Content-Security-Policy")
	assert.Contains(t, policy, "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:;",
		"a frame with srcdoc inherits the policy of its page")
	assert.NotContains(t, policy, "script-src")
}

func TestPageHandler_EscapesEmails(t *testing.T) {
	m := openMailbox(t, "")
	xss := `<script>alert(1)</script><img src=x onerror=alert(1)>`
	require.NoError(t, m.Send(t.Context(), mail.Message{To: "ann@example.com", Subject: xss, Text: xss, HTML: xss}))

	body := get(m.PageHandler(), "/dev/mailbox").Body.String()
	assert.Equal(t, 1, strings.Count(body, "<iframe"))
	for _, forbidden := range []string{"<script", "<style", " style=", "<img"} {
		assert.NotContains(t, body, forbidden)
	}
}

func TestStylesheetHandler_ServesStyleSheetThatPageLinks(t *testing.T) {
	m := openMailbox(t, "")
	assert.Contains(t, get(m.PageHandler(), "/dev/mailbox").Body.String(), `href="mailbox.css"`)
	w := get(StylesheetHandler(), "/dev/mailbox.css")
	assert.Equal(t, http.StatusOK, w.Code)
	assert.True(t, strings.HasPrefix(w.Header().Get("Content-Type"), "text/css"))
	assert.Contains(t, w.Body.String(), "--paper")
}

func TestExamplesHandler_ShowsNameVariantTextAndHTML(t *testing.T) {
	h := ExamplesHandler([]Example{{"receipt", "", newMessage(1)}, {"receipt", "in AUD", newMessage(2)}})

	body := get(h, "/dev/emails").Body.String()
	assert.Contains(t, body, `<a href="#email-1">receipt: ordinary data</a>`)
	assert.Contains(t, body, `<article id="email-2">`)
	assert.Contains(t, body, `<summary>receipt <span class="muted">2</span></summary>`)
	assert.Contains(t, body, "<h2>Email 2</h2>")
	assert.Equal(t, 2, strings.Count(body, ` sandbox srcdoc="`))
	assert.NotContains(t, body, "<time")
	assert.Contains(t, get(ExamplesHandler(nil), "/dev/emails").Body.String(), "There are no examples")

	assert.JSONEq(t, `[
		{"name":"receipt","variant":"","subject":"Email 1","text":"Open https://x.example/?a=1&b=2.\n","html":"<p>Open <b>it</b></p>"},
		{"name":"receipt","variant":"in AUD","subject":"Email 2","text":"Open https://x.example/?a=1&b=2.\n","html":"<p>Open <b>it</b></p>"}
	]`, get(h, "/dev/emails.json").Body.String())
}

func TestExamplesHandler_ShowsHTMLInTheRequestedColours(t *testing.T) {
	m := newMessage(1)
	m.HTML = "<style>@media (prefers-color-scheme: dark) {}</style>"
	h := ExamplesHandler([]Example{{"receipt", "", m}})
	for target, media := range map[string]string{
		"/dev/emails": "@media (prefers-color-scheme: dark) {", "/dev/emails?scheme=other": "@media (prefers-color-scheme: dark) {",
		"/dev/emails?scheme=light": "@media not all {", "/dev/emails?scheme=dark": "@media all {",
	} {
		assert.Contains(t, get(h, target).Body.String(), media, target)
	}
}

func TestHandlers_RejectPost(t *testing.T) {
	m := openMailbox(t, "")
	for _, h := range []http.Handler{m.PageHandler(), m.JSONHandler(), ExamplesHandler(nil), StylesheetHandler()} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/dev/mailbox", nil))
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
		assert.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
	}
}

func TestLinkify_SplitsTextIntoLinksAndPlainText(t *testing.T) {
	tests := map[string][]span{
		"":      nil,
		"plain": {{Text: "plain"}},
		"Open https://x.example/?a=1&b=2.\nBye": {
			{Text: "Open "}, {"https://x.example/?a=1&b=2", "https://x.example/?a=1&b=2"}, {Text: ".\nBye"},
		},
		"http://a.example http://b.example": {
			{"http://a.example", "http://a.example"}, {Text: " "}, {"http://b.example", "http://b.example"},
		},
		"(<https://x.example>)":    {{Text: "(<"}, {"https://x.example", "https://x.example"}, {Text: ">)"}},
		"javascript:alert(1) ftp:": {{Text: "javascript:alert(1) ftp:"}},
	}
	for text, want := range tests {
		assert.Equal(t, want, linkify(text), text)
	}
}
