package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// webApp is the built web app: one page for every screen, and the files it loads.
type webApp struct {
	files fs.FS
	index document
	// preloads are the scripts that a screen needs besides the page's own, by its address. The
	// browser is told of them with the page, before the page's script has found out.
	preloads map[string][]string
}

func newWebApp(files fs.FS) (webApp, error) {
	index, err := fs.ReadFile(files, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		return webApp{}, errors.New("the web app is not built: run `make build`")
	}
	if err != nil {
		return webApp{}, fmt.Errorf("read the web app: %w", err)
	}
	web := webApp{files: files, index: newDocument("text/html; charset=utf-8", index)}
	screens, err := fs.ReadFile(files, "screens.json")
	if err == nil {
		err = json.Unmarshal(screens, &web.preloads)
	}
	if err != nil {
		return webApp{}, fmt.Errorf("read the web app's list of screens: %w", err)
	}
	return web, nil
}

// compress squeezes what is worth it and not squeezed already.
var compress = middleware.Compress(5, "text/html", "text/css", "text/javascript", "application/json", "image/svg+xml")

// page shows the one page that every screen of the web app starts from.
func (a *api) page(w http.ResponseWriter, r *http.Request) error {
	a.XSRF.Ensure(w, r)
	for _, script := range a.web.preloads[r.URL.Path] {
		w.Header().Add("Link", "</vc-admin/diy/"+script+">; rel=modulepreload; crossorigin")
	}
	a.web.index.serve(w, r)
	return nil
}

// pageOrFile serves a file of the web app, or the page for an address that only the web app knows.
func (a *api) pageOrFile(w http.ResponseWriter, r *http.Request) error {
	name := path.Clean(chi.URLParam(r, "*"))
	if name != "index.html" && a.web.serveFile(w, r, name) {
		return nil
	}
	if path.Ext(name) != "" && name != "index.html" {
		return errNoRoute
	}
	return a.page(w, r)
}

func (a *api) toPlans(w http.ResponseWriter, r *http.Request) error {
	target := url.URL{Path: "/vc-admin/diy/plans", RawQuery: r.URL.RawQuery}
	http.Redirect(w, r, target.String(), http.StatusFound)
	return nil
}
