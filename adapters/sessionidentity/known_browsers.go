package sessionidentity

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
)

const (
	// KnownBrowsersKeySize is the minimum key size in bytes.
	KnownBrowsersKeySize = 32

	// browserLifetime is how long a browser stays known after a sign-in.
	browserLifetime = 365 * 24 * time.Hour
	// maxIdentifiers is the maximum number of identifiers in a cookie. A further identifier replaces the least recently
	// used one. Each user who signs in with the browser has two identifiers.
	maxIdentifiers = 10
	// browserIDSize is the length of a browser's ID in characters.
	browserIDSize = 16
)

// KnownBrowsers recognises browsers by a signed cookie. The cookie remembers identifiers that the caller chooses, such as
// the email address of a user who signed in with the browser.
//
// The cookie outlives the session. It contains a token for each identifier, but not the identifier itself. A token
// consists of an ID, an expiry, and the HMAC of both with the identifier. The ID is random, and the same in the tokens of
// one user.
type KnownBrowsers struct {
	key    []byte
	secure bool
}

// NewKnownBrowsers returns KnownBrowsers that sign cookies with the secret key, which all servers share.
// Set secure if the public URL is https.
func NewKnownBrowsers(key []byte, secure bool) (*KnownBrowsers, error) {
	if len(key) < KnownBrowsersKeySize {
		return nil, errors.New("sessionidentity: the key for known browsers is too short")
	}
	return &KnownBrowsers{key: append([]byte(nil), key...), secure: secure}, nil
}

// Recognise reports whether Remember was called for this browser and identifier in the last year, and returns the
// browser's ID, which differs between users.
func (b *KnownBrowsers) Recognise(r *http.Request, identifier string) (id string, known bool) {
	for _, token := range b.tokens(r) {
		if b.isValid(token, identifier) {
			id, _, _ = strings.Cut(token, ".")
			return id, true
		}
	}
	return "", false
}

// Remember sets the cookie with which Recognise recognises this browser and the identifiers, which are those of one user. A
// browser that is already known by one of them keeps its ID. Earlier tokens with this ID are replaced, so that a former
// identifier of the user does not displace an identifier of another user. Call Remember once, before the response is
// written.
func (b *KnownBrowsers) Remember(w http.ResponseWriter, r *http.Request, identifiers ...string) {
	browserID := rand.Text()[:browserIDSize]
	for _, identifier := range identifiers {
		if id, known := b.Recognise(r, identifier); known {
			browserID = id
		}
	}
	expiry := strconv.FormatInt(now().Add(browserLifetime).Unix(), 36)
	var tokens []string
	for _, identifier := range identifiers {
		tokens = append(tokens, b.token(browserID, expiry, identifier))
	}
	for _, token := range b.tokens(r) {
		isReplaced := strings.HasPrefix(token, browserID+".") ||
			slices.ContainsFunc(identifiers, func(identifier string) bool { return b.isValid(token, identifier) })
		if !isReplaced && len(tokens) < maxIdentifiers {
			tokens = append(tokens, token)
		}
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // development has no https
		Name: b.cookieName(), Value: strings.Join(tokens, "~"), Path: "/", MaxAge: int(browserLifetime.Seconds()),
		Secure: b.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func (b *KnownBrowsers) cookieName() string { return cookieName(b.secure) + "-browser" }

// tokens returns the tokens in the browser's cookie, at most maxIdentifiers.
func (b *KnownBrowsers) tokens(r *http.Request) []string {
	cookie, err := r.Cookie(b.cookieName())
	if err != nil {
		return nil
	}
	tokens := strings.SplitN(cookie.Value, "~", maxIdentifiers+1)
	return tokens[:min(len(tokens), maxIdentifiers)]
}

func (b *KnownBrowsers) isValid(token, identifier string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || !hmac.Equal([]byte(token), []byte(b.token(parts[0], parts[1], identifier))) {
		return false
	}
	expiry, err := strconv.ParseInt(parts[1], 36, 64)
	return err == nil && now().Unix() < expiry
}

// token returns the signed token of an identifier. Its characters need no escaping in a cookie.
func (b *KnownBrowsers) token(id, expiry, identifier string) string {
	mac := hmac.New(sha256.New, b.key)
	mac.Write([]byte("diy browser 1\x00" + id + "\x00" + expiry + "\x00" + account.EmailKey(identifier)))
	return id + "." + expiry + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}
