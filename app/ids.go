package app

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// newID returns a random identifier such as "org_k3v…".
func newID(prefix string) string { return prefix + "_" + strings.ToLower(rand.Text()) }

// fingerprint returns a hash that identifies a request by its parameters.
func fingerprint(parts ...string) string { return hash(strings.Join(parts, "\x00")) }

// hash returns the form in which tokens are stored: a reader of the database can't use them.
func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
