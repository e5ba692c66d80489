package httpapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/trace"
)

// watched is a face without a house behind it, and all that it tells of what is asked.
type watched struct {
	http.Handler
	answers []httpapi.Response
	log     strings.Builder
	ids     []string // under which /work/{name} was done
}

func newWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{}
	var err error
	w.Handler, err = httpapi.New(httpapi.Options{
		Session: func(next http.Handler) http.Handler { return next },
		Ready:   func(*http.Request) error { return fault.New(fault.Unavailable, "no database") },
		WebApp:  fstest.MapFS{"index.html": {Data: []byte("<!doctype html>")}, "screens.json": {Data: []byte("{}")}},
		Routes: []httpapi.Routes{func(r chi.Router) {
			r.Get("/work/{name}", func(_ http.ResponseWriter, r *http.Request) { w.ids = append(w.ids, trace.IDOf(r.Context())) })
			r.Get("/panic", func(http.ResponseWriter, *http.Request) { panic("out of order") })
		}},
		Site: httpapi.Site{Payments: fakePage}, Catalogue: catalogue.Default(), Log: slog.New(slog.NewTextHandler(&w.log, nil)),
		Observe: func(a httpapi.Response) { w.answers = append(w.answers, a) },
	})
	require.NoError(t, err)
	return w
}

func (w *watched) ask(method, target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Header.Set("X-Request-Id", "chosen-by-a-stranger")
	answer := httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	return answer
}

func TestAnswersAreObservedByRouteAndNeverByWhatWasAskedFor(t *testing.T) {
	for _, c := range []struct {
		method, target string
		want           httpapi.Response
	}{
		{"GET", "/work/charlotte?token=secret", httpapi.Response{Method: "GET", Route: "/work/{name}", Status: 200}},
		{"HEAD", "/work/charlotte", httpapi.Response{Method: "HEAD", Route: "/work/{name}", Status: 200}},
		{"GET", "/vc-admin/diy/assets/charlotte.js", httpapi.Response{Method: "GET", Route: "/vc-admin/diy/*", Status: 404}},
		{"GET", "/readyz", httpapi.Response{Method: "GET", Route: "/readyz", Status: 503}},
		{"GET", "/panic", httpapi.Response{Method: "GET", Route: "/panic", Status: 500}},
		{"GET", "/wp-login.php", httpapi.Response{Method: "GET", Route: "none", Status: 404}},
		{"GET", "/vc-admin/elsewhere/charlotte", httpapi.Response{Method: "GET", Route: "none", Status: 404}},
		{"DELETE", "/work/charlotte", httpapi.Response{Method: "DELETE", Route: "none", Status: 405}},
		{"BREW", "/work/charlotte", httpapi.Response{Method: "other", Route: "none", Status: 405}},
	} {
		w := newWatched(t)
		assert.Equal(t, c.want.Status, w.ask(c.method, c.target).Code, c.target)
		require.Len(t, w.answers, 1)
		assert.Positive(t, w.answers[0].Duration)
		w.answers[0].Duration = 0
		assert.Equal(t, c.want, w.answers[0], c.target)
		for _, secret := range []string{"secret", "token", "charlotte", "wp-login", "BREW", "stranger"} {
			assert.NotContains(t, w.log.String(), secret)
		}
	}
}

func TestEveryRequestHasAnIDOfItsOwn(t *testing.T) {
	w := newWatched(t)
	first, second := w.ask("GET", "/work/1"), w.ask("GET", "/work/2")

	told := []string{first.Header().Get("X-Request-Id"), second.Header().Get("X-Request-Id")}
	assert.Equal(t, told, w.ids, "the work is done under the id that the answer tells")
	assert.NotEqual(t, told[0], told[1])
	assert.NotContains(t, told, "chosen-by-a-stranger")
}

func TestAPanicIsLoggedWithItsPlaceAndNotShown(t *testing.T) {
	w := newWatched(t)
	answer := w.ask("GET", "/panic")

	assert.NotContains(t, answer.Body.String(), "out of order")
	assert.Contains(t, w.log.String(), "out of order")
	assert.Contains(t, w.log.String(), "logging_test.go")
}
