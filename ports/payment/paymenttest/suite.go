package paymenttest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// Scenario is the behaviour of a test card or another payment method, or of a customer on the provider's page.
type Scenario string

// The scenarios of cards and other methods. DeclinedWhenSaved and Expired may be refused in the browser already, and
// InsufficientFunds and Lost when they are saved. Only MakeCard needs NeedsAuthentication, InsufficientFunds, Lost and Expired.
const (
	Pays                Scenario = "pays"
	NeedsAuthentication Scenario = "needs authentication" // the first time it is charged or set up
	DeclinedWhenSaved   Scenario = "declined when saved"
	DeclinedWhenCharged Scenario = "declined when charged"
	InsufficientFunds   Scenario = "insufficient funds"
	Lost                Scenario = "lost"
	Expired             Scenario = "expired"
)

// The scenarios of bank accounts and other methods whose payments take days. Only a provider with SlowPayments needs them.
const (
	Settles     Scenario = "settles"     // the payment arrives
	FailsLate   Scenario = "fails late"  // it fails instead of arriving
	ReturnsLate Scenario = "is returned" // it arrives, and the bank returns it later
)

// Leaves is the scenario of a customer who returns from the provider's page without completing it; for Checkout only.
const Leaves Scenario = "leaves"

// Secret is a secret that a delivery can be signed with.
type Secret string

// The secrets: the adapter's, one that it replaced, and one of another account.
const (
	Current  Secret = "current"
	Replaced Secret = "replaced"
	Foreign  Secret = "foreign"
)

// What a test environment may lack, in addition to the provider's capabilities. BackgroundWork, CardField and SlowPayments
// follow from the provider and the functions of the Harness; Harness.Missing declares the others.
const (
	PassingTime    payment.Capability = "passing_time"    // Harness.Advance
	Authentication payment.Capability = "authentication"  // Harness.ConfirmPayment and ConfirmSetup
	OutsidePayment payment.Capability = "outside_payment" // Harness.PayInvoice
	HostedCheckout payment.Capability = "hosted_checkout" // Harness.Checkout
	Signatures     payment.Capability = "signatures"      // Harness.Sign
	SignatureAge   payment.Capability = "signature_age"   // a time in the signatures, so that old ones are refused
	BackgroundWork payment.Capability = "background_work" // payment.Worker
	CardField      payment.Capability = "card_field"      // Harness.MakeCard
	SlowPayments   payment.Capability = "slow_payments"   // Harness.Settle
	OwedAgain      payment.Capability = "owed_again"      // the latest invoice is open again when the bank returns its payment
)

// Harness is a new provider with its test environment. The functions for a missing capability may be
// nil.
type Harness struct {
	Provider payment.Provider

	// MakeCard creates a payment method in the browser and returns its id, or the browser's refusal as a
	// Declined fault. Only a provider with EntryCardField needs it.
	MakeCard func(t *testing.T, s Scenario) (string, error)
	// ConfirmPayment completes or fails, in the browser, the authentication that a payment requires, and
	// returns the status that the browser sees.
	ConfirmPayment func(t *testing.T, clientSecret string, complete bool) billing.IntentStatus
	// ConfirmSetup does the same for the authentication of a card.
	ConfirmSetup func(t *testing.T, clientSecret string, complete bool) billing.IntentStatus
	// DeleteCustomer deletes a customer without the adapter, as in the provider's dashboard.
	DeleteCustomer func(t *testing.T, id string)
	// Deliveries returns the deliveries received so far. Later ones may still be in transit.
	Deliveries func(t *testing.T) []payment.Delivery
	// Sign returns a delivery of the body that is signed as the provider does it. A provider that does not
	// sign its events declares Signatures missing; one whose signatures contain no time declares SignatureAge missing.
	Sign func(body []byte, at time.Time, with Secret) payment.Delivery
	// Now is the time by which the adapter decides whether a signature is outdated.
	Now func() time.Time
	// Advance lets time pass at the provider and returns after everything due has happened.
	Advance func(t *testing.T, d time.Duration)
	// Settle lets time pass until no payment is on its way, and does nothing if none is. A harness whose payments take days
	// needs it for every behaviour. It may be nil if all of them arrive at once.
	Settle func(t *testing.T)
	// PayInvoice records that the amount due of an invoice was paid outside, as by a bank transfer. Only
	// a provider with EntryInvoice needs it.
	PayInvoice func(t *testing.T, invoiceID string)
	// Dispute disputes the payment of an invoice, as the customer does at the bank, and CloseDispute ends the dispute.
	// Both return after the provider has processed the event about it. A payment is disputed again after a dispute
	// that was won; while one is open, nothing changes.
	Dispute      func(t *testing.T, invoiceID string)
	CloseDispute func(t *testing.T, invoiceID string, won bool)
	// Checkout visits the page at the URL of a redirect with a method of the scenario: it pays with the method or saves
	// it, or is refused, and returns. The payment fails with DeclinedWhenCharged; a page that only saves refuses
	// DeclinedWhenSaved. A page that was completed does nothing. Only a provider with EntryRedirect needs it.
	Checkout func(t *testing.T, url string, with Scenario)
	// RaisePrices makes the standard plan dearer, as an operator does with another catalogue, and returns the provider as
	// it is afterwards. It may be nil.
	RaisePrices func(t *testing.T) payment.Provider
	// Charged returns the sum of the customer's successful payments in minor units. It may be nil.
	Charged func(t *testing.T, customerID string) int64

	// Missing has the reason for each thing that the environment can't do: PassingTime, Authentication,
	// OutsidePayment, HostedCheckout, Signatures, SignatureAge, OwedAgain.
	Missing map[payment.Capability]string
}

