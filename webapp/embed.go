// Package webapp embeds the built web app.
package webapp

import (
	"embed"
	"io/fs"
)

// Until the web app is built, dist contains only a keep file, so that the Go code compiles on a clean
// clone.
//
//go:embed all:dist
var files embed.FS

// Dist returns the output of `npm run build`: index.html and the files below assets/. Before the first
// build there is no index.html.
func Dist() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // unreachable: the path is valid
	}
	return dist
}
