package paymenttest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// Scenario selects how a test card or another payment method behaves, or what a customer does on the provider's page.
type Scenario string

// The scenarios of cards and other methods. The browser may already refuse DeclinedWhenSaved and ExpiredCard, and the
// provider may refuse InsufficientFunds and LostCard when they are saved. NeedsAuthentication, InsufficientFunds,
// LostCard and ExpiredCard are only passed to Harness.CreateCard.
const (
	Pays                Scenario = "pays"
	NeedsAuthentication Scenario = "needs authentication" // the first charge or set-up needs authentication
	DeclinedWhenSaved   Scenario = "declined when saved"
	DeclinedWhenCharged Scenario = "declined when charged"
	InsufficientFunds   Scenario = "insufficient funds"
	LostCard            Scenario = "lost"
	// AuthenticatedWhenSaved is a card that its bank only saves or charges after an authentication. Only a harness with
	// SavingAuthentication needs it.
	AuthenticatedWhenSaved Scenario = "authenticated when saved"
	ExpiredCard            Scenario = "expired"
)

// The scenarios of bank accounts and other methods with payments that take days. Only a harness with Settle needs them.
const (
	Settles     Scenario = "settles"     // the payment arrives
	FailsLate   Scenario = "fails late"  // the payment fails instead of arriving
	ReturnsLate Scenario = "is returned" // the payment arrives, and the bank returns it later
)

// Leaves is the scenario of a customer who leaves the provider's page without completing it. It is only passed to
// Harness.Checkout.
const Leaves Scenario = "leaves"

// Secret names a secret that signs deliveries.
type Secret string

// The secrets are the adapter's current one, an earlier one that the adapter accepts no longer, and one of another account.
const (
	CurrentSecret  Secret = "current"
	ReplacedSecret Secret = "replaced"
	ForeignSecret  Secret = "foreign"
)

// The capabilities of a test environment, in addition to those of the provider. Harness.Missing can declare them as missing.
const (
	ClockControl payment.Capability = "clock_control" // Harness.Advance
	Payments     payment.Capability = "payments"      // Harness.CreateCard, Checkout or PayInvoice, depending on the Entry
	// Authentication is Harness.CreateCard with NeedsAuthentication, ConfirmPayment and ConfirmSetup. Only a harness with
	// EntryCardField needs it.
	Authentication payment.Capability = "authentication"
	Signatures     payment.Capability = "signatures" // Harness.Sign
	// SavingAuthentication is Harness.CreateCard with AuthenticatedWhenSaved. It is missing without Authentication.
	SavingAuthentication payment.Capability = "saving_authentication"
	Disputes             payment.Capability = "disputes"          // Harness.Dispute and CloseDispute, and Provider.LiftHold
	InvoiceReopening     payment.Capability = "invoice_reopening" // a returned payment opens the latest invoice again
)

// Capabilities that follow from the provider and the functions of the Harness, see exclusionReason.
const (
	cardField      payment.Capability = "card_field"      // Harness.CreateCard
	hostedCheckout payment.Capability = "hosted_checkout" // Harness.Checkout
	methodPage     payment.Capability = "method_page"     // Provider.SetUpMethod
	transfers      payment.Capability = "transfers"       // Harness.PayInvoice
	onlinePayment  payment.Capability = "online_payment"  // Provider.PayInvoice
	slowPayments   payment.Capability = "slow_payments"   // Harness.Settle
	newMethods     payment.Capability = "new_methods"     // PayInvoice charges a new method
	pushedEvents   payment.Capability = "pushed_events"   // every change causes a webhook event
	backgroundWork payment.Capability = "background_work" // payment.Worker
)

