// Package ids creates identifiers and hashes.
package ids

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// New returns a random identifier such as "org_k3v…".
func New(prefix string) string { return prefix + "_" + strings.ToLower(rand.Text()) }

// Hash returns the form in which tokens are stored: a reader of the database can't use them.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
