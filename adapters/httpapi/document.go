package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"sync"
	"time"
)

// document is a response that does not change while the server runs.
type document struct {
	header   http.Header // Content-Type, ETag and Cache-Control
	body     []byte
	variants []variant // compressed, the best first
}

// variant is the body of a document in an encoding.
type variant struct {
	encoding string
	body     func() []byte // returns nil if it is not smaller than the document
}

// newDocument returns a document that is compressed once, for the first client that accepts it, because
// compression takes longer than the rest of a response.
func newDocument(contentType string, body []byte) document {
	gzipped := variant{"gzip", sync.OnceValue(func() []byte { return compress(body) })}
	return newCompressedDocument(contentType, body, []variant{gzipped})
}

func newCompressedDocument(contentType string, body []byte, variants []variant) document {
	sum := sha256.Sum256(body)
	header := http.Header{}
	header.Set("Content-Type", contentType)
	header.Set("ETag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
	header.Set("Cache-Control", "no-cache")
	return document{header: header, body: body, variants: variants}
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
	maps.Copy(header, d.header)
	header.Add("Vary", "Accept-Encoding")
	accepted := r.Header.Get("Accept-Encoding")
	for _, v := range d.variants {
		if !acceptsEncoding(accepted, v.encoding) {
			continue
		}
		if compressed := v.body(); compressed != nil {
			header.Set("Content-Encoding", v.encoding)
			body = compressed
			break
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