// Harness is a new provider with its test environment. A function that needs a missing capability may be nil.
type Harness struct {
	Provider payment.Provider

	// CreateCard creates a payment method in the browser and returns its id, or the browser's refusal as a
	// Declined fault. Only a provider with EntryCardField needs it.
	CreateCard func(t *testing.T, s Scenario) (string, error)
	// ConfirmPayment completes or fails, in the browser, the authentication that a payment requires, and
	// returns the status that the browser receives.
	ConfirmPayment func(t *testing.T, clientSecret string, complete bool) billing.IntentStatus
	// ConfirmSetup does the same for the authentication of a card that is set up.
	ConfirmSetup func(t *testing.T, clientSecret string, complete bool) billing.IntentStatus
	// DeleteCustomer deletes a customer without the adapter, as in the provider's dashboard. If the billing keeps the
	// customers, it calls ledger.Ledger.DeleteCustomer.
	DeleteCustomer func(t *testing.T, id string)
	// Deliveries returns the deliveries received so far. Later ones may still be in transit.
	Deliveries func(t *testing.T) []payment.Delivery
	// Sign returns a delivery of the body, signed at the time as the provider signs it; signatures need not contain the
	// time. If the provider does not sign its events, Signatures is missing.
	Sign func(body []byte, at time.Time, secret Secret) payment.Delivery
	// Now returns the time of the adapter's clock, with which the adapter decides whether a signature is outdated.
	Now func() time.Time
	// Advance lets time pass at the provider and returns when the provider has done everything that became due, each at
	// its own time.
	Advance func(t *testing.T, d time.Duration)
	// Settle lets time pass until no payment is processing. It may be nil if all payments arrive immediately.
	Settle func(t *testing.T)
	// PayInvoice records that the amount due of an invoice was paid, for example by bank transfer. Only a provider
	// with EntryInvoice needs it.
	PayInvoice func(t *testing.T, invoiceID string)
	// Dispute disputes the payment of an invoice, as the customer does at the bank, and CloseDispute ends the dispute.
	// Both return after the provider has processed the event about the dispute. If an earlier dispute of the payment was
	// won, Dispute opens another one. While a dispute is open, Dispute changes nothing.
	Dispute      func(t *testing.T, invoiceID string)
	CloseDispute func(t *testing.T, invoiceID string, won bool)
	// Checkout visits the page at the URL of a redirect, as a customer who pays with a method of the scenario or saves
	// the method. The page refuses to charge DeclinedWhenCharged and to save DeclinedWhenSaved. A visit to a completed
	// page does nothing. Only a provider with EntryRedirect needs it.
	Checkout func(t *testing.T, url string, scenario Scenario)
	// RaisePrices raises the price of the standard plan, as an operator does with another catalogue, and returns the
	// provider with the new prices. It may be nil.
	RaisePrices func(t *testing.T) payment.Provider
	// ChargedSum returns the sum of the customer's successful payments in minor units. It may be nil.
	ChargedSum func(t *testing.T, customerID string) int64

	// Missing contains the reason for each missing capability of the environment.
	Missing map[payment.Capability]string
}

// missingReason returns the reason why the provider or the environment lacks the capability.
func (h Harness) missingReason(c payment.Capability) (reason string, missing bool) {
	if reason, missing = h.Missing[c]; missing {
		return reason, true
	}
	if c == SavingAuthentication {
		if reason, missing = h.missingReason(Authentication); missing {
			return reason, true
		}
	}
	if reason = h.exclusionReason(c); reason != "" {
		return reason, true
	}
	reason, missing = h.Provider.Capabilities().Missing[c]
	return reason, missing
}

// exclusionReason returns why the provider or the functions of the harness exclude the capability, or "".
func (h Harness) exclusionReason(c payment.Capability) string {
	capabilities := h.Provider.Capabilities()
	_, isWorker := h.Provider.(payment.Worker)
	exclusion := map[payment.Capability]struct {
		applies bool
		reason  string
	}{
		cardField:            {capabilities.Entry != payment.EntryCardField, "cards are not entered in a field"},
		Authentication:       {capabilities.Entry != payment.EntryCardField, "cards are not entered in a field"},
		hostedCheckout:       {!capabilities.Redirects(), "the provider has no page for payments"},
		methodPage:           {!capabilities.HasMethodPage(), "the provider has no page that saves a method"},
		transfers:            {!capabilities.CollectsByInvoice(), "customers do not pay by transfer"},
		onlinePayment:        {capabilities.CollectsByInvoice(), "customers pay by transfer"},
		SavingAuthentication: {!capabilities.ChargesNewMethods, "a card is saved without an authentication"},
		newMethods:           {!capabilities.ChargesNewMethods, "a new method is saved before it is charged"},
		slowPayments:         {h.Settle == nil, "the payments of the environment arrive immediately"},
		pushedEvents:         {isWorker || !capabilities.Has(payment.Webhooks), "no webhook event reports every change"},
		backgroundWork:       {!isWorker, "the provider does not implement payment.Worker"},
	}[c]
	if !exclusion.applies {
		return ""
	}
	return exclusion.reason
}

