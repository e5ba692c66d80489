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
	// XSRFCookie is the name of the cookie, which the web app's script reads.
	XSRFCookie = "XSRF-TOKEN"
	// XSRFHeader is the name of the request header in which the script returns the token.
	XSRFHeader = "X-XSRF-TOKEN"
	// XSRFKeySize is the minimum key size in bytes.
	XSRFKeySize = 32

	nonceSize = 16
)

// ErrXSRF is the Forbidden fault that Check returns for a request without a valid token.
var ErrXSRF error = fault.New(fault.Forbidden, "This page is out of date. Please reload it and try again.")

// XSRF protects against cross-site request forgery, in which another site makes the browser send requests to this site. A
// token is a random nonce with an HMAC over the nonce and the session's id. The page reads the token from a cookie
// and repeats it in a header. Other sites can neither read the cookie nor send the header. A token is valid for one
// session, or for requests without a session. A sign-in or sign-out invalidates it and sets a new one.
type XSRF struct {
	key    []byte
	secure bool
}

// NewXSRF returns an XSRF that signs tokens with the secret key, which all servers share. It sets a new
// token after every sign-in and sign-out.
func NewXSRF(sessions *Sessions, key []byte) (*XSRF, error) {
	if len(key) < XSRFKeySize {
		return nil, errors.New("sessionidentity: the XSRF key is too short")
	}
	x := &XSRF{key: append([]byte(nil), key...), secure: sessions.secure}
	sessions.onUserChange = x.setNewToken
	return x, nil
}

// EnsureToken sets a new token unless the browser has a valid one. Call it before the response is written. Concurrent requests of
// a session that has ended get the same token, so that no response invalidates the token that the page sends next.
func (x *XSRF) EnsureToken(w http.ResponseWriter, r *http.Request) {
	sessionID := currentUser(r.Context()).SessionID
	cookie, err := r.Cookie(XSRFCookie)
	if err != nil {
		x.setNewToken(w, sessionID)
		return
	}
	nonce, _, _ := strings.Cut(cookie.Value, ".")
	switch {
	case x.isValid(cookie.Value, sessionID):
	case isNonce(nonce):
		x.setToken(w, x.token(nonce, sessionID))
	default:
		x.setNewToken(w, sessionID)
	}
}

// Check returns ErrXSRF unless the header equals the cookie and the token is valid for this session.
func (x *XSRF) Check(r *http.Request) error {
	header := r.Header.Get(XSRFHeader)
	if !x.isValid(header, currentUser(r.Context()).SessionID) {
		return ErrXSRF
	}
	for _, cookie := range r.CookiesNamed(XSRFCookie) {
		if subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(header)) == 1 {
			return nil
		}
	}
	return ErrXSRF
}

// setNewToken sets the cookie to a token with a new nonce.
func (x *XSRF) setNewToken(w http.ResponseWriter, sessionID string) {
	x.setToken(w, x.token(rand.Text()[:nonceSize], sessionID))
}

// setToken sets the cookie, which ends with the browser session.
func (x *XSRF) setToken(w http.ResponseWriter, token string) {
	removeSetCookie(w, XSRFCookie)
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // script must read it, and development has no https
		Name: XSRFCookie, Value: token, Path: "/", Secure: x.secure, SameSite: http.SameSiteLaxMode,
	})
}

// isNonce reports whether the text could be a nonce: base32 of the right length.
func isNonce(text string) bool {
	const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	return len(text) == nonceSize && strings.Trim(text, base32) == ""
}

func (x *XSRF) isValid(token, sessionID string) bool {
	nonce, _, ok := strings.Cut(token, ".")
	return ok && hmac.Equal([]byte(token), []byte(x.token(nonce, sessionID)))
}

// token returns the token with the nonce. Its characters need no escaping in a cookie or header.
func (x *XSRF) token(nonce, sessionID string) string {
	mac := hmac.New(sha256.New, x.key)
	mac.Write([]byte("diy xsrf 2\x00" + tokenBinding(sessionID) + "\x00" + nonce))
	return nonce + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// tokenBinding returns the text that binds a token to the session, or to requests without a session.
func tokenBinding(sessionID string) string {
	if sessionID == "" {
		return "anonymous"
	}
	return "session " + sessionID
}
