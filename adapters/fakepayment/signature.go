package fakepayment

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// signatureTolerance is the maximum age of a signature.
const signatureTolerance = 300 * time.Second

// Sign returns the signature header of a payload in Stripe's format. It contains the time, and for each secret an
// HMAC-SHA256 of time and payload.
func Sign(payload []byte, at time.Time, secrets ...string) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	parts := []string{"t=" + seconds}
	for _, secret := range secrets {
		parts = append(parts, "v1="+hex.EncodeToString(digest(payload, seconds, secret)))
	}
	return strings.Join(parts, ",")
}

// verify returns Forbidden if the signature is missing, too old, or not made with one of the secrets.
func verify(payload []byte, signature string, secrets []string, now time.Time) error {
	timestamp, digests := parseSignature(signature)
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	switch {
	case err != nil || len(digests) == 0:
		return fault.New(fault.Forbidden, "The signature is missing.")
	case !matchesAny(payload, timestamp, digests, secrets):
		return fault.New(fault.Forbidden, "The signature is wrong.")
	case now.Sub(time.Unix(seconds, 0)) > signatureTolerance:
		return fault.New(fault.Forbidden, "The signature is too old.")
	}
	return nil
}

// parseSignature returns the time as it was signed and the digests of scheme v1.
func parseSignature(signature string) (timestamp string, digests [][]byte) {
	for part := range strings.SplitSeq(signature, ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(part), "="); name {
		case "t":
			timestamp = value
		case "v1":
			if sum, err := hex.DecodeString(value); err == nil {
				digests = append(digests, sum)
			}
		}
	}
	return timestamp, digests
}

func matchesAny(payload []byte, timestamp string, digests [][]byte, secrets []string) bool {
	for _, secret := range secrets {
		want := digest(payload, timestamp, secret)
		for _, sum := range digests {
			if hmac.Equal(sum, want) {
				return true
			}
		}
	}
	return false
}

func digest(payload []byte, timestamp, secret string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(payload)
	return mac.Sum(nil)
}
