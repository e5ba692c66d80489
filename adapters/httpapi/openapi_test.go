package httpapi_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
)

// openAPIValidator validates requests and responses against openapi.yaml.
type openAPIValidator struct {
	doc    *openapi3.T
	router routers.Router
}

// loadOpenAPI parses openapi.yaml once, because that takes longer than most tests.
var loadOpenAPI = sync.OnceValues(func() (*openAPIValidator, error) {
	doc, err := openapi3.NewLoader().LoadFromData(httpapi.OpenAPI)
	if err != nil {
		return nil, err
	}
	if err := doc.Validate(context.Background()); err != nil {
		return nil, err
	}
	router, err := gorillamux.NewRouter(doc)
	return &openAPIValidator{doc: doc, router: router}, err
})

func requireOpenAPI(t testing.TB) *openAPIValidator {
	t.Helper()
	o, err := loadOpenAPI()
	require.NoError(t, err)
	return o
}

var validationOptions = &openapi3filter.Options{MultiError: true, IncludeResponseStatus: true}

// checkRequest fails the test if the request does not match openapi.yaml.
func (o *openAPIValidator) checkRequest(t testing.TB, r *http.Request, body []byte) {
	t.Helper()
	input := o.validationInput(t, r)
	if input == nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	assert.NoError(t, openapi3filter.ValidateRequest(t.Context(), input), "the request does not match openapi.yaml")
	// The validation may have inserted default values.
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

// checkResponse fails the test if the response does not match openapi.yaml.
func (o *openAPIValidator) checkResponse(t testing.TB, r *http.Request, res *http.Response, body []byte) {
	t.Helper()
	input := o.validationInput(t, r)
	if input == nil {
		return
	}
	if res.Header.Get("Content-Encoding") == "gzip" {
		body = gunzip(t, body)
	}
	err := openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: res.StatusCode, Header: res.Header,
		Body: io.NopCloser(bytes.NewReader(body)), Options: validationOptions,
	})
	assert.NoError(t, err, "%s %s: the response does not match openapi.yaml: %s", r.Method, r.URL.Path, body)
	operation := input.Route.Operation
	if res.StatusCode == http.StatusTooManyRequests {
		assert.NotNil(t, operation.Responses.Status(res.StatusCode), "%s: openapi.yaml has no 429", operation.OperationID)
	}
	if res.StatusCode == http.StatusForbidden && bytes.Contains(body, []byte("ERRREAUTHENTICATE")) {
		assert.Contains(t, operation.Summary+operation.Description, "ERRREAUTHENTICATE", operation.OperationID)
	}
}

// validationInput returns nil for a page or any other route that openapi.yaml does not describe.
func (o *openAPIValidator) validationInput(t testing.TB, r *http.Request) *openapi3filter.RequestValidationInput {
	t.Helper()
	route, params, err := o.router.FindRoute(r)
	if err != nil {
		return nil
	}
	return &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route, Options: validationOptions,
	}
}
