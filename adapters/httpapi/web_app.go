package httpapi

import (
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"
)

// webApp is the built web app.
type webApp struct {
	files fs.FS
	index document
	// screens are the prerendered pages by path. The index is served at all other paths.
	screens map[string]document
}

func newWebApp(files fs.FS) (webApp, error) {
	index, err := newPage(files, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		return webApp{}, errors.New("the web app is not built: run `make build`")
	}
	if err != nil {
		return webApp{}, fmt.Errorf("read the web app: %w", err)
	}
	screens, err := readScreens(files)
	if err != nil {
		return webApp{}, fmt.Errorf("read the web app's screens: %w", err)
	}
	return webApp{files: files, index: index, screens: screens}, nil
}

// newPage reads a page and its compressed variants.
func newPage(files fs.FS, name string) (document, error) {
	html, err := fs.ReadFile(files, name)
	if err != nil {
		return document{}, err
	}
	var variants []variant
	for _, e := range encodings {
		if body, err := fs.ReadFile(files, name+e.extension); err == nil {
			variants = append(variants, variant{e.name, func() []byte { return body }})
		}
	}
	return newDocumentWithVariants("text/html; charset=utf-8", html, variants), nil
}

// readScreens reads the prerendered pages that the build of the web app wrote. For example, screens/vc-admin/dash.html is
// the page of /vc-admin/dash.
func readScreens(files fs.FS) (map[string]document, error) {
	screens := map[string]document{}
	err := fs.WalkDir(files, "screens", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		urlPath := strings.TrimSuffix(strings.TrimPrefix(name, "screens"), ".html")
		screens[urlPath], err = newPage(files, name)
		return err
	})
	return screens, err
}

// servePage serves the prerendered page or the index.
func (a *api) servePage(w http.ResponseWriter, r *http.Request) error {
	page, ok := a.web.screens[r.URL.Path]
	if !ok {
		page = a.web.index
	}
	page.serve(w, r)
	return nil
}

// serveFileOrPage serves the file of the web app at the path, or a page if there is no such file.
func (a *api) serveFileOrPage(w http.ResponseWriter, r *http.Request) error {
	name := path.Clean(chi.URLParam(r, "*"))
	_, isScreen := a.web.screens[r.URL.Path]
	switch {
	case name == ".":
		return a.redirectToPlans(w, r)
	case isScreen, name == "index.html":
	case a.web.serveFile(w, r, name):
		return nil
	case path.Ext(name) != "":
		return errNoRoute
	}
	return a.servePage(w, r)
}

func (a *api) redirectToPlans(w http.ResponseWriter, r *http.Request) error {
	target := url.URL{Path: "/vc-admin/diy/plans", RawQuery: r.URL.RawQuery}
	http.Redirect(w, r, target.String(), http.StatusFound)
	return nil
}

// encodings are the encodings in which the build of the web app writes each file, the smallest first.
var encodings = []struct{ name, extension string }{{"br", ".br"}, {"gzip", ".gz"}}

// serveFile serves a file of the web app in the smallest encoding that the browser accepts. It returns
// false if there is no such file.
func (web webApp) serveFile(w http.ResponseWriter, r *http.Request, name string) bool {
	body, err := fs.ReadFile(web.files, name)
	if err != nil || isHidden(name) {
		return false
	}
	header := w.Header()
	header.Add("Vary", "Accept-Encoding")
	header.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") { // the names contain a hash
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if contentType := mime.TypeByExtension(path.Ext(name)); contentType != "" {
		header.Set("Content-Type", contentType) // must not be detected from a compressed body
	}
	if compressedBody, encoding := web.compressedFile(name, r.Header.Get("Accept-Encoding")); compressedBody != nil {
		header.Set("Content-Encoding", encoding)
		body = compressedBody
	}
	serveContent(w, r, body)
	return true
}

// isHidden reports whether the file is only for the build.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") }

// compressedFile returns the smallest compressed variant that the browser accepts, or nil if there is none.
func (web webApp) compressedFile(name, acceptEncoding string) (body []byte, encoding string) {
	for _, e := range encodings {
		if !acceptsEncoding(acceptEncoding, e.name) {
			continue
		}
		if body, err := fs.ReadFile(web.files, name+e.extension); err == nil {
			return body, e.name
		}
	}
	return nil, ""
}

// acceptsEncoding reports whether an Accept-Encoding header contains the encoding.
func acceptsEncoding(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(name, encoding) {
			return strings.ReplaceAll(quality, " ", "") != "q=0"
		}
	}
	return false
}

const homePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Meetings</title>
<h1>Meetings are held elsewhere</h1>
<p>Please open the link in your invitation to join a meeting.</p>
<p><a href="/vc-admin/diy/plans">Plans and pricing</a></p>
</html>
`

// serveHome redirects to the meeting URL. If there is none, it serves a page with a link to the plans.
func (a *api) serveHome(w http.ResponseWriter, r *http.Request) error {
	if a.Site.MeetingURL != "" {
		http.Redirect(w, r, a.Site.MeetingURL, http.StatusFound)
		return nil
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, err := w.Write([]byte(homePage))
	return err
}
