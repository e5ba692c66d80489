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

// bringing is a request with the cookie.
func bringing(cookies ...*http.Cookie) *http.Request {
	r := httptest.NewRequest(http.MethodPost, home.String(), http.NoBody)
	for _, cookie := range cookies {
		r.AddCookie(cookie)
	}
	return r
}

// remembered is the cookie of a browser that brought the cookies and in which the e-mail signs in.
func remembered(t *testing.T, b *KnownBrowsers, email string, cookies ...*http.Cookie) *http.Cookie {
	t.Helper()
	w := httptest.NewRecorder()
	b.Remember(w, bringing(cookies...), email)
	require.Len(t, w.Result().Cookies(), 1)
	return w.Result().Cookies()[0]
}

func TestABrowserIsKnownToWhoSignedInThere(t *testing.T) {
	b := newKnownBrowsers(t, 1)
	cookie := remembered(t, b, "ada@example.com")

	id, known := b.Known(bringing(cookie), " ADA@Example.com ")
	assert.True(t, known)
	assert.Len(t, id, browserIDSize)

	for _, stranger := range []string{"", "bob@example.com", "ada@example.co", "ada@example.com.au"} {
		_, known = b.Known(bringing(cookie), stranger)
		assert.False(t, known, stranger)
	}
	_, known = b.Known(bringing(), "ada@example.com")
	assert.False(t, known, "without the cookie")
}

func TestABrowsersCookie(t *testing.T) {
	cookie := remembered(t, newKnownBrowsers(t, 1), "ada@example.com")
	assert.Equal(t, "__Host-diy-browser", cookie.Name)
	assert.True(t, cookie.Secure)
	assert.True(t, cookie.HttpOnly)
	assert.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	assert.Equal(t, "/", cookie.Path)
	assert.Equal(t, 365*24*60*60, cookie.MaxAge)
	assert.NotContains(t, cookie.Value, "ada")

	plain, err := NewKnownBrowsers(make([]byte, KnownBrowsersKeySize), false)
	require.NoError(t, err)
	cookie = remembered(t, plain, "ada@example.com")
	assert.Equal(t, "diy-browser", cookie.Name)
	assert.False(t, cookie.Secure)
}

func TestABrowserKeepsItsIDAndItsOtherPeople(t *testing.T) {
	b := newKnownBrowsers(t, 1)
	cookie := remembered(t, b, "ada@example.com")
	before, _ := b.Known(bringing(cookie), "ada@example.com")
	for i := range browserPeople - 1 {
		cookie = remembered(t, b, fmt.Sprintf("person%d@example.com", i), cookie)
	}
	cookie = remembered(t, b, "ada@example.com", cookie)
	after, known := b.Known(bringing(cookie), "ada@example.com")
	assert.True(t, known)
	assert.Equal(t, before, after, "else each sign-in would bring new tries")

	cookie = remembered(t, b, "one-more@example.com", cookie)

	_, known = b.Known(bringing(cookie), "person0@example.com")
	assert.False(t, known, "whose sign-in is the longest ago")
	for _, email := range []string{"ada@example.com", "person1@example.com", "person3@example.com", "one-more@example.com"} {
		_, known = b.Known(bringing(cookie), email)
		assert.True(t, known, email)
	}
}

func TestABrowserIsForgottenAfterAYear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newKnownBrowsers(t, 1)
		cookie := remembered(t, b, "ada@example.com")
		pass(browserLimit - time.Minute)
		_, known := b.Known(bringing(cookie), "ada@example.com")
		assert.True(t, known)
		pass(2 * time.Minute)
		_, known = b.Known(bringing(cookie), "ada@example.com")
		assert.False(t, known)
	})
}

func TestNobodyCanMakeABrowserKnown(t *testing.T) {
	b := newKnownBrowsers(t, 1)
	good := remembered(t, b, "ada@example.com")
	parts := strings.Split(good.Value, ".")
	elsewhere := remembered(t, newKnownBrowsers(t, 2), "ada@example.com").Value
	for name, value := range map[string]string{
		"another server's": elsewhere,
		"another id":       "AAAAAAAAAAAAAAAA." + parts[1] + "." + parts[2],
		"a later expiry":   parts[0] + ".zzzzzz." + parts[2],
		"no signature":     parts[0] + "." + parts[1] + ".",
		"two parts":        parts[0] + "." + parts[1],
		"empty":            "",
		"behind five":      strings.Repeat("x~", browserPeople) + good.Value,
	} {
		_, known := b.Known(bringing(&http.Cookie{Name: good.Name, Value: value}), "ada@example.com")
		assert.False(t, known, name)
	}
	_, known := b.Known(bringing(&http.Cookie{Name: good.Name, Value: "x~" + good.Value}), "ada@example.com")
	assert.True(t, known, "behind somebody else")
}

func TestTheKeyOfBrowsersMustBeLong(t *testing.T) {
	_, err := NewKnownBrowsers(make([]byte, KnownBrowsersKeySize-1), true)
	assert.Error(t, err)
}
