package gatewaytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// Scenario selects a test account by the outcome of its payments.
type Scenario string

// The scenarios. All accounts except that of DeclinesSaving can be saved. Without the capability gateway.SaveOnly, an account
// is saved by its first payment, which is paid in all scenarios before FailsLate.
const (
	Pays         Scenario = "pays"
	Declines     Scenario = "declines"      // each payment is declined with gateway.SoftDecline
	DeclinesHard Scenario = "declines hard" // each payment is declined with gateway.HardDecline
	Revoked      Scenario = "revoked"       // each payment is declined with gateway.MethodGone
	// Authenticates is an account whose payments the customer has to authenticate. Each renewal is declined with
	// gateway.CustomerNeeded. Without the capability gateway.Authentication, no payment of the account is open.
	Authenticates  Scenario = "authenticates"
	FailsLate      Scenario = "fails late"      // each payment is accepted and fails within Capabilities.Settlement
	ReturnsLate    Scenario = "returns late"    // the bank returns each payment within Capabilities.ReturnWindow
	FailsRefunds   Scenario = "fails refunds"   // each payment is paid, and its refunds fail later
	DeclinesSaving Scenario = "declines saving" // the account can neither be saved nor charged
)

// Harness contains a new gateway and functions that act in its test environment. A function may be nil if the gateway lacks
// the capability for it, or if Missing[name] gives a reason.
type Harness struct {
	Gateway gateway.Gateway

	// Now returns the provider's time. Advance moves this time forward and returns after the provider has done
	// everything that is due.
	Now     func() time.Time
	Advance func(t *testing.T, d time.Duration)
	// ChargedAmounts returns the amounts that were charged to the customer, by card or from a bank account. It includes payments
	// that are processing or were returned. It excludes refused, failed and canceled payments, and orders that only save a
	// method.
	ChargedAmounts func(t *testing.T, customerRef string) []money.Amount
	// CompletePage enters the account of the scenario on the page of a payment, even if the payment is no longer open.
	// It returns the URL to which the page redirects, or "". payment.EntryRedirect needs it. With payment.EntryCardField, it
	// is needed if the bank authenticates payments on a page: Pays passes the authentication, and DeclinesSaving fails it.
	CompletePage func(t *testing.T, url string, s Scenario) (redirectURL string)
	// Token creates a token for an account, as the browser does. Authenticate completes or fails the authentication of
	// an open payment in the browser, if the payment has a secret. payment.EntryCardField needs Token,
	// and with gateway.Authentication it needs both.
	Token        func(t *testing.T, s Scenario) string
	Authenticate func(t *testing.T, secret string, complete bool)
	// RefundByHand refunds a payment without the adapter, as in the provider's dashboard.
	RefundByHand func(t *testing.T, paymentRef string, amount money.Amount)
	// ReturnPart lets the bank take back a part of a paid payment.
	ReturnPart func(t *testing.T, paymentRef string, amount money.Amount)
	// Dispute lets the customer dispute an amount of a paid payment at the bank. CloseDispute decides the oldest open dispute
	// of the payment. gateway.Disputes needs both.
	Dispute      func(t *testing.T, paymentRef string, amount money.Amount)
	CloseDispute func(t *testing.T, paymentRef string, won bool)
	// RefundSettlement is how long refunds take at most, if that differs from Capabilities.Settlement.
	RefundSettlement time.Duration
	// Deliveries returns all deliveries that the webhook has received. Sign returns a delivery of the body with a valid
	// signature. If the provider puts signatures into the body, Deliveries removes them. gateway.Webhooks needs both.
	Deliveries func(t *testing.T) []payment.Delivery
	Sign       func(body []byte) payment.Delivery
	// DeliveryTimeout is how long a behaviour waits for a delivery before it fails. The default is two minutes.
	DeliveryTimeout time.Duration
	// LoseResponse loses the response to the next request: the provider acts on the request, and the adapter returns
	// Unavailable.
	LoseResponse func(t *testing.T)
	// FailNextRequest makes the provider respond to the next request with the HTTP status, without acting on the request.
	FailNextRequest func(t *testing.T, status int)

	// Missing gives the reason for each scenario and each function that the environment lacks, such as "RefundByHand", and
	// for each currency that it lacks, "USD" or "JPY". A reason for "Cancel" declares that open payments can't be canceled;
	// the suite then checks that they expire.
	Missing map[string]string
}

// missingFunctions returns the names of the functions that the suite needs and that are nil although Missing has no
// reason for them.
func (h Harness) missingFunctions() (names []string) {
	c := h.Gateway.Capabilities()
	for _, function := range []struct {
		name     string
		isNil    bool
		isNeeded bool
	}{
		{"Now", h.Now == nil, true},
		{"Advance", h.Advance == nil, true},
		{"ChargedAmounts", h.ChargedAmounts == nil, true},
		{"CompletePage", h.CompletePage == nil, c.Entry == payment.EntryRedirect},
		{"Token", h.Token == nil, c.Entry == payment.EntryCardField},
		{"Authenticate", h.Authenticate == nil, c.Entry == payment.EntryCardField && c.Has(gateway.Authentication)},
		{"RefundByHand", h.RefundByHand == nil, c.Has(gateway.Refunds)},
		{"Deliveries", h.Deliveries == nil, c.Has(gateway.Webhooks)},
		{"Sign", h.Sign == nil, c.Has(gateway.Webhooks)},
		{"ReturnPart", h.ReturnPart == nil, c.ReturnWindow > 0},
		{"Dispute", h.Dispute == nil, c.Has(gateway.Disputes)},
		{"CloseDispute", h.CloseDispute == nil, c.Has(gateway.Disputes)},
		{"LoseResponse", h.LoseResponse == nil, true},
		{"FailNextRequest", h.FailNextRequest == nil, true},
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
	needs gateway.Capability // "" for none; check may skip the test for other reasons
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
	{"currencies", currencyBehaviours},
	{"keys", keyBehaviours},
	{"lost responses", lostResponseBehaviours},
	{"failed requests", failedRequestBehaviours},
	{"declines", declineBehaviours},
	{"page", pageBehaviours},
	{"token", tokenBehaviours},
	{"saved methods", methodBehaviours},
	{"cancel", cancelBehaviours},
	{"settlement", settlementBehaviours},
	{"refunds", refundBehaviours},
	{"disputes", disputeBehaviours},
	{"webhooks", webhookBehaviours},
	{"polling", pollingBehaviours},
	{"canceled contexts", contextBehaviours},
}

// Run checks each behaviour that the port documents in a subtest, and logs how many passed, failed and were skipped. It
// calls newHarness for each behaviour; newHarness cleans up with t.Cleanup.
func Run(t *testing.T, newHarness func(t *testing.T) Harness) {
	hasFunctions := t.Run("harness", func(t *testing.T) {
		require.Empty(t, newHarness(t).missingFunctions(), "functions of the Harness that are nil: set them, or give the reason in Missing")
	})
	if !hasFunctions {
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
				e.skipWithout(b.needs)
				b.check(e)
			})
		}
	})
}

// resultCount counts the results of behaviours.
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
