package httpapi_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const responseExamplesFile = "../../testdata/responses.json"

// TestResponseExamples_AreThoseOfTheSchema compares testdata/responses.json with openapi.yaml. The web app tests its decoders
// with the file. Run the test with UPDATE_RESPONSES=1 to write the file.
func TestResponseExamples_AreThoseOfTheSchema(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	require.NoError(t, err)
	examples := map[string]any{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			response := operation.Responses.Status(200)
			if response == nil || response.Value.Content.Get("application/json") == nil {
				continue
			}
			schema := response.Value.Content.Get("application/json").Schema.Value
			example := exampleResponse("", schema)
			require.NoError(t, schema.VisitJSON(example), "%s %s", method, path)
			examples[method+" "+path] = example
		}
	}
	want, err := json.MarshalIndent(examples, "", " ")
	require.NoError(t, err)
	want = append(want, '\n')
	if os.Getenv("UPDATE_RESPONSES") != "" {
		require.NoError(t, os.WriteFile(responseExamplesFile, want, 0o600))
	}
	got, err := os.ReadFile(responseExamplesFile)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "run the test with UPDATE_RESPONSES=1")
}

// responseTexts are valid texts by the name of a property that has a form, but no format, enum or example in the schema.
var responseTexts = map[string]string{
	"currency": "AUD", "code": "AUD", "timeZone": "Australia/Sydney", "country": "AU", "priceId": "standard_yearly", "interval": "yearly",
}

// exampleResponse returns a value of the schema with all its properties.
func exampleResponse(name string, schema *openapi3.Schema) any {
	switch {
	case schema.Example != nil:
		return schema.Example
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case len(schema.OneOf) > 0:
		return exampleResponse(name, schema.OneOf[0].Value)
	case schema.Type.Is("string"):
		return exampleText(name, schema)
	case len(schema.AllOf) == 1 && len(schema.Properties) == 0:
		return exampleResponse(name, schema.AllOf[0].Value)
	case len(schema.AllOf) > 0, schema.Type.Is("object"):
		return exampleResponseObject(schema)
	case schema.Type.Is("array"):
		return []any{exampleResponse(name, schema.Items.Value)}
	case schema.Type.Is("boolean"):
		return true
	}
	return 2.0
}

func exampleText(name string, schema *openapi3.Schema) string {
	if schema.Format == "date-time" {
		return "2027-11-21T00:00:00Z"
	}
	return cmp.Or(responseTexts[name], "x")
}

func exampleResponseObject(schema *openapi3.Schema) map[string]any {
	object := map[string]any{}
	for _, part := range schema.AllOf {
		if fields, ok := exampleResponse("", part.Value).(map[string]any); ok {
			maps.Copy(object, fields)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		object[name] = exampleResponse(name, schema.Properties[name].Value)
	}
	if values := schema.AdditionalProperties.Schema; values != nil {
		object["AUD"] = exampleResponse("", values.Value)
	}
	return object
}
