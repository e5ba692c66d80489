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
	http.ServeContent(w, r, "", noTime, bytes.NewReader(d.body))
}
