package app

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A token of another key or version is not malformed, so that the customer receives a fresh quote.
func TestUnseal_RefusesForeignAndMalformedTokens(t *testing.T) {
	key := []byte("key")
	token, err := seal(key, newSealedQuote())
	require.NoError(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	signed := func(content string) string {
		return encode([]byte(content)) + "." + encode(signature(key, []byte(content)))
	}
	earlierPayload, payload := `{"org":"org_1"}`, string(decodeContent(t, token))
	content, mac, _ := strings.Cut(token, ".")
	for name, try := range map[string]struct {
		key               string
		token             string
		known, wellFormed bool
	}{
		"own":                   {"key", token, true, true},
		"of another key":        {"rotated", token, false, true},
		"of an earlier version": {"key", signed(earlierPayload), false, true},
		"of a later version":    {"key", signed(`{"v":3,"plan":"red"}`), false, true},
		"with an unknown field": {"key", signed(`{"plan":"red",` + payload[1:]), false, true},
		"altered":               {"key", encode([]byte(earlierPayload)) + "." + mac, false, true},
		"empty":                 {"key", "", false, false},
		"without a signature":   {"key", content, false, false},
		"cut off":               {"key", token[:len(token)-2], false, false},
		"no JSON":               {"key", encode([]byte("quote")) + "." + mac, false, false},
		"two JSON values":       {"key", signed(payload + payload), false, false},
		"with a third part":     {"key", token + "." + mac, false, false},
		"with a newline":        {"key", token[:8] + "\n" + token[8:], false, false},
		"with a line ending":    {"key", token + "\r\n", false, false},
		"padded":                {"key", token + "=", false, false},
	} {
		q, ok, err := unseal([]byte(try.key), try.token)
		assert.Equal(t, try.known, ok, name)
		assert.Equal(t, try.wellFormed, err == nil, name)
		assert.Equal(t, ok, q.OrganisationID != "", name)
	}
}

func newSealedQuote() sealedQuote {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return sealedQuote{
		terms:     terms{requestTerms{OrganisationID: "org_1", PeriodStart: at}, costTerms{At: at.Add(time.Hour)}},
		ExpiresAt: at.Add(quoteLifetime),
	}
}

func decodeContent(t *testing.T, token string) []byte {
	t.Helper()
	content, _, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(content)
	require.NoError(t, err)
	return text
}

// Two tokens of one quote would be two requests, because the fingerprint of a request contains the token.
func FuzzUnseal_AcceptsOneTokenForEachQuote(f *testing.F) {
	key := []byte("key")
	token, err := seal(key, newSealedQuote())
	require.NoError(f, err)
	f.Add(token)
	for i := range len(token) + 1 {
		for _, ignored := range "\r\n= ." {
			f.Add(token[:i] + string(ignored) + token[i:])
		}
	}
	for _, last := range []int{strings.Index(token, ".") - 1, len(token) - 1} { // the last character of each part has unused bits
		for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
			f.Add(token[:last] + string(c) + token[last+1:])
		}
	}
	f.Fuzz(func(t *testing.T, token string) {
		q, ok, err := unseal(key, token)
		if err != nil || !ok {
			assert.Zero(t, q)
			return
		}
		resealed, err := seal(key, q)
		require.NoError(t, err)
		assert.Equal(t, resealed, token)
	})
}
