package emails

import (
	"embed"
	htmltemplate "html/template"
	"io"
	"strconv"
	"strings"
	texttemplate "text/template"
	"time"
)

//go:embed templates
var files embed.FS

var (
	texts = texttemplate.Must(texttemplate.ParseFS(files, "templates/*.txt"))
	htmls = htmltemplate.Must(htmltemplate.ParseFS(files, "templates/*.html"))
)

type executor interface {
	ExecuteTemplate(w io.Writer, name string, data any) error
}

func text(name string, content any) string { return render(texts, name, content) }

// html escapes every value for its context. html/template replaces links with unsafe schemes, such as
// javascript, by a harmless URL.
func html(name string, content any) string { return render(htmls, name, content) }

// render panics when a template fails. The templates are embedded and the tests execute all of them.
func render(t executor, name string, content any) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, content); err != nil {
		panic("emails: " + err.Error())
	}
	return b.String()
}

// oneLine replaces line breaks by spaces, so that a value can't add a header or a line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// formatDuration returns a duration such as "48 hours" or "90 minutes", rounded down. It uses minutes
// below two hours, except for exactly one hour.
func formatDuration(d time.Duration) string {
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
