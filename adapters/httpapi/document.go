package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"
)

// document is a response that does not change while the server runs.
type document struct {
	contentType string
	body        []byte
	compressed  func() []byte // returns the gzipped body, or nil if that is not smaller
	etag        string
}

// newDocument returns a document that is compressed once, for the first client that accepts it, because
// compression takes longer than the rest of a response.
func newDocument(contentType string, body []byte) document {
	sum := sha256.Sum256(body)
	return document{
		contentType: contentType, body: body, etag: `W/"` + hex.EncodeToString(sum[:12]) + `"`,
		compressed: sync.OnceValue(func() []byte { return compress(body) }),
	}
}

// compress returns the gzipped body, or nil if it is not smaller.
func compress(body []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // a valid level
	_, _ = w.Write(body)                                    // writing to a buffer can't fail
	_ = w.Close()                                           // as above
	if out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}

// serve writes the document, or 304 if the client's copy is current.
func (d document) serve(w http.ResponseWriter, r *http.Request) {
	header, body := w.Header(), d.body
	header.Set("Content-Type", d.contentType)
	header.Set("ETag", d.etag)
	header.Set("Cache-Control", "no-cache")
	header.Add("Vary", "Accept-Encoding")
	if acceptsEncoding(r.Header.Get("Accept-Encoding"), "gzip") {
		if compressed := d.compressed(); compressed != nil {
			header.Set("Content-Encoding", "gzip")
			body = compressed
		}
	}
	serveContent(w, r, body)
}

// noReadFrom hides the ReadFrom method, with which http.ServeContent would send the header in a packet
// of its own.
type noReadFrom struct{ http.ResponseWriter }

// serveContent writes the whole body, or 304 if the client's copy is current. It ignores ranges and
// other conditions: documents are small, and the errors of http.ServeContent are not JSON.
func serveContent(w http.ResponseWriter, r *http.Request, body []byte) {
	for _, condition := range []string{"Range", "If-Range", "If-Match", "If-Unmodified-Since"} {
		r.Header.Del(condition)
	}
	http.ServeContent(noReadFrom{w}, r, "", time.Time{}, bytes.NewReader(body))
}