// missingReason returns the reason why the provider or the environment lacks the capability.
func (h Harness) missingReason(c payment.Capability) (reason string, missing bool) {
	if reason, missing = h.Missing[c]; missing {
		return reason, true
	}
	if reason = h.lacks(c); reason != "" {
		return reason, true
	}
	reason, missing = h.Provider.Capabilities().Missing[c]
	return reason, missing
}

// lacks returns why the environment or the provider can't have the capability, "" if it can.
func (h Harness) lacks(c payment.Capability) string {
	capabilities := h.Provider.Capabilities()
	switch c {
	case HostedCheckout, CardField:
		entry := map[payment.Capability]payment.Entry{HostedCheckout: payment.EntryRedirect, CardField: payment.EntryCardField}[c]
		if capabilities.Entry != entry {
			return "the entry of the provider is " + string(capabilities.Entry)
		}
	case SlowPayments:
		if h.Settle == nil {
			return "the payments of the environment arrive at once"
		}
	case BackgroundWork:
		if _, works := h.Provider.(payment.Worker); !works {
			return "the provider is no payment.Worker"
		}
		if capabilities.Has(payment.PushEvents) {
			return "the provider sends events instead of reporting changes"
		}
	}
	return ""
}

// missingFunctions returns the names of the functions that are nil although the suite needs them.
func (h Harness) missingFunctions() (names []string) {
	for _, f := range []struct {
		name  string
		nil   bool
		needs []payment.Capability
	}{
		{"Now", h.Now == nil, nil},
		{"DeleteCustomer", h.DeleteCustomer == nil, nil},
		{"MakeCard", h.MakeCard == nil, []payment.Capability{CardField}},
		{"ConfirmPayment", h.ConfirmPayment == nil, []payment.Capability{CardField, Authentication}},
		{"ConfirmSetup", h.ConfirmSetup == nil, []payment.Capability{CardField, Authentication}},
		{"Deliveries", h.Deliveries == nil, []payment.Capability{payment.Webhooks}},
		{"Sign", h.Sign == nil, []payment.Capability{payment.Webhooks, Signatures}},
		{"Advance", h.Advance == nil, []payment.Capability{PassingTime}},
		{"Checkout", h.Checkout == nil, []payment.Capability{HostedCheckout}},
		{"Dispute", h.Dispute == nil, []payment.Capability{payment.Disputes}},
		{"CloseDispute", h.CloseDispute == nil, []payment.Capability{payment.Disputes}},
	} {
		lacking := func(c payment.Capability) bool { _, missing := h.missingReason(c); return missing }
		if f.nil && !slices.ContainsFunc(f.needs, lacking) {
			names = append(names, f.name)
		}
	}
	return names
}

