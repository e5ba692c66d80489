package fakepayment

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// bodyLimit is as much as anybody has to say here.
const bodyLimit = 64 << 10

// decode reads a strict JSON body into out: one value, no unknown field, nothing behind it.
func decode(r *http.Request, out any) error {
	if !isJSON(r.Header.Get("Content-Type")) {
		return requestError(http.StatusUnsupportedMediaType, "content_type", "The body must be application/json.")
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(out)
	if err == nil {
		if _, err = decoder.Token(); errors.Is(err, io.EOF) {
			return nil
		}
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return requestError(http.StatusRequestEntityTooLarge, "request_too_large", "The body is larger than 64 KiB.")
	}
	return invalid("The body is not JSON as described.")
}

func isJSON(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/json")
}
