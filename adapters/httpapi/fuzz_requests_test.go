package httpapi_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// rawRequests are requests as they come over the wire, from odd to hostile.
var rawRequests = []string{
	"GET /vc-admin/diy?redirectTo=//evil.example&debug=%0d%0aX:y HTTP/1.1\r\nHost: evil.example\r\n\r\n",
	"GET /vc-admin/diy?//evil.example HTTP/1.1\r\nHost: diy.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript\r\n\r\n",
	"GET //evil.example/%2e%2e HTTP/1.1\r\nHost: diy.example\r\n\r\n",
	"GET http://evil.example/vc-admin/diy HTTP/1.1\r\nHost: diy.example\r\n\r\n",
	"GET /vc-admin/diy/..%2f..%2fetc/passwd HTTP/1.1\r\nHost: diy.example\r\n\r\n",
	"GET /vc-admin/diy/%5c%5cevil.example/.. HTTP/1.1\r\nHost: diy.example\r\n\r\n",
	"GET /vc-admin/diy/assets/app-1.js HTTP/1.1\r\nHost: x\r\nRange: bytes=9999-\r\nAccept-Encoding: br;q=0,,gzip;q=x\r\n\r\n",
	"GET /vc-admin/diy/assets/app-1.js HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\nAccept-Encoding: gzip\r\n\r\n",
	"GET /vc-admin/diy/config.json HTTP/1.1\r\nHost: x\r\nRange: bytes=5-1,-0,0-0\r\n\r\n",
	"GET /vc-admin/diy/config.json HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nIf-Modified-Since: never\r\n\r\n",
	"GET /vc-admin/diy/openapi.yaml HTTP/1.1\r\nHost: x\r\nRange: bytes=0-0,1-1\r\nIf-Range: \"\"\r\n\r\n",
	"HEAD /vc-admin/dash HTTP/1.1\r\nHost: x\r\nCookie: diy=; diy=x; XSRF-TOKEN=.; diy-browser=~~~~~~a.b.c\r\n\r\n",
	"GET /vc-admin/auth/verify?token=%00%ff HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ,, 1.2.3.4:99999, [::1%25x]\r\n\r\n",
	"GET /vc-admin/org/detail/%00?a;b HTTP/1.1\r\nHost: x\r\n\r\n",
	"OPTIONS * HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Method: POST\r\nOrigin: null\r\n\r\n",
	"OPTIONS /auth/login HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Method: POST\r\nOrigin: https://evil.example\r\n\r\n",
	"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
	"TRACE / HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\n\r\n",
	"BREW /auth/login HTTP/1.1\r\nHost: x\r\nX-HTTP-Method-Override: POST\r\n\r\n",
	"POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 8\r\n\r\nusername",
	"POST /auth/login HTTP/1.1\r\nHost: x\r\nOrigin: null\r\nContent-Type: ;;\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
	"POST /vc-admin/webhooks/stripe HTTP/1.1\r\nHost: x\r\nStripe-Signature: t=1,v1=\xff\r\nContent-Length: 2\r\n\r\n{}",
	"POST /vc-admin/diy/plans?_method=DELETE HTTP/1.1\r\nHost: x\r\nX-Method-Override: DELETE\r\n\r\n",
}

// Whatever can be read as a request at all is answered properly, and what it names as its host or
// its way here leads nobody elsewhere.
func FuzzRequests(f *testing.F) {
	o := newOpenHouse(f)
	for _, raw := range rawRequests {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			return // the server refuses it before anybody is asked
		}
		r.RemoteAddr = "127.0.0.1:4711" // a trusted proxy
		answer := o.ask(t, r.WithContext(t.Context()))
		assert.NotContains(t, answer.Header, "Access-Control-Allow-Origin")
		for _, cookie := range answer.Cookies() {
			assert.Empty(t, cookie.Domain)
		}
	})
}
