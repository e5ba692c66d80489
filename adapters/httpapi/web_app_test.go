package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/httpapi"
)

func TestPages_ServeIndexAndSetNoCookie(t *testing.T) {
	s := newTestServer(t)
	for _, path := range []string{
		"/vc-admin/diy/plans?debug=true", "/vc-admin/diy/regform", "/vc-admin/diy/payment", "/vc-admin/diy/no-such-screen",
		"/vc-admin/diy/index.html", "/vc-admin/dash", "/vc-admin/dash/",
	} {
		b := s.newBrowser(t)
		res := b.get(path)
		assert.Equal(t, http.StatusOK, res.Status, path)
		assert.Contains(t, string(res.Body), "<title>diy</title>")
		assert.Empty(t, res.Header.Values("Set-Cookie"), path)
	}
}

func TestPages_RootRedirectsToPlansWithQuery(t *testing.T) {
	b := newTestServer(t).newBrowser(t)
	for _, path := range []string{"/vc-admin/diy?debug=true", "/vc-admin/diy/?debug=true"} {
		res := b.get(path)
		assert.Equal(t, http.StatusFound, res.Status, path)
		assert.Equal(t, "/vc-admin/diy/plans?debug=true", res.Header.Get("Location"), path)
	}
}

func TestPages_ServePrerenderedScreens(t *testing.T) {
	b := newTestServer(t).newBrowser(t)

	assert.Contains(t, string(b.get("/vc-admin/diy/regform?product=standard").Body), "assets/form-1.js")
	assert.NotContains(t, string(b.get("/vc-admin/diy/plans").Body), "assets/form-1.js")
}

func TestPages_ServePrecompressedVariants(t *testing.T) {
	b := newTestServer(t).newBrowser(t)
	for path, want := range map[string]string{"/vc-admin/diy/regform": "br", "/vc-admin/diy/plans": ""} {
		r := b.newRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Encoding", "gzip, deflate, br")
		res := b.send(r)
		assert.Equal(t, want, res.Header.Get("Content-Encoding"), path)
		assert.Equal(t, "text/html; charset=utf-8", res.Header.Get("Content-Type"), path)
	}
}

func TestCalls_SetXSRFCookie(t *testing.T) {
	for _, path := range []string{"/vc-admin/diy/config.json", "/vc-admin/user/detail", "/vc-admin/org/customer/cards"} {
		b := newTestServer(t).newBrowser(t)
		b.get(path)
		assert.NotEmpty(t, b.cookie("XSRF-TOKEN"), path)
	}
}

func TestFiles_AreServedInEncodingThatBrowserAccepts(t *testing.T) {
	b := newTestServer(t).newBrowser(t)
	for acceptEncoding, want := range map[string]struct{ encoding, body string }{
		"gzip, deflate, br": {"br", "compressed with brotli"},
		"gzip":              {"gzip", string(gzipText(t, "export {}"))},
		"br;q=0, identity":  {"", "export {}"},
		"identity":          {"", "export {}"},
	} {
		r := b.newRequest(http.MethodGet, "/vc-admin/diy/assets/app-1.js", nil)
		r.Header.Set("Accept-Encoding", acceptEncoding)
		res := b.send(r)
		assert.Equal(t, want.encoding, res.Header.Get("Content-Encoding"), acceptEncoding)
		assert.Equal(t, want.body, string(res.Body), acceptEncoding)
		assert.Contains(t, res.Header.Get("Content-Type"), "text/javascript")
		assert.Contains(t, res.Header.Values("Vary"), "Accept-Encoding")
	}
}

func TestDocuments_AreCompressedIfBrowserAcceptsGzip(t *testing.T) {
	b := newTestServer(t).newBrowser(t)
	for _, path := range []string{
		"/vc-admin/diy/config.json", "/vc-admin/diy/common-passwords.json", "/vc-admin/diy/openapi.yaml",
	} {
		for acceptEncoding, want := range map[string]string{"gzip, deflate, br": "gzip", "gzip;q=0": "", "br": "", "identity": ""} {
			plainResponse := b.get(path)
			r := b.newRequest(http.MethodGet, path, nil)
			r.Header.Set("Accept-Encoding", acceptEncoding)
			res := b.send(r)
			assert.Equal(t, want, res.Header.Get("Content-Encoding"), "%s %s", path, acceptEncoding)
			assert.Contains(t, res.Header.Values("Vary"), "Accept-Encoding")
			assert.Equal(t, plainResponse.Header.Get("ETag"), res.Header.Get("ETag"))
			if want == "gzip" {
				assert.Less(t, len(res.Body), len(plainResponse.Body))
				res.Body = gunzip(t, res.Body)
			}
			assert.Equal(t, string(plainResponse.Body), string(res.Body))
		}
	}
}

func TestFiles_IgnoreRangesAndConditions(t *testing.T) {
	b := newTestServer(t).newBrowser(t)
	for _, path := range []string{"/vc-admin/diy/plans", "/vc-admin/diy/config.json", "/vc-admin/diy/assets/app-1.js"} {
		fullResponse := b.get(path)
		for name, value := range map[string]string{"Range": "bytes=999999-", "If-Match": `"x"`, "If-None-Match": `W/"x"`} {
			r := b.newRequest(http.MethodGet, path, nil)
			r.Header.Set(name, value)
			res := b.send(r)
			assert.Equal(t, http.StatusOK, res.Status, "%s %s", path, name)
			assert.Equal(t, fullResponse.Body, res.Body)
			assert.Equal(t, fullResponse.Header.Get("Cache-Control"), res.Header.Get("Cache-Control"))
			assert.Empty(t, res.Header.Values("Accept-Ranges"), "ranges are not supported")
		}
	}
}

func TestHome_RedirectsToMeetingURLOrExplainsMeetings(t *testing.T) {
	res := newTestServerWithSite(t, httpapi.Site{MeetingURL: "https://meet.example", Payments: fakeProviderWeb}).newBrowser(t).get("/")
	assert.Equal(t, http.StatusFound, res.Status)
	assert.Equal(t, "https://meet.example", res.Header.Get("Location"))

	assert.Contains(t, string(newTestServer(t).newBrowser(t).get("/").Body), "join a meeting")
}

func TestDocuments_RespondNotModifiedIfTheETagMatches(t *testing.T) {
	b := newTestServer(t).newBrowser(t)
	for _, path := range []string{"/vc-admin/diy/config.json", "/vc-admin/diy/plans"} {
		etag := b.get(path).Header.Get("ETag")
		for _, condition := range []string{etag, strings.TrimPrefix(etag, "W/"), `"a, b", W/"c",` + etag, "*"} {
			r := b.newRequest(http.MethodGet, path, nil)
			r.Header.Set("If-None-Match", condition)
			res := b.send(r)
			assert.Equal(t, http.StatusNotModified, res.Status, condition)
			assert.Equal(t, etag, res.Header.Get("ETag"))
			assert.Empty(t, res.Header.Values("Content-Type"))
		}
	}
}

func TestOpenAPI_IsServed(t *testing.T) {
	res := newTestServer(t).newBrowser(t).get("/vc-admin/diy/openapi.yaml")
	assert.Equal(t, string(httpapi.OpenAPI), string(res.Body))
}
