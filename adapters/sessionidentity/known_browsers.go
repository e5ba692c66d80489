package sessionidentity

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
)

const (
	// KnownBrowsersKeySize is the least number of bytes a key has.
	KnownBrowsersKeySize = 32

	// browserLimit is how long a browser is known since the last sign-in.
	browserLimit = 365 * 24 * time.Hour
	// browserPeople is how many names one browser is known for, the last ones.
	browserPeople = 5
	browserIDSize = 16
)

// KnownBrowsers recognises browsers by a cookie that only this server can make. A browser is known for
// a name: for an e-mail address since someone signed in with it, so that password guesses made
// elsewhere don't use up the tries of those who bring the cookie; for the id of a user since that user
// registered in it, so that the link of the verification email works there without the password. The
// cookie outlives the session and holds, for each name, a random id, an expiry and the HMAC of both
// with the name, which it does not contain.
type KnownBrowsers struct {
	key    []byte
	secure bool
}

// NewKnownBrowsers makes cookies with the key, which every server of one product shares and nobody else
// knows. They are Secure when the public URL is https.
func NewKnownBrowsers(key []byte, secure bool) (*KnownBrowsers, error) {
	if len(key) < KnownBrowsersKeySize {
		return nil, errors.New("sessionidentity: the key for browsers is too short")
	}
	return &KnownBrowsers{key: append([]byte(nil), key...), secure: secure}, nil
}

// Known returns the id that this browser got when it became known for the name.
func (b *KnownBrowsers) Known(r *http.Request, name string) (id string, known bool) {
	for _, token := range b.brought(r) {
		if b.valid(token, name) {
			id, _, _ = strings.Cut(token, ".")
			return id, true
		}
	}
	return "", false
}

// Remember makes the browser known for the name from now on, under the id it has already. Call
// it once and before the answer is written, because it sets a cookie.
func (b *KnownBrowsers) Remember(w http.ResponseWriter, r *http.Request, name string) {
	id, known := b.Known(r, name)
	if !known {
		id = rand.Text()[:browserIDSize]
	}
	tokens := []string{b.token(id, strconv.FormatInt(now().Add(browserLimit).Unix(), 36), name)}
	for _, token := range b.brought(r) {
		if !b.valid(token, name) && len(tokens) < browserPeople {
			tokens = append(tokens, token)
		}
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // development has no https
		Name: b.cookie(), Value: strings.Join(tokens, "~"), Path: "/", MaxAge: int(browserLimit.Seconds()),
		Secure: b.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func (b *KnownBrowsers) cookie() string { return cookieName(b.secure) + "-browser" }

// brought is what the browser's cookie holds; not more than we would have put into it.
func (b *KnownBrowsers) brought(r *http.Request) []string {
	cookie, err := r.Cookie(b.cookie())
	if err != nil {
		return nil
	}
	tokens := strings.SplitN(cookie.Value, "~", browserPeople+1)
	return tokens[:min(len(tokens), browserPeople)]
}

func (b *KnownBrowsers) valid(token, name string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || !hmac.Equal([]byte(token), []byte(b.token(parts[0], parts[1], name))) {
		return false
	}
	expiry, err := strconv.ParseInt(parts[1], 36, 64)
	return err == nil && now().Unix() < expiry
}

// token needs no escaping in a cookie.
func (b *KnownBrowsers) token(id, expiry, name string) string {
	mac := hmac.New(sha256.New, b.key)
	mac.Write([]byte("diy browser 1\x00" + id + "\x00" + expiry + "\x00" + account.EmailKey(name)))
	return id + "." + expiry + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}
