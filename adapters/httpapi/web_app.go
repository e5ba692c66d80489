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
)

// webApp is the built web app: the page that every screen starts from, and the files it loads.
type webApp struct {
	files fs.FS
	index document
	// screens are the pages of the screens that have one of their own, by address: it tells the
	// browser what else the screen needs, and shows already what the app will show first.
	screens map[string]document
}

func newWebApp(files fs.FS) (webApp, error) {
	index, err := fs.ReadFile(files, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		return webApp{}, errors.New("the web app is not built: run `make build`")
	}
	if err != nil {
		return webApp{}, fmt.Errorf("read the web app: %w", err)
	}
	screens, err := readScreens(files)
	if err != nil {
		return webApp{}, fmt.Errorf("read the web app's list of screens: %w", err)
	}
	return webApp{files: files, index: newPage(index), screens: screens}, nil
}

func newPage(html []byte) document {
	return newDocument("text/html; charset=utf-8", html)
}

// readScreens reads the screens' pages as the web app's build has written them down.
func readScreens(files fs.FS) (map[string]document, error) {
	list, err := fs.ReadFile(files, "screens.json")
	if err != nil {
		return nil, err
	}
	var pages map[string]string
	if err := json.Unmarshal(list, &pages); err != nil {
		return nil, err
	}
	screens := make(map[string]document, len(pages))
	for address, html := range pages {
		screens[address] = newPage([]byte(html))
	}
	return screens, nil
}

// page shows the page that the screen at the address starts from.
func (a *api) page(w http.ResponseWriter, r *http.Request) error {
	a.XSRF.Ensure(w, r)
	page, ok := a.web.screens[r.URL.Path]
	if !ok {
		page = a.web.index
	}
	page.serve(w, r)
	return nil
}

// fileOr serves a file of the web app, or the page for an address that only the web app knows. The
// area's own address leads to the plans with a slash at its end, too.
func (a *api) fileOr(page http.Handler) http.HandlerFunc {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		name := path.Clean(chi.URLParam(r, "*"))
		switch {
		case name == ".":
			return a.toPlans(w, r)
		case name == "index.html":
		case a.web.serveFile(w, r, name):
			return nil
		case path.Ext(name) != "":
			return errNoRoute
		}
		page.ServeHTTP(w, r)
		return nil
	})
}

func (a *api) toPlans(w http.ResponseWriter, r *http.Request) error {
	target := url.URL{Path: "/vc-admin/diy/plans", RawQuery: r.URL.RawQuery}
	http.Redirect(w, r, target.String(), http.StatusFound)
	return nil
}
