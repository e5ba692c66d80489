package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// member is one key of an object, in the order of the file; keys may come twice.
type member struct {
	key   string
	value any
}

type object []member

// parse reads a whole JSON text into objects, []any, json.Number, string, bool and nil.
func parse(data []byte) (any, error) {
	// Unmarshal sees to the syntax, so that the walk below can't fail.
	if err := json.Unmarshal(data, new(any)); err != nil {
		return nil, located(data, err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return walk(dec), nil
}

func walk(dec *json.Decoder) any {
	token, _ := dec.Token()
	switch token {
	case json.Delim('{'):
		return walkObject(dec)
	case json.Delim('['):
		return walkArray(dec)
	}
	return token
}

func walkObject(dec *json.Decoder) object {
	o := object{}
	for dec.More() {
		key, _ := walk(dec).(string)
		o = append(o, member{key: key, value: walk(dec)})
	}
	_, _ = dec.Token() // the closing brace
	return o
}

func walkArray(dec *json.Decoder) []any {
	list := []any{}
	for dec.More() {
		list = append(list, walk(dec))
	}
	_, _ = dec.Token() // the closing bracket
	return list
}

// located adds the line to a syntax error.
func located(data []byte, err error) error {
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return err
	}
	line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
	return fmt.Errorf("line %d: %w", line, err)
}
