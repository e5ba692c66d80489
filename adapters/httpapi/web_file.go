package httpapi

import (
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// encodings are the compressed twins that the web app's build lays beside its files, the best
// first: the name a browser accepts them by, and their ending.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// serveFile serves a file of the web app, compressed as well as the browser can take it. It
// reports whether there is such a file.
func (web webApp) serveFile(w http.ResponseWriter, r *http.Request, name string) bool {
	body, err := fs.ReadFile(web.files, name)
	if err != nil || hidden(name) {
		return false
	}
	header := w.Header()
	header.Add("Vary", "Accept-Encoding")
	header.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") { // their names change with their content
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		header.Set("Content-Type", kind) // a twin must not be guessed from its own content
	}
	if twin, encoding := web.twin(name, r.Header.Get("Accept-Encoding")); twin != nil {
		header.Set("Content-Encoding", encoding)
		body = twin
	}
	serveWhole(w, r, body)
	return true
}

// hidden reports whether the file is left over from the build and nobody's business.
func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") }

// twin finds the best compressed twin that the browser accepts; nil when there is none.
func (web webApp) twin(name, accepted string) (body []byte, encoding string) {
	for _, e := range encodings {
		if !accepts(accepted, e.name) {
			continue
		}
		if body, err := fs.ReadFile(web.files, name+e.ending); err == nil {
			return body, e.name
		}
	}
	return nil, ""
}

// accepts reports whether an Accept-Encoding header lets the encoding through.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(name, encoding) {
			return strings.ReplaceAll(quality, " ", "") != "q=0"
		}
	}
	return false
}
