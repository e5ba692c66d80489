package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"
)

// noTime leaves out Last-Modified: what is embedded in a binary has no time of its own.
var noTime time.Time

// document is an answer that stays the same while the server runs.
type document struct {
	contentType string
	body        []byte
	etag        string
}

func newDocument(contentType string, body []byte) document {
	sum := sha256.Sum256(body)
	return document{contentType: contentType, body: body, etag: `W/"` + hex.EncodeToString(sum[:12]) + `"`}
}

// serve answers with the document, or that the visitor's copy is still good.
func (d document) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", d.contentType)
	w.Header().Set("ETag", d.etag)
	w.Header().Set("Cache-Control", "no-cache")
	serveWhole(w, r, d.body)
}

// serveWhole answers with all of the body, or that the visitor's copy is still good. Nothing here is
// so large that it would be asked for in parts or under other conditions, whose refusals would be
// the only ones that are no JSON.
func serveWhole(w http.ResponseWriter, r *http.Request, body []byte) {
	for _, condition := range []string{"Range", "If-Range", "If-Match", "If-Unmodified-Since"} {
		r.Header.Del(condition)
	}
	http.ServeContent(w, r, "", noTime, bytes.NewReader(body))
}
