package paymenttest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Scenario is how a test card behaves.
type Scenario string

// The scenarios. DeclinedWhenSaved and Expired may be refused in the browser already, and
// InsufficientFunds and Lost when they are saved.
const (
	Pays                Scenario = "pays"
	NeedsAuthentication Scenario = "needs authentication" // the first time it is charged or set up
	DeclinedWhenSaved   Scenario = "declined when saved"
	DeclinedWhenCharged Scenario = "declined when charged"
	InsufficientFunds   Scenario = "insufficient funds"
	Lost                Scenario = "lost"
	Expired             Scenario = "expired"
)

// Secret is what a delivery is signed with.
type Secret string

// The secrets: the adapter's own, one that was replaced by it, and somebody else's.
const (
	Ours     Secret = "ours"
	Replaced Secret = "replaced"
	Foreign  Secret = "foreign"
)

// Delivery is an event as it arrives.
type Delivery struct {
	Payload   []byte
	Signature string
}

// Capability is something that not every provider's test world can do.
type Capability string

// The capabilities. PassingTime is Harness.Advance: trials end and invoices come due while the test
// waits. Authentication is Harness.ConfirmPayment and Harness.ConfirmSetup: somebody sits at the
// browser. Fencing is payment.Fence: a provider without it answers Unsupported.
const (
	PassingTime    Capability = "passing time"
	Authentication Capability = "authentication"
	Fencing        Capability = "fencing"
)

var capabilities = []Capability{PassingTime, Authentication, Fencing}

// Harness is a provider in a world of its own.
type Harness struct {
	Provider payment.Provider

	// MakeCard makes a payment method in the browser and returns its id, or what the browser's
	// person is told, as a Declined fault.
	MakeCard func(t *testing.T, s Scenario) (string, error)
	// ConfirmPayment finishes, in the browser, the authentication that a payment asks for, or
	// fails it, and returns the status the browser sees. Nil when nobody can in a test.
	ConfirmPayment func(t *testing.T, clientSecret string, complete bool) billing.IntentStatus
	// ConfirmSetup does the same for the authentication of a card; nil together with it.
	ConfirmSetup func(t *testing.T, clientSecret string, complete bool) billing.IntentStatus
	// DeleteCustomer deletes a customer behind our back, as in the provider's dashboard.
	DeleteCustomer func(t *testing.T, id string)
	// Deliveries returns what has been delivered so far. What is still on its way may be missing.
	Deliveries func(t *testing.T) []Delivery
	// Sign signs a payload as the provider does.
	Sign func(payload []byte, at time.Time, with Secret) string
	// Now is the time by which the adapter finds a signature outdated.
	Now func() time.Time

	// Advance lets time pass at the provider and returns when everything that came due has
	// happened. Nil when the provider can't.
	Advance func(t *testing.T, d time.Duration)

	// Unsupported says why a capability is not there.
	Unsupported map[Capability]string
}

func (h Harness) has(c Capability) bool {
	switch c {
	case PassingTime:
		return h.Advance != nil
	case Authentication:
		return h.ConfirmPayment != nil && h.ConfirmSetup != nil
	case Fencing:
		return h.Provider.Capabilities().Has(payment.Fencing)
	}
	return true
}

// declarations proves that the harness has each capability or says why not, never both.
func declarations(t *testing.T, h Harness) {
	for _, c := range capabilities {
		reason, declared := h.Unsupported[c]
		assert.NotEqual(t, h.has(c), declared, "%s: provide it, or declare it unsupported", c)
		assert.Equal(t, declared, reason != "", "%s: say why it is unsupported", c)
	}
	if can := h.Provider.Capabilities(); !can.Has(payment.Fencing) {
		err := h.Provider.Retire(t.Context(), payment.Retirement{Key: newKey(), CustomerID: "any"})
		assert.Equal(t, fault.Unsupported, fault.CodeOf(err), "fencing is declared missing")
		assert.Positive(t, can.LongestRequest, "without fencing, time is all that ends a request")
	}
}
