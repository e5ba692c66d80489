package emails

import (
	"embed"
	htmltemplate "html/template"
	"io"
	"strconv"
	"strings"
	texttemplate "text/template"
	"time"

	"github.com/vc-admin/diy/ports/mail"
)

//go:embed templates
var templateFiles embed.FS

var (
	textTemplates = texttemplate.Must(texttemplate.ParseFS(templateFiles, "templates/*.txt"))
	htmlTemplates = htmltemplate.Must(htmltemplate.New("").Funcs(htmltemplate.FuncMap{
		"initial": initial, "join": joinLines, "outlook": outlookOnly,
	}).ParseFS(templateFiles, "templates/*.html"))
)

// executor is a text or HTML template.
type executor interface {
	ExecuteTemplate(w io.Writer, name string, data any) error
}

// message returns the email whose parts are rendered from the templates with the name. html/template escapes every value
// for its context and replaces links with unsafe schemes, such as javascript, by a harmless URL.
func message(name, subject string, c content) mail.Message {
	html := render(htmlTemplates, name+".html", c)
	html = strings.ReplaceAll(html, "•••• ", "••••&nbsp;") // keeps the digits of a card on its line
	return mail.Message{
		Subject: subject, Text: render(textTemplates, name+".txt", c), HTML: html, Unsubscribe: c.PreferencesLink,
	}
}

// render panics when a template fails. The templates are embedded and the tests execute all of them.
func render(t executor, name string, c content) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, c); err != nil {
		panic("emails: " + err.Error())
	}
	return b.String()
}

// formatDuration returns a duration such as "7 days", "48 hours" or "90 minutes", rounded down. It uses hours below three
// days, and minutes below two hours, except for exactly one hour.
func formatDuration(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= 3*day {
		return plural(int64(d/day), "day")
	}
	if d >= 2*time.Hour || d%time.Hour == 0 {
		return plural(int64(d/time.Hour), "hour")
	}
	return plural(int64(d/time.Minute), "minute")
}

func plural(n int64, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.FormatInt(n, 10) + " " + unit
}

// initial returns the first letter of a name in upper case. Emails show it instead of a logo, because many mail programs
// block images.
func initial(name string) string {
	for _, r := range name {
		return strings.ToUpper(string(r))
	}
	return ""
}

func joinLines(lines []string) string { return strings.Join(lines, ", ") }

// outlookOnly returns markup that only Outlook for Windows reads. It sets the width there, because that program
// ignores max-width. The argument is a constant of a template.
func outlookOnly(markup string) htmltemplate.HTML {
	return htmltemplate.HTML("<!--[if mso]>" + markup + "<![endif]-->") //nolint:gosec // not a value of a user
}
