// Package states signs what a call returns to the browser for a later call, so that the server stores nothing in between.
package states

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// encoding refuses non-zero padding bits, so that two different texts never have the same content.
var encoding = base64.RawURLEncoding.Strict()

// Purpose is what a state can be used for.
type Purpose string

// The purposes.
const (
	TwoStep       Purpose = "two-step"
	AddPasskey    Purpose = "add passkey"
	PasskeySignIn Purpose = "passkey login"
)

// State contains the values that one call passes to a later call through the browser. It is signed but not encrypted,
// because its user knows them.
type State struct {
	Purpose   Purpose   `json:"purpose"`
	ExpiresAt time.Time `json:"expires"`
	UserID    string    `json:"user,omitempty"` // "" if no user is signed in
	Revision  int64     `json:"revision"`       // the user's SecurityRevision

	Challenge     string   `json:"challenge,omitempty"` // of a passkey
	Secret        string   `json:"secret,omitempty"`    // of an authenticator app
	RecoveryCodes []string `json:"codes,omitempty"`     // hashes
}

// Sign returns the state as a text with an HMAC-SHA256.
func (s State) Sign(key []byte) (string, error) {
	s.ExpiresAt = s.ExpiresAt.UTC()
	content, err := json.Marshal(s) //nolint:gosec // the browser of the user gets the secret anyway, to set up the app
	if err != nil {
		return "", err
	}
	return encoding.EncodeToString(content) + "." + encoding.EncodeToString(signature(key, content)), nil
}

// Read returns the state in the text. It returns NotFound for a text that was not signed with the key, for another purpose
// and for an expired state.
func Read(key []byte, text string, purpose Purpose, now time.Time) (State, error) {
	encodedContent, encodedMAC, _ := strings.Cut(text, ".")
	content, contentErr := encoding.DecodeString(encodedContent)
	mac, macErr := encoding.DecodeString(encodedMAC)
	if contentErr != nil || macErr != nil || !hmac.Equal(mac, signature(key, content)) {
		return State{}, errUnknown()
	}
	var s State
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if decoder.Decode(&s) != nil || s.Purpose != purpose || !now.Before(s.ExpiresAt) {
		return State{}, errUnknown()
	}
	return s, nil
}

// Check returns NotFound unless the state was made for the user and the current revision.
func (s State) Check(user account.User) error {
	if s.UserID != user.ID || s.Revision != user.SecurityRevision {
		return errUnknown()
	}
	return nil
}

// signature returns the HMAC of a state's content. The prefix separates it from HMACs for other purposes under the key.
func signature(key, content []byte) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte("state 1\x00"))
	hash.Write(content)
	return hash.Sum(nil)
}

func errUnknown() error {
	return fault.New(fault.NotFound, "This took too long or was done before. Please start again.")
}
