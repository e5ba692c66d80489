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

// Hash returns a hash of the token. The database contains only the hashes, so that its readers can't use the tokens.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
