package stripepayment

import (
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/vc-admin/diy/domain/fault"
)

// verify refuses a delivery that none of our secrets has signed, or that was signed too long ago.
// The age is told by our own clock, which development and tests can move; the library has the
// computer's.
func (p *Provider) verify(payload []byte, signature string) error {
	if !p.signed(payload, signature) {
		return fault.New(fault.Forbidden, "The signature is missing or wrong.")
	}
	if p.Clock.Now().Sub(signedAt(signature)) > webhook.DefaultTolerance {
		return fault.New(fault.Forbidden, "The signature is too old.")
	}
	return nil
}

func (p *Provider) signed(payload []byte, signature string) bool {
	for _, secret := range p.WebhookSecrets {
		if webhook.ValidatePayloadIgnoringTolerance(payload, signature, secret) == nil {
			return true
		}
	}
	return false
}

// signedAt reads the time of a signature that was found right. The last one counts, as it does for
// the library: it is what was signed.
func signedAt(signature string) time.Time {
	var at int64
	for part := range strings.SplitSeq(signature, ",") {
		if text, is := strings.CutPrefix(part, "t="); is {
			at, _ = strconv.ParseInt(text, 10, 64) // what is no number was never signed
		}
	}
	return time.Unix(at, 0)
}
