package app

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// newID is a fresh identifier that can't be guessed, such as "org_k3v…".
func newID(prefix string) string { return prefix + "_" + strings.ToLower(rand.Text()) }

// fingerprint tells requests apart without keeping what they said.
func fingerprint(parts ...string) string { return hash(strings.Join(parts, "\x00")) }

// hash is how tokens are kept: whoever reads the database can't use them.
func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
