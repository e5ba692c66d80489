package payment_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestCapabilities_CheckSteps(t *testing.T) {
	for needed, step := range map[payment.Capability]billing.Step{
		payment.SavedMethods:    {Kind: billing.SaveCardStep, CardID: "pm_1"},
		payment.Trials:          {Kind: billing.StartSubscriptionStep, TrialDays: 7},
		payment.ChangeNow:       {Kind: billing.ChangePlanStep},
		payment.PendingChanges:  {Kind: billing.CancelPendingChangeStep},
		payment.PayInvoice:      {Kind: billing.PayInvoiceStep},
		payment.ChangeAtRenewal: {Kind: billing.CancelScheduledChangeStep},
		payment.EndAtPeriodEnd:  {Kind: billing.ResumeStep},
	} {
		missing := payment.Capabilities{Missing: map[payment.Capability]string{needed: "for the test"}}
		steps := []billing.Step{{Kind: billing.EndUnpaidStep}, step}
		assert.Equal(t, fault.Unsupported, fault.CodeOf(missing.CheckSteps(steps)), needed)
		assert.NoError(t, payment.Capabilities{}.CheckSteps(steps), needed)
	}
	withCard := []billing.Step{{Kind: billing.StartSubscriptionStep, CardID: "pm_1"}}
	noCards := payment.Capabilities{Missing: map[payment.Capability]string{payment.SavedMethods: "for the test"}}
	assert.ErrorContains(t, noCards.CheckSteps(withCard), "does not support saved payment methods")
	assert.NoError(t, noCards.CheckSteps([]billing.Step{{Kind: billing.StartSubscriptionStep}}))
}

// invoices is a provider without cards and events. It embeds Unimplemented and implements the rest of
// payment.Provider.
type invoices struct {
	payment.Unimplemented
}

func (invoices) Capabilities() payment.Capabilities {
	return payment.Capabilities{
		Entry: payment.EntryInvoice,
		Missing: map[payment.Capability]string{
			payment.SavedMethods: "customers pay by bank transfer",
			payment.PushEvents:   "a bank sends no events",
		},
	}
}

func ExampleUnimplemented() {
	var provider invoices
	_, err := provider.ParseEvents(context.Background(), payment.Delivery{})
	fmt.Println(fault.CodeOf(err), "-", fault.MessageOf(err))
	fmt.Println(provider.Capabilities().Missing[payment.PushEvents])
	// Output:
	// unsupported - The payment provider does not support webhook events.
	// a bank sends no events
}
