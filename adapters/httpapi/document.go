package httpapi

import (
	"bytes"
	"compress/gzip"
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
	compressed  []byte // by gzip; nil where that saves nothing
	etag        string
}

// newDocument compresses the document once: to do it at every request would take longer than all the
// rest of the answer.
func newDocument(contentType string, body []byte) document {
	sum := sha256.Sum256(body)
	return document{
		contentType: contentType, body: body, compressed: compress(body), etag: `W/"` + hex.EncodeToString(sum[:12]) + `"`,
	}
}

// compress is the body as tight as it gets, or nil when it does not get tighter.
func compress(body []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // there is such a level
	_, _ = w.Write(body)                                    // a buffer takes everything
	_ = w.Close()                                           // as above
	if out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}

// serve answers with the document, or that the visitor's copy is still good.
func (d document) serve(w http.ResponseWriter, r *http.Request) {
	header, body := w.Header(), d.body
	header.Set("Content-Type", d.contentType)
	header.Set("ETag", d.etag)
	header.Set("Cache-Control", "no-cache")
	header.Add("Vary", "Accept-Encoding")
	if d.compressed != nil && accepts(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		body = d.compressed
	}
	serveWhole(w, r, body)
}

// inOnePiece keeps http.ServeContent from its way for large files, which sends the header first and by
// itself.
type inOnePiece struct{ http.ResponseWriter }

// serveWhole answers with all of the body, or that the visitor's copy is still good. Nothing here is
// so large that it would be asked for in parts or under other conditions, whose refusals would be
// the only ones that are no JSON.
func serveWhole(w http.ResponseWriter, r *http.Request, body []byte) {
	for _, condition := range []string{"Range", "If-Range", "If-Match", "If-Unmodified-Since"} {
		r.Header.Del(condition)
	}
	http.ServeContent(inOnePiece{w}, r, "", noTime, bytes.NewReader(body))
}
