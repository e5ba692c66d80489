// Package webapp carries the built web app inside the Go binary.
package webapp

import (
	"embed"
	"io/fs"
)

// The folder holds only its keep file until the web app is built, so that the Go code compiles
// on a clean clone.
//
//go:embed all:dist
var files embed.FS

// Dist is what `npm run build` made: index.html at the top, everything else below assets/. Before
// the first build there is no index.html.
func Dist() fs.FS {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // cannot happen: the folder's name is a valid path
	}
	return dist
}
