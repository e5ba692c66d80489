package sessionidentity

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newKnownBrowsers(t *testing.T, key byte) *KnownBrowsers {
	t.Helper()
	b, err := NewKnownBrowsers(bytes.Repeat([]byte{key}, KnownBrowsersKeySize), true)
	require.NoError(t, err)
	return b
}

// newRequest returns a POST with the cookies.
func newRequest(cookies ...*http.Cookie) *http.Request {
	r := httptest.NewRequest(http.MethodPost, rawPageURL, http.NoBody)
	for _, cookie := range cookies {
		r.AddCookie(cookie)
	}
	return r
}

// remember calls Remember for the email and a browser with the cookies, and returns the browser's new cookie.
func remember(t *testing.T, b *KnownBrowsers, email string, cookies ...*http.Cookie) *http.Cookie {
	t.Helper()
	w := httptest.NewRecorder()
	b.Remember(w, newRequest(cookies...), email)
	require.Len(t, w.Result().Cookies(), 1)
	return w.Result().Cookies()[0]
}

func TestRecognise_AcceptsOnlyTheRememberedEmail(t *testing.T) {
	b := newKnownBrowsers(t, 1)
	cookie := remember(t, b, "ada@example.com")

	id, known := b.Recognise(newRequest(cookie), " ADA@Example.com ")
	assert.True(t, known)
	assert.Len(t, id, browserIDSize)

	for _, email := range []string{"", "bob@example.com", "ada@example.co", "ada@example.com.au"} {
		_, known = b.Recognise(newRequest(cookie), email)
		assert.False(t, known, email)
	}
	_, known = b.Recognise(newRequest(), "ada@example.com")
	assert.False(t, known, "without the cookie")
}

func TestKnownBrowsersCookie_HasSecureAttributes(t *testing.T) {
	cookie := remember(t, newKnownBrowsers(t, 1), "ada@example.com")
	assert.Equal(t, "__Host-diy-browser", cookie.Name)
	assert.True(t, cookie.Secure)
	assert.True(t, cookie.HttpOnly)
	assert.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	assert.Equal(t, "/", cookie.Path)
	assert.Equal(t, 365*24*60*60, cookie.MaxAge)
	assert.NotContains(t, cookie.Value, "ada")

	insecureBrowsers, err := NewKnownBrowsers(make([]byte, KnownBrowsersKeySize), false)
	require.NoError(t, err)
	cookie = remember(t, insecureBrowsers, "ada@example.com")
	assert.Equal(t, "diy-browser", cookie.Name)
	assert.False(t, cookie.Secure)
}

func TestRemember_KeepsTheFiveMostRecentIdentifiers(t *testing.T) {
	b := newKnownBrowsers(t, 1)
	cookie := remember(t, b, "ada@example.com")
	firstID, _ := b.Recognise(newRequest(cookie), "ada@example.com")
	for i := range maxIdentifiers - 1 {
		cookie = remember(t, b, fmt.Sprintf("person%d@example.com", i), cookie)
	}
	cookie = remember(t, b, "ada@example.com", cookie)
	id, known := b.Recognise(newRequest(cookie), "ada@example.com")
	assert.True(t, known)
	assert.Equal(t, firstID, id, "a new ID would have a new rate limit")

	cookie = remember(t, b, "last@example.com", cookie)

	_, known = b.Recognise(newRequest(cookie), "person0@example.com")
	assert.False(t, known, "the least recently used identifier was replaced")
	for _, email := range []string{"ada@example.com", "person1@example.com", "person3@example.com", "last@example.com"} {
		_, known = b.Recognise(newRequest(cookie), email)
		assert.True(t, known, email)
	}
}

func TestRemember_SeveralIdentifiersReplaceTheirEarlierTokens(t *testing.T) {
	b := newKnownBrowsers(t, 1)
	cookie := remember(t, b, "bob@example.com")
	for range maxIdentifiers {
		w := httptest.NewRecorder()
		b.Remember(w, newRequest(cookie), "ada@example.com", "user 1")
		cookie = w.Result().Cookies()[0]
	}
	for _, identifier := range []string{"ada@example.com", "user 1", "bob@example.com"} {
		_, known := b.Recognise(newRequest(cookie), identifier)
		assert.True(t, known, identifier)
	}
	assert.Len(t, strings.Split(cookie.Value, "~"), 3)
}

func TestRemember_AChangedIdentifierReplacesItsPredecessor(t *testing.T) {
	b := newKnownBrowsers(t, 1)
	cookie := remember(t, b, "bob@example.com")
	for revision := range maxIdentifiers {
		w := httptest.NewRecorder()
		b.Remember(w, newRequest(cookie), fmt.Sprintf("ada %d", revision), "ada@example.com")
		cookie = w.Result().Cookies()[0]
	}
	_, known := b.Recognise(newRequest(cookie), "bob@example.com")
	assert.True(t, known, "another user of the computer")
	_, known = b.Recognise(newRequest(cookie), fmt.Sprintf("ada %d", maxIdentifiers-1))
	assert.True(t, known)
	_, known = b.Recognise(newRequest(cookie), fmt.Sprintf("ada %d", maxIdentifiers-2))
	assert.False(t, known, "the previous revision")
	assert.Len(t, strings.Split(cookie.Value, "~"), 3)
}

func TestRecognise_ReturnsFalseAfterAYear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newKnownBrowsers(t, 1)
		cookie := remember(t, b, "ada@example.com")
		sleep(browserLifetime - time.Minute)
		_, known := b.Recognise(newRequest(cookie), "ada@example.com")
		assert.True(t, known)
		sleep(2 * time.Minute)
		_, known = b.Recognise(newRequest(cookie), "ada@example.com")
		assert.False(t, known)
	})
}

func TestRecognise_RejectsForgedCookies(t *testing.T) {
	b := newKnownBrowsers(t, 1)
	validCookie := remember(t, b, "ada@example.com")
	parts := strings.Split(validCookie.Value, ".")
	for name, value := range map[string]string{
		"another key":           remember(t, newKnownBrowsers(t, 2), "ada@example.com").Value,
		"another id":            "AAAAAAAAAAAAAAAA." + parts[1] + "." + parts[2],
		"a later expiry":        parts[0] + ".zzzzzz." + parts[2],
		"no signature":          parts[0] + "." + parts[1] + ".",
		"two parts":             parts[0] + "." + parts[1],
		"empty":                 "",
		"after too many tokens": strings.Repeat("x~", maxIdentifiers) + validCookie.Value,
	} {
		_, known := b.Recognise(newRequest(&http.Cookie{Name: validCookie.Name, Value: value}), "ada@example.com")
		assert.False(t, known, name)
	}
	_, known := b.Recognise(newRequest(&http.Cookie{Name: validCookie.Name, Value: "x~" + validCookie.Value}), "ada@example.com")
	assert.True(t, known, "an invalid token does not hide the valid one after it")
}

func TestNewKnownBrowsers_RejectsShortKeys(t *testing.T) {
	_, err := NewKnownBrowsers(make([]byte, KnownBrowsersKeySize-1), true)
	assert.Error(t, err)
}
