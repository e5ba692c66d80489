package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// document is a response that does not change while the server runs.
type document struct {
	header   http.Header // Content-Type, ETag and Cache-Control
	body     []byte
	variants []variant // the smallest first
}

// variant is a compressed body of a document.
type variant struct {
	encoding string
	body     func() []byte // returns nil if compression does not make the document smaller
}

// newDocument returns a document. It is compressed once, when a client first requests gzip, because compression takes
// longer than the rest of a response.
func newDocument(contentType string, body []byte) document {
	gzipVariant := variant{"gzip", sync.OnceValue(func() []byte { return compress(body) })}
	return newDocumentWithVariants(contentType, body, []variant{gzipVariant})
}

func newDocumentWithVariants(contentType string, body []byte, variants []variant) document {
	sum := sha256.Sum256(body)
	header := http.Header{}
	header.Set("Content-Type", contentType)
	header.Set("ETag", `W/"`+hex.EncodeToString(sum[:12])+`"`)
	header.Set("Cache-Control", "no-cache")
	return document{header: header, body: body, variants: variants}
}

// compress returns the gzipped body, or nil if the gzipped body is not smaller.
func compress(body []byte) []byte {
	var buf bytes.Buffer
	w, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression) // a valid level
	_, _ = w.Write(body)                                    // writing to a buffer can't fail
	_ = w.Close()                                           // can't fail either
	if buf.Len() >= len(body) {
		return nil
	}
	return buf.Bytes()
}

// serve writes the document, or 304 if the client's copy is current.
func (d document) serve(w http.ResponseWriter, r *http.Request) {
	header, body := w.Header(), d.body
	maps.Copy(header, d.header)
	header.Add("Vary", "Accept-Encoding")
	acceptEncoding := r.Header.Get("Accept-Encoding")
	for _, v := range d.variants {
		if !acceptsEncoding(acceptEncoding, v.encoding) {
			continue
		}
		if compressedBody := v.body(); compressedBody != nil {
			header.Set("Content-Encoding", v.encoding)
			body = compressedBody
			break
		}
	}
	serveContent(w, r, body)
}

// serveContent writes the whole body, or 304 if the client's copy is current. It does not use http.ServeContent, whose
// errors are not JSON. It ignores ranges and other conditions, because documents are small.
func serveContent(w http.ResponseWriter, r *http.Request, body []byte) {
	header := w.Header()
	if etag := header.Get("ETag"); etag != "" && matchesETag(r.Header.Get("If-None-Match"), etag) {
		header.Del("Content-Type")
		header.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) //nolint:gosec // a built file or a document of the server; an error means that the client is gone
	}
}

// matchesETag reports whether an If-None-Match header contains the ETag. The comparison is weak, as RFC 9110
// section 13.1.2 requires.
func matchesETag(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}
