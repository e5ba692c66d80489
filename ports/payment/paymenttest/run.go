package paymenttest

import "testing"

// proof is one behaviour that the port promises.
type proof struct {
	name  string
	needs Capability
	prove func(*bench)
}

// Run proves that an adapter keeps what the port promises. newHarness is called for each proof and
// cleans up through t.
func Run(t *testing.T, newHarness func(t *testing.T) Harness) {
	first := newHarness(t)
	t.Run("declarations", func(t *testing.T) { declarations(t, first) })
	for _, area := range areas {
		t.Run(area.name, func(t *testing.T) {
			for _, p := range area.proofs {
				t.Run(p.name, func(t *testing.T) { p.run(t, first, newHarness) })
			}
		})
	}
}

// run proves it, or reports what stays unproved and why.
func (p proof) run(t *testing.T, first Harness, newHarness func(*testing.T) Harness) {
	if !first.has(p.needs) {
		t.Logf("not proved: needs %s, unsupported here: %s", p.needs, first.Unsupported[p.needs])
		return
	}
	p.prove(&bench{T: t, Harness: newHarness(t)})
}

var areas = []struct {
	name   string
	proofs []proof
}{
	{"customers", customerProofs},
	{"cards", cardProofs},
	{"refused cards", refusedCardProofs},
	{"default card", defaultCardProofs},
	{"subscribe", subscribeProofs},
	{"subscribe with a card", subscribeCardProofs},
	{"the only subscription", soleProofs},
	{"trials", trialProofs},
	{"authentication", authenticationProofs},
	{"paying an invoice", payInvoiceProofs},
	{"plan change", planChangeProofs},
	{"pending plan change", pendingChangeProofs},
	{"cancellation", cancellationProofs},
	{"listing", listingProofs},
	{"idempotency", idempotencyProofs},
	{"many at once", concurrencyProofs},
	{"fencing", fencingProofs},
	{"missing things", missingProofs},
	{"deadlines", deadlineProofs},
	{"events", eventProofs},
	{"signatures", signatureProofs},
	{"passing time", timeProofs},
	{"late payment", latePaymentProofs},
}
