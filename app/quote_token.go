package app

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// quoteVersion is raised when the fields of quoteClaims or their meaning change, so that servers of two versions refuse
// each other's quotes.
const quoteVersion = 2

// tokenEncoding is strict, so that a quote has exactly one token. It ignores newlines, which decodeToken refuses.
var tokenEncoding = base64.RawURLEncoding.Strict()

// errMalformedToken is the error for a string that is not a quote's token.
var errMalformedToken = errors.New("malformed quote token")

// quoteClaims contains the claims of a quote's token. They are signed but not encrypted, because the customer sees them.
type quoteClaims struct {
	Version int `json:"v"`
	terms
	ExpiresAt time.Time `json:"expires"`
}

func (c quoteClaims) signedAt() time.Time { return c.ExpiresAt.Add(-quoteLifetime) }

// encodeToken returns the token of a quote: its claims and an HMAC-SHA256 of them.
func encodeToken(key []byte, c quoteClaims) (string, error) {
	c.Version, c.ExpiresAt = quoteVersion, c.ExpiresAt.UTC()
	content, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	encode := tokenEncoding.EncodeToString
	return encode(content) + "." + encode(signature(key, content)), nil
}

// decodeToken returns the claims of a token. ok is false and the claims are empty if the token was signed with another
// key or by another version of this application. It returns errMalformedToken for a string that is not a token.
func decodeToken(key []byte, token string) (c quoteClaims, ok bool, err error) {
	encodedContent, encodedMAC, _ := strings.Cut(token, ".")
	content, contentErr := tokenEncoding.DecodeString(encodedContent)
	mac, macErr := tokenEncoding.DecodeString(encodedMAC)
	if contentErr != nil || macErr != nil || len(mac) != sha256.Size || !json.Valid(content) || strings.ContainsAny(token, "\r\n") {
		return c, false, errMalformedToken
	}
	if !hmac.Equal(mac, signature(key, content)) || !c.decode(content) {
		return quoteClaims{}, false, nil
	}
	return c, true, nil
}

// decode sets the claims to the content. It returns false for another version and for unknown fields.
func (c *quoteClaims) decode(content []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	return decoder.Decode(c) == nil && c.Version == quoteVersion
}

// signature returns the HMAC for quotes. The prefix keeps it apart from other uses of the key.
func signature(key, content []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("quote\x00"))
	mac.Write(content)
	return mac.Sum(nil)
}
