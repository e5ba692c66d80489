package paymenttest

import (
	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/payment"
)

var capabilityBehaviours = []behaviour{
	{name: "every missing capability is known and has a reason", check: func(t *env) {
		capabilities := []payment.Capability{payment.CheaperChangeNow, payment.Webhooks}
		for _, r := range requests {
			capabilities = append(capabilities, r.needs)
		}
		for c, reason := range t.Provider.Capabilities().Missing {
			assert.Contains(t, capabilities, c)
			assert.NotEmpty(t, reason, c)
		}
		for c, reason := range t.Missing {
			assert.Contains(t, environmentCapabilities, c)
			assert.NotEmpty(t, reason, c)
		}
	}},
	{name: "the entry is one of the Entry constants", check: func(t *env) {
		entries := []payment.Entry{payment.EntryCardField, payment.EntryRedirect, payment.EntryInvoice}
		assert.Contains(t, entries, t.Provider.Capabilities().Entry)
	}},
	{name: "every request that needs a missing capability returns Unsupported", check: (*env).assertUnsupported},
	{name: "a provider without fencing declares its longest request", check: func(t *env) {
		if capabilities := t.Provider.Capabilities(); !capabilities.Has(payment.Fencing) {
			assert.Positive(t, capabilities.LongestRequest)
		}
	}},
}

// environmentCapabilities can be declared missing in Harness.Missing.
var environmentCapabilities = []payment.Capability{
	ClockControl, Payments, Authentication, SavingAuthentication, Signatures, Disputes, InvoiceReopening,
}
