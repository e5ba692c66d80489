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

// good are values that are let in, by the name of the property. Any other text is "x".
var good = map[string]string{
	"firstName": "Ada", "lastName": "Lovelace", "org": "Sunrise Clinic", "email": "ada@sunrise.example",
	"username": "licensed@sunrise.example", "password": password, "contact": "+61 2 5550 0100", "country": "AU",
	"currency": "AUD", "interval": "yearly", "product": "professional", "priceId": "professional_yearly", "status": "canceled",
}

// odd are values that somebody may send in place of another.
var odd = []string{
	`null`, `true`, `-1`, `1e309`, `0.1`, `[]`, `{}`, `[{}]`, `[null]`, `""`, `" "`, `"\u0000"`, `"\ud800"`, `"\u202e"`,
	`"\r\nSet-Cookie: x=1"`, `"' OR 1=1 --"`, `"<script>"`, `"../../x"`, `"//evil.example"`, `"💥"`,
	`"` + strings.Repeat("x", 3000) + `"`,
}

// bodiesOf are requests for the route as the wire's description has them: one that is as described,
// and then everything that is spoilt by one odd value.
func bodiesOf(tb testing.TB, doc *openapi3.T, route string) (bodies [][]byte) {
	tb.Helper()
	method, path, _ := strings.Cut(route, " ")
	described := doc.Paths.Value(path)
	if described == nil || described.GetOperation(method) == nil || described.GetOperation(method).RequestBody == nil {
		return [][]byte{nil, []byte("{}")}
	}
	body := described.GetOperation(method).RequestBody.Value.Content.Get("application/json")
	if body == nil || body.Schema == nil {
		return [][]byte{nil, []byte("{}")}
	}
	example := exampleOf("", body.Schema.Value)
	for _, value := range append([]any{example}, spoilt(example)...) {
		text, err := json.Marshal(value)
		require.NoError(tb, err)
		bodies = append(bodies, text)
	}
	return bodies
}

func exampleOf(name string, schema *openapi3.Schema) any {
	switch {
	case len(schema.AllOf) > 0 || schema.Type.Is("object"):
		return objectOf(schema)
	case schema.Type.Is("array"):
		return []any{exampleOf(name, schema.Items.Value)}
	case schema.Type.Is("boolean"):
		return true
	case schema.Type.Is("integer"), schema.Type.Is("number"):
		return 1
	case good[name] != "":
		return good[name]
	}
	return "x"
}

func objectOf(schema *openapi3.Schema) map[string]any {
	object := map[string]any{}
	for _, part := range schema.AllOf {
		maps.Copy(object, objectOf(part.Value))
	}
	for name, property := range schema.Properties {
		object[name] = exampleOf(name, property.Value)
	}
	return object
}

// spoilt is the value with every part of it replaced by every odd value, one at a time.
func spoilt(value any) (all []any) {
	for _, other := range odd {
		all = append(all, json.RawMessage(other))
	}
	object, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		for _, part := range spoilt(object[name]) {
			whole := maps.Clone(object)
			whole[name] = part
			all = append(all, whole)
		}
	}
	return all
}
