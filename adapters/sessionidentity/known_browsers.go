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
	// browserPeople is how many people of one browser are known, the last ones who signed in.
	browserPeople = 5
	browserIDSize = 16
)

// KnownBrowsers knows the browsers in which somebody has signed in with an e-mail before, by a cookie
// that only we can make. It is worth nothing but this: whoever guesses passwords elsewhere can't
// use up the tries of those who bring it. The cookie outlives the session and holds, for each of
// the browser's people, a random id, an expiry and the HMAC of both with the e-mail, which it does
// not name.
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

// Known returns the id that this browser got when somebody signed in with the e-mail.
func (b *KnownBrowsers) Known(r *http.Request, email string) (id string, known bool) {
	for _, token := range b.brought(r) {
		if b.valid(token, email) {
			id, _, _ = strings.Cut(token, ".")
			return id, true
		}
	}
	return "", false
}

// Remember makes the browser known for the e-mail from now on, under the id it has already. Call
// it before the answer is written, because it sets a cookie.
func (b *KnownBrowsers) Remember(w http.ResponseWriter, r *http.Request, email string) {
	id, known := b.Known(r, email)
	if !known {
		id = rand.Text()[:browserIDSize]
	}
	tokens := []string{b.token(id, strconv.FormatInt(now().Add(browserLimit).Unix(), 36), email)}
	for _, token := range b.brought(r) {
		if !b.valid(token, email) && len(tokens) < browserPeople {
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

func (b *KnownBrowsers) valid(token, email string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || !hmac.Equal([]byte(token), []byte(b.token(parts[0], parts[1], email))) {
		return false
	}
	expiry, err := strconv.ParseInt(parts[1], 36, 64)
	return err == nil && now().Unix() < expiry
}

// token needs no escaping in a cookie.
func (b *KnownBrowsers) token(id, expiry, email string) string {
	mac := hmac.New(sha256.New, b.key)
	mac.Write([]byte("diy browser 1\x00" + id + "\x00" + expiry + "\x00" + account.EmailKey(email)))
	return id + "." + expiry + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}
