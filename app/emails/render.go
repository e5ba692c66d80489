package emails

import (
	"embed"
	htmltemplate "html/template"
	"io"
	"strings"
	texttemplate "text/template"
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

// html escapes every value for the place it stands in; a link that is not a web address is
// replaced by something harmless.
func html(name string, content any) string { return render(htmls, name, content) }

// render panics on failure: the templates are part of the program and their tests run all of
// them, so that one that fails never leaves the house.
func render(t executor, name string, content any) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, content); err != nil {
		panic("emails: " + err.Error())
	}
	return b.String()
}
