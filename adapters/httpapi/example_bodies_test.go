package httpapi_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// validValues are valid values by property name. The value "x" is valid for all other strings.
var validValues = map[string]string{
	"firstName": "Ada", "lastName": "Lovelace", "org": "Sunrise Clinic", "email": "ada@sunrise.example",
	"username": "licensed@sunrise.example", "password": testPassword, "contact": "+61 2 5550 0100", "country": "AU",
	"currency": "AUD", "interval": "yearly", "product": "professional", "priceId": "standard_yearly", "status": "canceled",
	"billingEmail": "bills@sunrise.example", "phone": "+61 2 5550 0100", "type": "au_abn", "value": "51824753556",
	"when": "renewal", "reason": "other",
}

// unexpectedValues are JSON values that are invalid for most fields.
var unexpectedValues = []string{
	`null`, `true`, `-1`, `1e309`, `0.1`, `[]`, `{}`, `[{}]`, `[null]`, `""`, `" "`, `"\u0000"`, `"\ud800"`, `"\u202e"`,
	`"\r\nSet-Cookie: x=1"`, `"' OR 1=1 --"`, `"<script>"`, `"../../x"`, `"//evil.example"`, `"💥"`,
	`"` + strings.Repeat("x", 3000) + `"`,
}

// requestBodies returns a valid body for the route and then its mutations.
func requestBodies(tb testing.TB, doc *openapi3.T, route string) (bodies [][]byte) {
	tb.Helper()
	method, path, _ := strings.Cut(route, " ")
	pathItem := doc.Paths.Value(path)
	if pathItem == nil || pathItem.GetOperation(method) == nil || pathItem.GetOperation(method).RequestBody == nil {
		return [][]byte{nil, []byte("{}")}
	}
	body := pathItem.GetOperation(method).RequestBody.Value.Content.Get("application/json")
	if body == nil || body.Schema == nil {
		return [][]byte{nil, []byte("{}")}
	}
	example := exampleValue("", body.Schema.Value)
	for _, value := range append([]any{example}, mutations(example)...) {
		bodyJSON, err := json.Marshal(value)
		require.NoError(tb, err)
		bodies = append(bodies, bodyJSON)
	}
	return bodies
}

func exampleValue(name string, schema *openapi3.Schema) any {
	switch {
	case len(schema.AllOf) > 0 || schema.Type.Is("object"):
		return exampleObject(schema)
	case schema.Type.Is("array"):
		return []any{exampleValue(name, schema.Items.Value)}
	case schema.Type.Is("boolean"):
		return true
	case schema.Type.Is("integer"), schema.Type.Is("number"):
		return 1
	case validValues[name] != "":
		return validValues[name]
	}
	return "x"
}

func exampleObject(schema *openapi3.Schema) map[string]any {
	object := map[string]any{}
	for _, part := range schema.AllOf {
		maps.Copy(object, exampleObject(part.Value))
	}
	for name, property := range schema.Properties {
		object[name] = exampleValue(name, property.Value)
	}
	return object
}

// mutations returns copies of the value. In each copy an unexpected value replaces the whole value or a part of the
// value.
func mutations(value any) (copies []any) {
	for _, text := range unexpectedValues {
		copies = append(copies, json.RawMessage(text))
	}
	object, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		for _, mutation := range mutations(object[name]) {
			objectCopy := maps.Clone(object)
			objectCopy[name] = mutation
			copies = append(copies, objectCopy)
		}
	}
	return copies
}
