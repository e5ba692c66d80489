package app

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// decodeToken returns no error for a token of another key or version, because the customer then receives a new quote.
func TestDecodeToken_RefusesTokensOfOtherKeysOrVersionsAndMalformedTokens(t *testing.T) {
	key := []byte("key")
	token, err := encodeToken(key, newQuoteClaims())
	require.NoError(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	sign := func(content string) string {
		return encode([]byte(content)) + "." + encode(signature(key, []byte(content)))
	}
	unversionedContent, content := `{"org":"org_1"}`, string(decodeContent(t, token))
	encodedContent, mac, _ := strings.Cut(token, ".")
	for name, tt := range map[string]struct {
		key            string
		token          string
		wantOK         bool
		wantWellFormed bool
	}{
		"valid":                 {"key", token, true, true},
		"of another key":        {"rotated", token, false, true},
		"without a version":     {"key", sign(unversionedContent), false, true},
		"of a later version":    {"key", sign(`{"v":3,"plan":"red"}`), false, true},
		"with an unknown field": {"key", sign(`{"plan":"red",` + content[1:]), false, true},
		"altered":               {"key", encode([]byte(unversionedContent)) + "." + mac, false, true},
		"empty":                 {"key", "", false, false},
		"without a signature":   {"key", encodedContent, false, false},
		"cut off":               {"key", token[:len(token)-2], false, false},
		"no JSON":               {"key", encode([]byte("quote")) + "." + mac, false, false},
		"two JSON values":       {"key", sign(content + content), false, false},
		"with a third part":     {"key", token + "." + mac, false, false},
		"with a newline":        {"key", token[:8] + "\n" + token[8:], false, false},
		"with a line ending":    {"key", token + "\r\n", false, false},
		"padded":                {"key", token + "=", false, false},
	} {
		claims, ok, err := decodeToken([]byte(tt.key), tt.token)
		assert.Equal(t, tt.wantOK, ok, name)
		assert.Equal(t, tt.wantWellFormed, err == nil, name)
		assert.Equal(t, ok, claims.OrganisationID != "", name)
	}
}

func newQuoteClaims() quoteClaims {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return quoteClaims{
		terms:     terms{requestTerms{OrganisationID: "org_1", PeriodStart: start}, costTerms{At: start.Add(time.Hour)}},
		ExpiresAt: start.Add(quoteLifetime),
	}
}

func decodeContent(t *testing.T, token string) []byte {
	t.Helper()
	content, _, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(content)
	require.NoError(t, err)
	return text
}

// base64URL is the alphabet of a token's parts.
const base64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// A request with another token of the same quote would not be a repeat, because fingerprints contain the token.
func TestDecodeToken_RefusesEveryOtherTokenOfTheSameQuote(t *testing.T) {
	key := []byte("key")
	token, err := encodeToken(key, newQuoteClaims())
	require.NoError(t, err)
	requireRefused := func(variant string) {
		claims, ok, err := decodeToken(key, variant)
		require.False(t, err == nil && ok, "%q", variant)
		require.Zero(t, claims, "%q", variant)
	}
	for i := range len(token) + 1 {
		for _, char := range "\r\n= ." {
			requireRefused(token[:i] + string(char) + token[i:])
		}
	}
	// Try every other character in each position, because the last character of each part has unused bits.
	for i := range token {
		for _, char := range base64URL + "." {
			if variant := token[:i] + string(char) + token[i+1:]; variant != token {
				requireRefused(variant)
			}
		}
	}
}

// Any token that is accepted is the one that encodeToken returns for its claims.
func FuzzDecodeToken_AcceptsOneTokenForEachQuote(f *testing.F) {
	key := []byte("key")
	token, err := encodeToken(key, newQuoteClaims())
	require.NoError(f, err)
	content, mac, _ := strings.Cut(token, ".")
	for _, seed := range []string{token, token + "\n", token + "=", content, content + "." + content, "." + mac, ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		claims, ok, err := decodeToken(key, token)
		if err != nil || !ok {
			assert.Zero(t, claims)
			return
		}
		encodedToken, err := encodeToken(key, claims)
		require.NoError(t, err)
		assert.Equal(t, encodedToken, token)
	})
}
