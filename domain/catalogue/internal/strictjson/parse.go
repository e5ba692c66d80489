package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// member is a key of an object with its value. An object keeps its members in the order of the file,
// duplicate keys included.
type member struct {
	key   string
	value any
}

type object []member

// parse decodes a JSON text into object, []any, json.Number, string, bool and nil.
func parse(data []byte) (any, error) {
	// Unmarshal checks the syntax, so decoding token by token cannot fail.
	if err := json.Unmarshal(data, new(any)); err != nil {
		return nil, addLineNumber(data, err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return decode(dec), nil
}

func decode(dec *json.Decoder) any {
	token, _ := dec.Token()
	switch token {
	case json.Delim('{'):
		return decodeObject(dec)
	case json.Delim('['):
		return decodeArray(dec)
	}
	return token
}

func decodeObject(dec *json.Decoder) object {
	o := object{}
	for dec.More() {
		key, _ := decode(dec).(string)
		o = append(o, member{key: key, value: decode(dec)})
	}
	_, _ = dec.Token() // the closing brace
	return o
}

func decodeArray(dec *json.Decoder) []any {
	list := []any{}
	for dec.More() {
		list = append(list, decode(dec))
	}
	_, _ = dec.Token() // the closing bracket
	return list
}

// addLineNumber adds the line number to a syntax error.
func addLineNumber(data []byte, err error) error {
	syntaxErr, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return err
	}
	line := 1 + bytes.Count(data[:min(int(syntaxErr.Offset), len(data))], []byte("\n"))
	return fmt.Errorf("line %d: %w", line, err)
}
