package sessionidentity

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// XSRFCookie is the cookie that our pages' script reads.
	XSRFCookie = "XSRF-TOKEN"
	// XSRFHeader is the header in which it sends the token back.
	XSRFHeader = "X-XSRF-TOKEN"
	// XSRFKeySize is the least number of bytes a key has.
	XSRFKeySize = 32

	nonceSize = 16
)

// ErrXSRF is what Check returns for a request that no page of ours can have sent. It is a
// Forbidden fault; compare with errors.Is.
var ErrXSRF error = fault.New(fault.Forbidden, "This page is out of date. Please reload it and try again.")

// XSRF tells our own pages' requests from those that other sites make a browser send. A token is
// a random nonce and its HMAC over the session's secret; the page reads it from a cookie and
// repeats it in a header, neither of which another site can do. A token is good for one session,
// or for visitors; a sign-in or a sign-out makes it worthless and sends a fresh one along.
type XSRF struct {
	key    []byte
	secure bool
}

// NewXSRF makes tokens with the key, which every server of one product shares and nobody else
// knows, and has the sessions' sign-ins and sign-outs send fresh ones.
func NewXSRF(sessions *Sessions, key []byte) (*XSRF, error) {
	if len(key) < XSRFKeySize {
		return nil, errors.New("sessionidentity: the XSRF key is too short")
	}
	x := &XSRF{key: append([]byte(nil), key...), secure: sessions.manager.Cookie.Secure}
	sessions.changed = x.set
	return x, nil
}

// Ensure sees to it that the browser holds a token that is good for its next request. Call it
// before the answer is written.
func (x *XSRF) Ensure(w http.ResponseWriter, r *http.Request) {
	secret := personOf(r.Context()).secret
	cookie, err := r.Cookie(XSRFCookie)
	if err != nil || !x.valid(cookie.Value, secret) {
		x.set(w, secret)
	}
}

// Check returns ErrXSRF unless the request's header repeats its cookie and the token is good for
// this session.
func (x *XSRF) Check(r *http.Request) error {
	header := r.Header.Get(XSRFHeader)
	if !x.valid(header, personOf(r.Context()).secret) {
		return ErrXSRF
	}
	for _, cookie := range r.CookiesNamed(XSRFCookie) {
		if subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(header)) == 1 {
			return nil
		}
	}
	return ErrXSRF
}

// set gives the browser a fresh token. The cookie goes with the browser window.
func (x *XSRF) set(w http.ResponseWriter, secret string) {
	dropCookie(w, XSRFCookie)
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // script must read it, and development has no https
		Name: XSRFCookie, Value: x.token(rand.Text()[:nonceSize], secret), Path: "/",
		Secure: x.secure, SameSite: http.SameSiteLaxMode,
	})
}

func (x *XSRF) valid(token, secret string) bool {
	nonce, _, ok := strings.Cut(token, ".")
	return ok && hmac.Equal([]byte(token), []byte(x.token(nonce, secret)))
}

// token needs no escaping, neither in a cookie nor in a header.
func (x *XSRF) token(nonce, secret string) string {
	mac := hmac.New(sha256.New, x.key)
	mac.Write([]byte("diy xsrf 1\x00" + binding(secret) + "\x00" + nonce))
	return nonce + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// binding names what a token is good for.
func binding(secret string) string {
	if secret == "" {
		return "anonymous"
	}
	return "session " + secret
}
