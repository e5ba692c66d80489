package app

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// quoteVersion changes with the meaning of the content, so that servers of two versions refuse each
// other's quotes.
const quoteVersion = 1

// errMalformedQuote is the error for a string that is not a quote's token.
var errMalformedQuote = errors.New("malformed quote")

// sealedQuote is the content of a quote's token. It is signed and not encrypted: the customer has seen it.
type sealedQuote struct {
	Version int `json:"v"`
	terms
	ExpiresAt time.Time `json:"expires"`
}

// seal returns a token that only the owners of the key can create: the content and its HMAC-SHA256.
func seal(key []byte, q sealedQuote) (string, error) {
	q.Version, q.ExpiresAt = quoteVersion, q.ExpiresAt.UTC()
	content, err := json.Marshal(q)
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	return encode(content) + "." + encode(signature(key, content)), nil
}

// unseal returns the content of a token. ok is false, and the content empty, if the token was signed with
// another key or by another version of this application. It returns errMalformedQuote for a string that is
// not a token.
func unseal(key []byte, token string) (q sealedQuote, ok bool, err error) {
	content, signed, _ := strings.Cut(token, ".")
	text, textErr := base64.RawURLEncoding.DecodeString(content)
	mac, macErr := base64.RawURLEncoding.DecodeString(signed)
	if textErr != nil || macErr != nil || len(mac) != sha256.Size || !json.Valid(text) {
		return q, false, errMalformedQuote
	}
	ok = hmac.Equal(mac, signature(key, text)) && json.Unmarshal(text, &q) == nil && q.Version == quoteVersion
	if !ok {
		return sealedQuote{}, false, nil
	}
	return q, true, nil
}

// signature returns the HMAC for quotes. The prefix keeps it apart from other uses of the key.
func signature(key, content []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("quote\x00"))
	mac.Write(content)
	return mac.Sum(nil)
}
