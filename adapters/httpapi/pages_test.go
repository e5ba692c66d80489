package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/httpapi"
)

func TestEveryScreenIsTheOnePage(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{
		"/vc-admin/diy/plans?debug=true", "/vc-admin/diy/regform", "/vc-admin/diy/payment", "/vc-admin/diy/no-such-screen",
		"/vc-admin/diy/index.html", "/vc-admin/dash",
	} {
		b := h.browser(t)
		a := b.get(path)
		assert.Equal(t, http.StatusOK, a.Status, path)
		assert.Contains(t, string(a.Body), "<title>diy</title>")
		assert.NotEmpty(t, b.cookie("XSRF-TOKEN"), "every page brings the token")
	}
}

func TestFilesOfTheWebAppAreKeptForGood(t *testing.T) {
	a := newHouse(t).browser(t).get("/vc-admin/diy/assets/app-1.js")

	assert.Equal(t, http.StatusOK, a.Status)
	assert.Contains(t, a.Header.Get("Content-Type"), "text/javascript")
	assert.Contains(t, a.Header.Get("Cache-Control"), "immutable")
}

func TestUnknownAddressesAreNotFound(t *testing.T) {
	b := newHouse(t).browser(t)
	b.get("/vc-admin/diy/assets/gone.js").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/somewhere").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/dev/clock").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/vc-admin/signup").refused(http.StatusMethodNotAllowed, "ERRMETHOD")
}

func TestRootLeadsToTheMeetings(t *testing.T) {
	a := newHouseAt(t, httpapi.Site{MeetingURL: "https://meet.example"}).browser(t).get("/")
	assert.Equal(t, http.StatusFound, a.Status)
	assert.Equal(t, "https://meet.example", a.Header.Get("Location"))

	assert.Contains(t, string(newHouse(t).browser(t).get("/").Body), "join a meeting")
}

func TestHealthAndReadiness(t *testing.T) {
	h := newHouse(t)
	b := h.browser(t)
	assert.Equal(t, http.StatusOK, b.get("/healthz").Status)
	assert.Equal(t, http.StatusOK, b.get("/readyz").Status)

	assert.NoError(t, h.store.Close())

	assert.Equal(t, http.StatusOK, b.get("/healthz").Status)
	b.get("/readyz").refused(http.StatusServiceUnavailable, "ERRPROVIDER")
}
