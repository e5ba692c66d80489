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

// tolerance is how old a signature may be.
const tolerance = 300 * time.Second

// Sign is the signature of a payload at an instant, as Stripe writes it: the time, and a
// HMAC-SHA256 of time and payload for each secret.
func Sign(payload []byte, at time.Time, secrets ...string) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	parts := []string{"t=" + seconds}
	for _, secret := range secrets {
		parts = append(parts, "v1="+hex.EncodeToString(digest(payload, seconds, secret)))
	}
	return strings.Join(parts, ",")
}

// verify refuses a signature that is missing, too old, or of none of the secrets.
func verify(payload []byte, signature string, secrets []string, now time.Time) error {
	at, digests := takeApart(signature)
	seconds, err := strconv.ParseInt(at, 10, 64)
	switch {
	case err != nil || len(digests) == 0:
		return fault.New(fault.Forbidden, "The signature is missing.")
	case !signedByAny(payload, at, digests, secrets):
		return fault.New(fault.Forbidden, "The signature is wrong.")
	case now.Sub(time.Unix(seconds, 0)) > tolerance:
		return fault.New(fault.Forbidden, "The signature is too old.")
	}
	return nil
}

// takeApart finds the time, as it was signed, and the digests of the one scheme we know.
func takeApart(signature string) (at string, digests [][]byte) {
	for part := range strings.SplitSeq(signature, ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(part), "="); name {
		case "t":
			at = value
		case "v1":
			if sum, err := hex.DecodeString(value); err == nil {
				digests = append(digests, sum)
			}
		}
	}
	return at, digests
}

func signedByAny(payload []byte, at string, digests [][]byte, secrets []string) bool {
	for _, secret := range secrets {
		right := digest(payload, at, secret)
		for _, sum := range digests {
			if hmac.Equal(sum, right) {
				return true
			}
		}
	}
	return false
}

func digest(payload []byte, at, secret string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(payload)
	return mac.Sum(nil)
}
