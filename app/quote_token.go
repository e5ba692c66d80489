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

// quoteVersion must be incremented when a field of quoteClaims or its meaning changes: servers refuse the quotes of other
// versions.
const quoteVersion = 1

// tokenEncoding refuses non-zero padding bits, so that two different tokens never decode to the same quote. It skips \r
// and \n even in strict mode, so decodeToken refuses them.
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
func decodeToken(key []byte, token string) (claims quoteClaims, ok bool, err error) {
	encodedContent, encodedMAC, _ := strings.Cut(token, ".")
	content, contentErr := tokenEncoding.DecodeString(encodedContent)
	mac, macErr := tokenEncoding.DecodeString(encodedMAC)
	if contentErr != nil || macErr != nil || len(mac) != sha256.Size || !json.Valid(content) || strings.ContainsAny(token, "\r\n") {
		return claims, false, errMalformedToken
	}
	if !hmac.Equal(mac, signature(key, content)) || !claims.decode(content) {
		return quoteClaims{}, false, nil
	}
	return claims, true, nil
}

// decode sets the claims to the content. It returns false if the content has another version or unknown fields.
func (c *quoteClaims) decode(content []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	return decoder.Decode(c) == nil && c.Version == quoteVersion
}

// signature returns the HMAC of a quote's content. The prefix separates it from HMACs for other purposes under the key.
func signature(key, content []byte) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte("quote\x00"))
	hash.Write(content)
	return hash.Sum(nil)
}
