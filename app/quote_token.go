package app

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// sealedQuote is the content of a quote's token. It is signed and not encrypted: the customer has seen it.
type sealedQuote struct {
	terms
	ExpiresAt time.Time `json:"expires"`
}

// seal returns a token that only the owners of the key can create: the content and its HMAC-SHA256.
func seal(key []byte, q sealedQuote) (string, error) {
	q.ExpiresAt = q.ExpiresAt.UTC()
	content, err := json.Marshal(q)
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	return encode(content) + "." + encode(signature(key, content)), nil
}

// unseal returns the content of a token, and false if the key did not sign it.
func unseal(key []byte, token string) (q sealedQuote, ok bool) {
	content, signed, found := strings.Cut(token, ".")
	if !found {
		return q, false
	}
	text, err := base64.RawURLEncoding.DecodeString(content)
	if err != nil {
		return q, false
	}
	mac, err := base64.RawURLEncoding.DecodeString(signed)
	if err != nil || !hmac.Equal(mac, signature(key, text)) {
		return q, false
	}
	return q, json.Unmarshal(text, &q) == nil
}

// signature returns the HMAC for quotes. The prefix keeps it apart from other uses of the key.
func signature(key, content []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("quote\x00"))
	mac.Write(content)
	return mac.Sum(nil)
}