// savesCards reports whether cards are entered in the browser and saved.
func (h Harness) savesCards() bool {
	_, noMethods := h.missingReason(payment.SavedMethods)
	_, noField := h.missingReason(CardField)
	return !noMethods && !noField
}

// behaviour is one requirement of the port.
type behaviour struct {
	name  string
	needs payment.Capability // "" for none; the functions of env require more
	check func(*env)
}

// area is a group of behaviours.
type area struct {
	name       string
	behaviours []behaviour
}

// areas are all behaviours but those of processingArea.
var areas = []area{
	{"capabilities", capabilityBehaviours},
	{"customers", customerBehaviours},
	{"cards", cardBehaviours},
	{"default card", defaultCardBehaviours},
	{"refused cards", refusedCardBehaviours},
	{"subscribe", subscribeBehaviours},
	{"subscribe with a card", subscribeCardBehaviours},
	{"sole subscription", soleBehaviours},
	{"trials", trialBehaviours},
	{"hosted checkout", checkoutBehaviours},
	{"mandates", mandateBehaviours},
	{"method page", methodPageBehaviours},
	{"trials with a mandate", mandateTrialBehaviours},
	{"pay invoice", payInvoiceBehaviours},
	{"authentication", authenticationBehaviours},
	{"change plan", planChangeBehaviours},
	{"pending change", pendingChangeBehaviours},
	{"change at renewal", renewalBehaviours},
	{"replaced change", replacementBehaviours},
	{"amounts", amountBehaviours},
	{"quotes", quoteBehaviours},
	{"refused quotes", refusedQuoteBehaviours},
	{"combinations", combinationBehaviours},
	{"cancel", cancellationBehaviours},
	{"cancel an overdue subscription", voidingBehaviours},
	{"end at period end", endBehaviours},
	{"list", listingBehaviours},
	{"invoices", invoiceBehaviours},
	{"billing details", detailsBehaviours},
	{"credit", creditBehaviours},
	{"trial extensions", trialExtensionBehaviours},
	{"refunds", refundBehaviours},
	{"disputes", disputeBehaviours},
	{"holds", holdBehaviours},
	{"idempotency keys", idempotencyBehaviours},
	{"concurrency", concurrencyBehaviours},
	{"fencing", fencingBehaviours},
	{"unknown ids", unknownIDBehaviours},
	{"canceled contexts", canceledContextBehaviours},
	{"events", eventBehaviours},
	{"signatures", signatureBehaviours},
	{"passing time", timeBehaviours},
	{"late payment", latePaymentBehaviours},
	{"worker", workerBehaviours},
	{"owed invoices", owedBehaviours},
}

// processingArea is the only one whose payments don't settle by themselves.
var processingArea = area{"payments on their way", slices.Concat(processingBehaviours, slowCheckoutBehaviours)}

// Run checks every behaviour that the port documents as a subtest, and logs how many passed, failed and
// were skipped. It calls newHarness for each behaviour; newHarness cleans up with t.Cleanup. It stops at once
// when the Harness lacks a function.
func Run(t *testing.T, newHarness func(t *testing.T) Harness) {
	complete := t.Run("harness", func(t *testing.T) {
		require.Empty(t, newHarness(t).missingFunctions(), "functions of the Harness that are nil, although nothing they need is declared missing")
	})
	if !complete {
		return
	}
	var passed, failed, skipped int
	run := func(area area, prepare func(*testing.T, Harness) Harness) {
		t.Run(area.name, func(t *testing.T) {
			for _, b := range area.behaviours {
				t.Run(b.name, func(t *testing.T) {
					defer func() {
						switch {
						case t.Failed():
							failed++
						case t.Skipped():
							skipped++
						default:
							passed++
						}
					}()
					e := &env{T: t, Harness: prepare(t, newHarness(t))}
					e.require(b.needs)
					b.check(e)
				})
			}
		})
	}
	for _, area := range areas {
		run(area, withImmediateSettlement)
	}
	run(processingArea, func(_ *testing.T, h Harness) Harness { return h })
	t.Logf("conformance: %d passed, %d failed, %d skipped", passed, failed, skipped)
}
