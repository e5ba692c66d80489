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

// quoteVersion changes with the content or its meaning, so that servers of two versions refuse each other's
// quotes.
const quoteVersion = 2

// tokenEncoding is strict, so that a quote has exactly one token. It ignores newlines, so unseal refuses them first.
var tokenEncoding = base64.RawURLEncoding.Strict()

// errMalformedQuote is the error for a string that is not a quote's token.
var errMalformedQuote = errors.New("malformed quote")

// sealedQuote is the content of a quote's token. It is signed but not encrypted, because the customer has seen it.
type sealedQuote struct {
	Version int `json:"v"`
	terms
	ExpiresAt time.Time `json:"expires"`
}

func (q sealedQuote) signedAt() time.Time { return q.ExpiresAt.Add(-quoteLifetime) }

// seal returns the token of the quote: its content and an HMAC-SHA256 of it.
func seal(key []byte, q sealedQuote) (string, error) {
	q.Version, q.ExpiresAt = quoteVersion, q.ExpiresAt.UTC()
	content, err := json.Marshal(q)
	if err != nil {
		return "", err
	}
	encode := tokenEncoding.EncodeToString
	return encode(content) + "." + encode(signature(key, content)), nil
}

// unseal returns the content of a token. ok is false and the content is empty if the token was signed with
// another key or by another version of this application. It returns errMalformedQuote for a string that is
// not a token. A quote has exactly one token.
func unseal(key []byte, token string) (q sealedQuote, ok bool, err error) {
	content, encodedMAC, _ := strings.Cut(token, ".")
	text, textErr := tokenEncoding.DecodeString(content)
	mac, macErr := tokenEncoding.DecodeString(encodedMAC)
	if textErr != nil || macErr != nil || len(mac) != sha256.Size || !json.Valid(text) || strings.ContainsAny(token, "\r\n") {
		return q, false, errMalformedQuote
	}
	if !hmac.Equal(mac, signature(key, text)) || !q.read(text) {
		return sealedQuote{}, false, nil
	}
	return q, true, nil
}

// read decodes the content. It reports false for another version and for unknown fields.
func (q *sealedQuote) read(content []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	return decoder.Decode(q) == nil && q.Version == quoteVersion
}

// signature returns the HMAC for quotes. The prefix keeps it apart from other uses of the key.
func signature(key, content []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("quote\x00"))
	mac.Write(content)
	return mac.Sum(nil)
}
