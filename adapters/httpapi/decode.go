package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// decode reads the request's JSON. Unknown names are let through, so that an older server can
// talk to a newer front end; wrong types, broken JSON and anything after it are not.
func decode[T any](r *http.Request) (T, error) {
	var into T
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return into, readError(err)
	}
	return into, unmarshal(body, &into)
}

// decodeOptional is decode for requests that may come without a body.
func decodeOptional[T any](r *http.Request) (T, error) {
	var into T
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return into, readError(err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return into, nil
	}
	return into, unmarshal(body, &into)
}

func unmarshal(body []byte, into any) error {
	if !utf8.Valid(body) || bytes.Contains(body, []byte(`\u0000`)) {
		return errJSON("The request holds characters that are no text.") // and that databases refuse
	}
	if trimmed := bytes.TrimSpace(body); len(trimmed) == 0 || trimmed[0] != '{' {
		return errJSON("The request must be a JSON object.")
	}
	err := json.Unmarshal(body, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errJSON("The value of " + jsonName(wrong.Field) + " has the wrong type.")
	}
	if err != nil {
		return errJSON("The request is not valid JSON.")
	}
	return nil
}

// jsonName returns the last name of a path that encoding/json reports. The names before it may be
// those of embedded Go types, which are not part of the wire.
func jsonName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func readError(err error) error {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return errTooLarge
	}
	return errJSON("The request could not be read.")
}