// missingFunctions returns the names of the functions that are nil although all capabilities that they need are available.
func (h Harness) missingFunctions() (names []string) {
	isMissing := func(c payment.Capability) bool {
		_, missing := h.missingReason(c)
		return missing
	}
	for _, function := range []struct {
		name  string
		isNil bool
		needs []payment.Capability
	}{
		{"Now", h.Now == nil, nil},
		{"DeleteCustomer", h.DeleteCustomer == nil, nil},
		{"CreateCard", h.CreateCard == nil, []payment.Capability{cardField, Payments}},
		{"ConfirmPayment", h.ConfirmPayment == nil, []payment.Capability{Authentication}},
		{"ConfirmSetup", h.ConfirmSetup == nil, []payment.Capability{Authentication}},
		{"Deliveries", h.Deliveries == nil, []payment.Capability{payment.Webhooks}},
		{"Sign", h.Sign == nil, []payment.Capability{payment.Webhooks, Signatures}},
		{"Advance", h.Advance == nil, []payment.Capability{ClockControl}},
		{"Checkout", h.Checkout == nil, []payment.Capability{hostedCheckout, Payments}},
		{"PayInvoice", h.PayInvoice == nil, []payment.Capability{transfers, Payments}},
		{"Dispute", h.Dispute == nil, []payment.Capability{Disputes}},
		{"CloseDispute", h.CloseDispute == nil, []payment.Capability{Disputes}},
	} {
		if function.isNil && !slices.ContainsFunc(function.needs, isMissing) {
			names = append(names, function.name)
		}
	}
	return names
}

// savesCards reports whether cards are entered in the browser and saved.
func (h Harness) savesCards() bool {
	_, noMethods := h.missingReason(payment.SavedMethods)
	_, noField := h.missingReason(cardField)
	return !noMethods && !noField
}

// behaviour is one requirement of the port.
type behaviour struct {
	name  string
	needs payment.Capability // "" for none; the methods of env check the capabilities that they need
	check func(*env)
}

// area is a group of behaviours.
type area struct {
	name       string
	behaviours []behaviour
}

// areas contains all behaviours except those of processingArea.
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
	{"refunded plans", refundedPlanBehaviours},
	{"disputes", disputeBehaviours},
	{"holds", holdBehaviours},
	{"movements", movementBehaviours},
	{"idempotency keys", idempotencyBehaviours},
	{"concurrency", concurrencyBehaviours},
	{"retired keys", retiredKeyBehaviours},
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

// processingArea contains the behaviours of payments that take days. Their tests call Harness.Settle themselves.
var processingArea = area{
	"processing payments", slices.Concat(processingBehaviours, slowCheckoutBehaviours, bankReturnBehaviours),
}

// Run checks every behaviour that the port documents in a subtest, and logs how many passed, failed and were skipped. It
// calls newHarness for each behaviour; newHarness cleans up with t.Cleanup. Run stops immediately if the Harness lacks a
// function.
func Run(t *testing.T, newHarness func(t *testing.T) Harness) {
	isComplete := t.Run("harness", func(t *testing.T) {
		require.Empty(t, newHarness(t).missingFunctions(),
			"functions of the Harness that are nil: set them, or declare in Missing what the environment can't do")
	})
	if !isComplete {
		return
	}
	var count resultCount
	for _, area := range areas {
		area.run(t, &count, func(t *testing.T) Harness { return newSettlingHarness(t, newHarness(t)) })
	}
	processingArea.run(t, &count, newHarness)
	t.Logf("conformance: %d passed, %d failed, %d skipped", count.passed, count.failed, count.skipped)
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
