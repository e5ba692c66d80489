package httpapi_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// errorFieldNames maps fields of requests that have another name in errors. Errors about an address use the names of
// the registration form, and errors about a part of a tax ID name the whole ID.
var errorFieldNames = map[string]string{"postal_code": "pincode", "city": "district", "value": "taxId"}

// badInput is a request body in which one field is invalid.
type badInput struct {
	field, reason string
	body          any
}

// badInputs returns bodies that lack a required field of the schema or have a bad value in one field.
func badInputs(schema *openapi3.Schema) (inputs []badInput) {
	validBody := exampleObject(schema)
	addBody := func(name, field, reason string, value any) {
		body := maps.Clone(validBody)
		if body[name] = value; value == nil {
			delete(body, name)
		}
		inputs = append(inputs, badInput{field, reason, body})
	}
	for _, part := range append([]*openapi3.Schema{schema}, allOfParts(schema)...) {
		for _, name := range part.Required {
			addBody(name, name, "missing", nil)
		}
		for name, property := range part.Properties {
			for reason, value := range badValues(property.Value) {
				addBody(name, name, reason, value)
			}
			if len(exampleObject(property.Value)) > 0 {
				for _, input := range badInputs(property.Value) {
					addBody(name, input.field, input.reason, input.body)
				}
			}
		}
	}
	return inputs
}

// badValues returns values that the schema does not allow, by the reason.
func badValues(s *openapi3.Schema) map[string]any {
	values := map[string]any{"wrong type": "x"}
	if s.Type.Is("string") {
		values["wrong type"] = 1
	}
	if len(s.Enum) > 0 {
		values["unknown value"] = "unknown"
	}
	if s.Pattern != "" {
		values["wrong form"] = "??"
	}
	if s.Max != nil {
		values["too large"] = *s.Max + 1
	}
	if s.MaxLength != nil {
		values["too long"] = strings.Repeat("x", int(*s.MaxLength)+1)
	}
	return values
}

func allOfParts(schema *openapi3.Schema) (parts []*openapi3.Schema) {
	for _, part := range schema.AllOf {
		parts = append(parts, part.Value)
	}
	return parts
}

// The test sends all bad inputs to those calls in openapi.yaml that are about subscriptions, invoices and billing
// details.
func TestCalls_ErrorNamesTheInvalidField(t *testing.T) {
	s := newFuzzServer(t)
	paths := s.api.doc.Paths.Map()
	callPaths := regexp.MustCompile("^/vc-admin/org/(subscription|invoices|billing)/")
	count := 0
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		operation := paths[path].Post
		if operation == nil || operation.RequestBody == nil || !callPaths.MatchString(path) {
			continue
		}
		for _, input := range badInputs(operation.RequestBody.Value.Content.Get("application/json").Schema.Value) {
			count++
			t.Run(path[1:]+" "+input.field+" "+input.reason, func(t *testing.T) {
				body, err := json.Marshal(input.body)
				require.NoError(t, err)
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(string(body)))
				s.callers[licensedCaller].authenticate(r)
				w := httptest.NewRecorder()
				s.handler.ServeHTTP(w, r)
				assert.Equal(t, http.StatusBadRequest, w.Code, "%s", w.Body)
				assert.Regexp(t, `\b(`+input.field+`|`+cmp.Or(errorFieldNames[input.field], input.field)+`)\b`, w.Body.String())
			})
		}
	}
	assert.Greater(t, count, 50)
}
