package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
)

func TestEveryScreenIsTheOnePage(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{
		"/vc-admin/diy/plans?debug=true", "/vc-admin/diy/regform", "/vc-admin/diy/payment", "/vc-admin/diy/no-such-screen",
		"/vc-admin/diy/index.html", "/vc-admin/dash", "/vc-admin/dash/",
	} {
		b := h.browser(t)
		a := b.get(path)
		assert.Equal(t, http.StatusOK, a.Status, path)
		assert.Contains(t, string(a.Body), "<title>diy</title>")
		assert.NotEmpty(t, b.cookie("XSRF-TOKEN"), "every page brings the token")
	}
}

func TestTheAreasOwnAddressLeadsToThePlans(t *testing.T) {
	b := newHouse(t).browser(t)
	for _, path := range []string{"/vc-admin/diy?debug=true", "/vc-admin/diy/?debug=true"} {
		a := b.get(path)
		assert.Equal(t, http.StatusFound, a.Status, path)
		assert.Equal(t, "/vc-admin/diy/plans?debug=true", a.Header.Get("Location"), path)
	}
}

func TestAScreenHasAPageOfItsOwnWhereTheBuildMadeOne(t *testing.T) {
	b := newHouse(t).browser(t)

	assert.Contains(t, string(b.get("/vc-admin/diy/regform?product=standard").Body), "assets/form-1.js")
	assert.NotContains(t, string(b.get("/vc-admin/diy/plans").Body), "assets/form-1.js")
}

func TestFilesOfTheWebAppAreKeptForGood(t *testing.T) {
	a := newHouse(t).browser(t).get("/vc-admin/diy/assets/app-1.js")

	assert.Equal(t, http.StatusOK, a.Status)
	assert.Contains(t, a.Header.Get("Content-Type"), "text/javascript")
	assert.Contains(t, a.Header.Get("Cache-Control"), "immutable")
}

func TestFilesComeAsTightAsTheBrowserTakesThem(t *testing.T) {
	b := newHouse(t).browser(t)
	for accepted, want := range map[string]struct{ encoding, body string }{
		"gzip, deflate, br": {"br", "brotli twin"},
		"gzip":              {"gzip", string(gzipped(t, "export {}"))},
		"br;q=0, identity":  {"", "export {}"},
		"identity":          {"", "export {}"},
	} {
		r := b.request(http.MethodGet, "/vc-admin/diy/assets/app-1.js", nil)
		r.Header.Set("Accept-Encoding", accepted)
		a := b.send(r)
		assert.Equal(t, want.encoding, a.Header.Get("Content-Encoding"), accepted)
		assert.Equal(t, want.body, string(a.Body), accepted)
		assert.Contains(t, a.Header.Get("Content-Type"), "text/javascript")
		assert.Contains(t, a.Header.Values("Vary"), "Accept-Encoding")
	}
}

func TestDocumentsComeCompressedToWhoeverTakesIt(t *testing.T) {
	b := newHouse(t).browser(t)
	for _, path := range []string{"/vc-admin/diy/config.json", "/vc-admin/diy/openapi.yaml"} {
		for accepted, want := range map[string]string{"gzip, deflate, br": "gzip", "gzip;q=0": "", "br": "", "identity": ""} {
			plain := b.get(path)
			r := b.request(http.MethodGet, path, nil)
			r.Header.Set("Accept-Encoding", accepted)
			a := b.send(r)
			assert.Equal(t, want, a.Header.Get("Content-Encoding"), "%s %s", path, accepted)
			assert.Contains(t, a.Header.Values("Vary"), "Accept-Encoding")
			assert.Equal(t, plain.Header.Get("ETag"), a.Header.Get("ETag"))
			if want == "gzip" {
				assert.Less(t, len(a.Body), len(plain.Body))
				a.Body = gunzipped(t, a.Body)
			}
			assert.Equal(t, string(plain.Body), string(a.Body))
		}
	}
	r := b.request(http.MethodGet, "/vc-admin/diy/plans", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	assert.Empty(t, b.send(r).Header.Get("Content-Encoding"), "so short a page would only get longer")
}

func TestFilesComeWholeOrNotAtAll(t *testing.T) {
	b := newHouse(t).browser(t)
	for _, path := range []string{"/vc-admin/diy/plans", "/vc-admin/diy/config.json", "/vc-admin/diy/assets/app-1.js"} {
		whole := b.get(path)
		for name, value := range map[string]string{"Range": "bytes=999999-", "If-Match": `"x"`} {
			r := b.request(http.MethodGet, path, nil)
			r.Header.Set(name, value)
			a := b.send(r)
			assert.Equal(t, http.StatusOK, a.Status, "%s %s", path, name)
			assert.Equal(t, whole.Body, a.Body)
			assert.Equal(t, whole.Header.Get("Cache-Control"), a.Header.Get("Cache-Control"))
		}
	}
}

func TestPagesAnswerHead(t *testing.T) {
	b := newHouse(t).browser(t)
	for _, path := range []string{"/vc-admin/diy/plans", "/vc-admin/dash", "/healthz"} {
		assert.Equal(t, http.StatusOK, b.send(b.request(http.MethodHead, path, nil)).Status, path)
	}
}

func TestUnknownAddressesAreNotFound(t *testing.T) {
	b := newHouse(t).browser(t)
	b.get("/vc-admin/diy/assets/gone.js").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/vc-admin/diy/.vite/manifest.json").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/vc-admin/diy/assets/.keep").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/somewhere").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/dev/clock").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/vc-admin/signup").refused(http.StatusMethodNotAllowed, "ERRMETHOD")
}

func TestAMethodThatIsNotAnsweredIsToldWhichAre(t *testing.T) {
	b := newHouse(t).browser(t)
	for path, want := range map[string]string{
		"/auth/login": "POST", "/vc-admin/dash": "GET, HEAD", "/vc-admin/org/detail/org_1": "GET, HEAD", "/vc-admin/diy/plans": "GET, HEAD",
	} {
		a := b.send(b.request(http.MethodDelete, path, nil))
		a.refused(http.StatusMethodNotAllowed, "ERRMETHOD")
		assert.Equal(t, want, a.Header.Get("Allow"), path)
	}
}

func TestRootLeadsToTheMeetings(t *testing.T) {
	a := newHouseAt(t, httpapi.Site{MeetingURL: "https://meet.example", Payments: fakePage}).browser(t).get("/")
	assert.Equal(t, http.StatusFound, a.Status)
	assert.Equal(t, "https://meet.example", a.Header.Get("Location"))

	assert.Contains(t, string(newHouse(t).browser(t).get("/").Body), "join a meeting")
}

func TestHealthAndReadiness(t *testing.T) {
	h := newHouse(t)
	b := h.browser(t)
	assert.Equal(t, http.StatusOK, b.get("/healthz").Status)
	assert.Equal(t, http.StatusOK, b.get("/readyz").Status)

	_, err := h.store.Pools()["writes"].ExecContext(t.Context(), "ALTER TABLE users RENAME TO destroyed")
	require.NoError(t, err)
	b.get("/readyz").refused(http.StatusServiceUnavailable, "ERRPROVIDER")

	require.NoError(t, h.store.Close())

	assert.Equal(t, http.StatusOK, b.get("/healthz").Status)
	b.get("/readyz").refused(http.StatusServiceUnavailable, "ERRPROVIDER")
}
