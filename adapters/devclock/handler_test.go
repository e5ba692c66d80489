package devclock_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHandlerTellsAndMovesTheTime(t *testing.T) {
	cases := map[string]struct {
		method, body string
		status       int
		says         string
	}{
		"tells":          {http.MethodGet, "", http.StatusOK, `{"now":"2026-03-01T12:00:00Z"}`},
		"moves":          {http.MethodPost, `{"advance": "90m"}`, http.StatusOK, `{"now":"2026-03-01T13:30:00Z"}`},
		"not backwards":  {http.MethodPost, `{"advance": "-1h"}`, http.StatusBadRequest, "forwards"},
		"no duration":    {http.MethodPost, `{"advance": "a week"}`, http.StatusBadRequest, `{"advance": "192h"}`},
		"nothing at all": {http.MethodPost, "", http.StatusBadRequest, `{"advance": "192h"}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			answer := httptest.NewRecorder()

			opened(t, "").ServeHTTP(answer, httptest.NewRequest(c.method, "/dev/clock", strings.NewReader(c.body)))

			assert.Equal(t, c.status, answer.Code)
			assert.Contains(t, answer.Body.String(), c.says)
		})
	}
}
