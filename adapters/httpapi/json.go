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
	"github.com/vc-admin/diy/domain/money"
)

type emptyObject struct{} // encoded as {}

// listWire is the response {"data": […]}.
type listWire[T any] struct {
	Data []T `json:"data"`
}

// decodeBody reads the JSON object in the request's body. Unknown fields are ignored, so that an older
// server can serve a newer front end.
func decodeBody[T any](r *http.Request) (T, error) {
	var value T
	body, err := readBody(r)
	if err != nil {
		return value, err
	}
	return value, unmarshal(body, &value)
}

// decodeOptionalBody decodes the body as decodeBody does. It returns the zero value for an empty body.
func decodeOptionalBody[T any](r *http.Request) (T, error) {
	var value T
	body, err := readBody(r)
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return value, err
	}
	return value, unmarshal(body, &value)
}

// readBody returns the request's body. The error is an apiError.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, jsonError("The request could not be read.")
	}
	return body, nil
}

// unmarshal decodes a JSON object into value. The error is an apiError.
func unmarshal(body []byte, value any) error {
	if !utf8.Valid(body) || bytes.Contains(body, []byte(`\u0000`)) {
		return jsonError("The request contains characters that are not text.") // databases refuse these characters
	}
	if text := bytes.TrimSpace(body); len(text) == 0 || text[0] != '{' {
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

// jsonName returns the last name in a path that encoding/json reports. The names before it may be those of embedded
// Go types, which are not part of the API.
func jsonName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// requireField returns an Invalid fault that names the field if the value is empty.
func requireField(field, value string) error {
	var fields fault.Fields
	fields.Check(value != "", field, field+" is required")
	return fields.Err()
}

// writeJSON writes a JSON response. It returns an error, and writes nothing, if the response can't be encoded.
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

// mapEach converts each item. The result is never nil, so that an empty result is encoded as [] and not as null.
func mapEach[A, B any](items []A, convert func(A) B) []B {
	result := make([]B, 0, len(items))
	for _, item := range items {
		result = append(result, convert(item))
	}
	return result
}

// timestamp returns the time in UTC, or nil for the zero time.
func timestamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// unixSeconds returns the time in seconds since the Unix epoch, or nil for the zero time.
func unixSeconds(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	unix := t.Unix()
	return &unix
}

// minorUnits returns an amount in minor units, or nil for the zero Amount.
func minorUnits(a money.Amount) *int64 {
	if a == (money.Amount{}) {
		return nil
	}
	minor := a.Minor()
	return &minor
}
