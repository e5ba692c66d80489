package devclock_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestServeHTTP_ReturnsTimeAndAdvancesClock(t *testing.T) {
	cases := map[string]struct {
		method, body string
		wantStatus   int
		wantBody     string
	}{
		"GET":                         {http.MethodGet, "", http.StatusOK, `{"now":"2026-03-01T12:00:00Z"}`},
		"POST":                        {http.MethodPost, `{"advance": "90m"}`, http.StatusOK, `{"now":"2026-03-01T13:30:00Z"}`},
		"POST with negative duration": {http.MethodPost, `{"advance": "-1h"}`, http.StatusBadRequest, "forwards"},
		"POST with invalid duration":  {http.MethodPost, `{"advance": "a week"}`, http.StatusBadRequest, `{"advance": "192h"}`},
		"POST with empty body":        {http.MethodPost, "", http.StatusBadRequest, `{"advance": "192h"}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			response := httptest.NewRecorder()
			request := httptest.NewRequest(c.method, "/dev/clock", strings.NewReader(c.body))
			if c.method == http.MethodPost {
				request.Header.Set("X-Requested-With", "XMLHttpRequest")
			}

			openAtNoon(t, "").ServeHTTP(response, request)

			assert.Equal(t, c.wantStatus, response.Code)
			assert.Contains(t, response.Body.String(), c.wantBody)
		})
	}
}

func TestServeHTTP_RejectsPostWithoutRequestedWithHeader(t *testing.T) {
	clock := openAtNoon(t, "")
	response := httptest.NewRecorder()

	clock.ServeHTTP(response, httptest.NewRequest(http.MethodPost, "/dev/clock", strings.NewReader(`{"advance": "1h"}`)))

	assert.Equal(t, http.StatusForbidden, response.Code)
	assert.Equal(t, noon, clock.Now())
}
