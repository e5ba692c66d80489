package gatewaytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// Scenario selects an account of the test environment by the outcome of the payments that are charged to it.
type Scenario string

// The scenarios. All accounts can be saved but that of DeclinesSaving.
const (
	Pays            Scenario = "pays"
	Declines        Scenario = "declines"          // each payment is declined with gateway.SoftDecline
	DeclinesForGood Scenario = "declines for good" // with gateway.HardDecline
	Revoked         Scenario = "revoked"           // with gateway.MethodGone
	Authenticates   Scenario = "authenticates"     // the customer has to authenticate each payment
	FailsLate       Scenario = "fails late"        // is accepted and fails before Capabilities.Settlement has passed
	ReturnsLate     Scenario = "returns late"      // is paid, and the bank returns it before Capabilities.ReturnWindow has passed
	FailsRefunds    Scenario = "fails refunds"     // pays, and refunds fail before Capabilities.Settlement has passed
	DeclinesSaving  Scenario = "declines saving"   // can neither be saved nor charged
)

// Harness is a new gateway with its test environment. A function may be nil if the gateway lacks the capability for it, or
// if Missing has the reason under its name.
type Harness struct {
	Gateway gateway.Gateway

	// Now is the time of the provider, and Advance lets it pass and returns after everything due has happened.
	Now     func() time.Time
	Advance func(t *testing.T, d time.Duration)
	// Debits returns the amounts of the customer's payments that the bank has debited or accepted, from the bank's own ledger:
	// also of those that it returned later, but not of those that were refused, failed or canceled, or only saved a method.
	Debits func(t *testing.T, customerRef string) []money.Amount
	// Visit enters an account on the page of a payment, as a customer does, also if the payment is not open any more. It returns
	// the URL to which the page redirects, or "". For payment.EntryRedirect.
	Visit func(t *testing.T, url string, s Scenario) (redirect string)
	// Token creates a token for an account in the browser, and Authenticate completes or fails the authentication of an open
	// payment there. For payment.EntryCardField.
	Token        func(t *testing.T, s Scenario) string
	Authenticate func(t *testing.T, secret string, complete bool)
	// RefundByHand refunds a payment without the adapter, as in the provider's dashboard.
	RefundByHand func(t *testing.T, paymentRef string, amount money.Amount)
	// Deliveries returns what the webhook has received so far, and Sign a delivery of a body as the provider signs it. For
	// gateway.Webhooks.
	Deliveries func(t *testing.T) []payment.Delivery
	Sign       func(body []byte) payment.Delivery
	// LoseResponse makes the next request Unavailable although the provider acts on it: its response is lost.
	LoseResponse func(t *testing.T)

	// Missing has the reason for each scenario and each function that the environment lacks, such as "RefundByHand".
	Missing map[string]string
}

// missingFunctions returns the names of the functions that are nil although the suite needs them.
func (h Harness) missingFunctions() (names []string) {
	c := h.Gateway.Capabilities()
	for _, function := range []struct {
		name     string
		isNil    bool
		isNeeded bool
	}{
		{"Now", h.Now == nil, true},
		{"Advance", h.Advance == nil, true},
		{"Debits", h.Debits == nil, true},
		{"Visit", h.Visit == nil, c.Entry == payment.EntryRedirect},
		{"Token", h.Token == nil, c.Entry == payment.EntryCardField},
		{"Authenticate", h.Authenticate == nil, c.Entry == payment.EntryCardField},
		{"RefundByHand", h.RefundByHand == nil, c.Has(gateway.Refunds)},
		{"Deliveries", h.Deliveries == nil, c.Has(gateway.Webhooks)},
		{"Sign", h.Sign == nil, c.Has(gateway.Webhooks)},
		{"LoseResponse", h.LoseResponse == nil, true},
	} {
		if function.isNil && function.isNeeded && h.Missing[function.name] == "" {
			names = append(names, function.name)
		}
	}
	return names
}

// behaviour is one requirement of the port.
type behaviour struct {
	name  string
	needs gateway.Capability // "" for none; the functions of env require more
	check func(*env)
}

// area is a group of behaviours.
type area struct {
	name       string
	behaviours []behaviour
}

var areas = []area{
	{"capabilities", capabilityBehaviours},
	{"customers", customerBehaviours},
	{"orders", orderBehaviours},
	{"keys", keyBehaviours},
	{"lost responses", lostResponseBehaviours},
	{"declines", declineBehaviours},
	{"page", pageBehaviours},
	{"token", tokenBehaviours},
	{"saved methods", methodBehaviours},
	{"cancel", cancelBehaviours},
	{"settlement", settlementBehaviours},
	{"refunds", refundBehaviours},
	{"webhooks", webhookBehaviours},
	{"polling", pollingBehaviours},
	{"canceled contexts", contextBehaviours},
}

// Run checks every behaviour that the port documents as a subtest, and logs how many passed, failed and were skipped. It
// calls newHarness for each behaviour; newHarness cleans up with t.Cleanup.
func Run(t *testing.T, newHarness func(t *testing.T) Harness) {
	complete := t.Run("harness", func(t *testing.T) {
		require.Empty(t, newHarness(t).missingFunctions(), "functions of the Harness that are nil without a reason in Missing")
	})
	if !complete {
		return
	}
	var count resultCount
	for _, area := range areas {
		area.run(t, &count, newHarness)
	}
	t.Logf("gateway conformance: %d passed, %d failed, %d skipped", count.passed, count.failed, count.skipped)
}

// run runs the behaviours as subtests, each with a new harness, and counts their results.
func (a area) run(t *testing.T, count *resultCount, newHarness func(t *testing.T) Harness) {
	t.Run(a.name, func(t *testing.T) {
		for _, b := range a.behaviours {
			t.Run(b.name, func(t *testing.T) {
				defer count.add(t)
				e := &env{T: t, Harness: newHarness(t)}
				e.require(b.needs)
				b.check(e)
			})
		}
	})
}

// resultCount counts behaviours by their result.
type resultCount struct{ passed, failed, skipped int }

func (c *resultCount) add(t *testing.T) {
	switch {
	case t.Failed():
		c.failed++
	case t.Skipped():
		c.skipped++
	default:
		c.passed++
	}
}
