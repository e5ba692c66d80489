package fakegateway

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
)

func TestRespond_UnmappedErrorCodeReturns500(t *testing.T) {
	w := httptest.NewRecorder()
	handler := respond(func(*http.Request) (any, error) { return nil, fault.New(fault.Conflict, "The payment has ended.") })

	handler(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))

	assert.Equal(t, http.StatusInternalServerError, w.Code)
	assert.JSONEq(t, `{"error": {"message": "The payment has ended."}}`, w.Body.String())
}
