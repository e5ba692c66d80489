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

func TestCheckActions_RefusesActionsThatNeedAMissingCapability(t *testing.T) {
	for capability, action := range map[payment.Capability]billing.Action{
		payment.SavedMethods: {Kind: billing.SaveCardAction, MethodID: "pm_1"},
		payment.Trials:       {Kind: billing.StartSubscriptionAction, TrialDays: 7},
		payment.ChangeNow:    {Kind: billing.CancelPendingChangeAction},
		payment.AtPeriodEnd:  {Kind: billing.ResumeAction},
	} {
		incompleteCapabilities := payment.Capabilities{Missing: map[payment.Capability]string{capability: "for the test"}}
		actions := []billing.Action{{Kind: billing.EndUnpaidAction}, action}
		assert.Equal(t, fault.Unsupported, fault.CodeOf(incompleteCapabilities.CheckActions(actions)), capability)
		assert.NoError(t, payment.Capabilities{}.CheckActions(actions), capability)
	}
}

func TestCheckActions_WithoutSavedMethodsRefusesOnlySubscriptionsThatNameAMethod(t *testing.T) {
	c := payment.Capabilities{Missing: map[payment.Capability]string{payment.SavedMethods: "for the test"}}
	withMethod := []billing.Action{{Kind: billing.StartSubscriptionAction, MethodID: "pm_1"}}
	assert.ErrorContains(t, c.CheckActions(withMethod), "does not support saved payment methods")
	assert.NoError(t, c.CheckActions([]billing.Action{{Kind: billing.StartSubscriptionAction}}))
}

func TestCheckActions_RefusesActionsThatTheEntryExcludes(t *testing.T) {
	noTrials := map[payment.Capability]string{payment.Trials: "for the test"}
	for _, test := range []struct {
		capabilities payment.Capabilities
		action       billing.ActionKind
		want         fault.Code
	}{
		{payment.Capabilities{Entry: payment.EntryInvoice}, billing.PayInvoiceAction, fault.Unsupported},
		{payment.Capabilities{Entry: payment.EntryRedirect}, billing.PayInvoiceAction, ""},
		{payment.Capabilities{Entry: payment.EntryCardField}, billing.PayInvoiceAction, ""},
		{payment.Capabilities{Entry: payment.EntryInvoice}, billing.SetUpMethodAction, fault.Unsupported},
		{payment.Capabilities{Entry: payment.EntryCardField}, billing.SetUpMethodAction, fault.Unsupported},
		{payment.Capabilities{Entry: payment.EntryRedirect}, billing.SetUpMethodAction, ""},
		{payment.Capabilities{Entry: payment.EntryRedirect, Missing: noTrials}, billing.SetUpMethodAction, fault.Unsupported},
	} {
		err := test.capabilities.CheckActions([]billing.Action{{Kind: test.action}})
		if test.want == "" {
			assert.NoError(t, err, "%+v", test)
			continue
		}
		assert.Equal(t, test.want, fault.CodeOf(err), "%+v", test)
	}
}

// transferProvider shows how to use Unimplemented. A real provider also implements the methods that Unimplemented
// lacks.
type transferProvider struct {
	payment.Unimplemented
}

func (transferProvider) Capabilities() payment.Capabilities {
	return payment.Capabilities{
		Entry: payment.EntryInvoice,
		Missing: map[payment.Capability]string{
			payment.SavedMethods: "customers pay by bank transfer",
			payment.Webhooks:     "a bank sends no events",
		},
	}
}

func ExampleUnimplemented() {
	var provider transferProvider
	_, err := provider.ParseEvents(context.Background(), payment.Delivery{})
	fmt.Println(fault.CodeOf(err), "-", fault.MessageOf(err))
	fmt.Println(provider.Capabilities().Missing[payment.Webhooks])
	// Output:
	// unsupported - The payment provider does not support webhooks.
	// a bank sends no events
}
