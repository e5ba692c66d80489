// Package webapp embeds the built web app.
package webapp

import (
	"embed"
	"io/fs"
)

// Until the web app is built, the folders contain only a keep file, so that the Go code compiles on a
// clean clone.
//
//go:embed all:dist all:dist-dev
var files embed.FS

// Dist returns the output of `npm run build`: index.html and the files below assets/. Before the first
// build there is no index.html.
func Dist() fs.FS { return folder("dist") }

// Components returns the page that shows the components of the web app: index.html and the files below
// assets/, which expect to be served below /dev/components/. Before the first build there is no index.html.
func Components() fs.FS { return folder("dist-dev") }

func folder(name string) fs.FS {
	subFS, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // unreachable: the path is valid
	}
	return subFS
}
