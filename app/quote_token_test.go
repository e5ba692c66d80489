package app

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A token of another key or version is not malformed, so that its owner receives a fresh quote.
func TestUnseal(t *testing.T) {
	key := []byte("key")
	token, err := seal(key, sealedQuote{terms: terms{OrganisationID: "org_1"}})
	require.NoError(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	earlier := []byte(`{"org":"org_1"}`)
	content, mac, _ := strings.Cut(token, ".")
	for name, try := range map[string]struct {
		key               string
		token             string
		known, wellFormed bool
	}{
		"own":                   {"key", token, true, true},
		"of another key":        {"rotated", token, false, true},
		"of an earlier version": {"key", encode(earlier) + "." + encode(signature(key, earlier)), false, true},
		"altered":               {"key", encode(earlier) + "." + mac, false, true},
		"empty":                 {"key", "", false, false},
		"without a signature":   {"key", content, false, false},
		"cut off":               {"key", token[:len(token)-2], false, false},
		"no JSON":               {"key", encode([]byte("quote")) + "." + mac, false, false},
	} {
		q, ok, err := unseal([]byte(try.key), try.token)
		assert.Equal(t, try.known, ok, name)
		assert.Equal(t, try.wellFormed, err == nil, name)
		assert.Equal(t, ok, q.OrganisationID != "", name)
	}
}
