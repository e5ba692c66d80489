package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/fault"
)

// empty is the response {}.
type empty struct{}

// list is a list in a response.
type list[T any] struct {
	Data []T `json:"data"`
}

// decode reads the JSON object in the request's body. Unknown fields are ignored, so that an older
// server can serve a newer front end.
func decode[T any](r *http.Request) (T, error) {
	var value T
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return value, readError(err)
	}
	return value, unmarshal(body, &value)
}

// decodeOptional is like decode, but accepts an empty body.
func decodeOptional[T any](r *http.Request) (T, error) {
	var value T
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return value, readError(err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return value, nil
	}
	return value, unmarshal(body, &value)
}

func unmarshal(body []byte, value any) error {
	if !utf8.Valid(body) || bytes.Contains(body, []byte(`\u0000`)) {
		return jsonError("The request contains characters that are not text.") // databases refuse these characters too
	}
	if trimmed := bytes.TrimSpace(body); len(trimmed) == 0 || trimmed[0] != '{' {
		return jsonError("The request must be a JSON object.")
	}
	err := json.Unmarshal(body, value)
	if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return jsonError("The value of " + jsonName(typeErr.Field) + " has the wrong type.")
	}
	if err != nil {
		return jsonError("The request is not valid JSON.")
	}
	return nil
}

// jsonName returns the last name of a path that encoding/json reports. The names before it may be
// those of embedded Go types, which are not part of the API.
func jsonName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func readError(err error) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return errTooLarge
	}
	return jsonError("The request could not be read.")
}

// requireField refuses a request without the field's value.
func requireField(field, value string) error {
	var fields fault.Fields
	fields.Check(value != "", field, field+" is required")
	return fields.Err()
}

// writeJSON writes a response.
func writeJSON(w http.ResponseWriter, status int, response any) error {
	body, err := json.Marshal(response)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails if the client has disconnected
	return nil
}

// mapEach converts a list. The result is never nil, so it is encoded as [] and not as null.
func mapEach[A, B any](list []A, convert func(A) B) []B {
	out := make([]B, 0, len(list))
	for _, item := range list {
		out = append(out, convert(item))
	}
	return out
}

// timestamp returns the time in UTC, nil for the zero time.
func timestamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// unixSeconds returns the time in seconds since the Unix epoch, nil for the zero time.
func unixSeconds(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	unix := t.Unix()
	return &unix
}
