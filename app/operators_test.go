package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// newDisputedFixture returns a fixture and a customer who has paid an invoice of 816.00 and got a credit of 777.00 by a
// plan change. The payment is disputed.
func newDisputedFixture(t *testing.T) (f *fixture, caller identity.Identity, invoiceID string) {
	t.Helper()
	f, caller = newSignedUpFixture(t)
	invoiceID = f.subscribe(caller, visa, professionalYearly, true).LatestInvoice.ID
	_, err := f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: standardMonthly})
	require.NoError(t, err)
	f.Dispute(invoiceID)
	f.DeliverEvents()
	return f, caller, invoiceID
}

// newLiftHoldRequest returns the request of an operator to lift the caller's hold.
func newLiftHoldRequest(caller identity.Identity) app.LiftHoldRequest {
	return app.LiftHoldRequest{OrganisationID: caller.OrganisationID, Operator: "olga", Reason: "the customer pays again"}
}

func TestShowHold_ReportsTheReturnedPayments(t *testing.T) {
	f, caller, invoiceID := newDisputedFixture(t)

	report, err := f.ShowHold.Do(t.Context(), caller.OrganisationID)

	require.NoError(t, err)
	assert.Equal(t, billing.HoldDisputed, report.Organisation.Billing.Hold())
	assert.Zero(t, report.Customer.Credit.Minor())
	assert.Empty(t, report.Lifts)
	require.Len(t, report.ReturnedPayments, 1)
	payment := report.ReturnedPayments[0]
	assert.Equal(t, billing.DisputeOpen, payment.Dispute)
	assert.EqualValues(t, 81600, payment.Amount.Minor())
	assert.EqualValues(t, 77700, payment.Withdrawn.Minor())
	assert.Zero(t, payment.Spent.Minor(), "the first month of the cheaper plan was not paid with credit")
	f.CloseDispute(invoiceID, true)
	report, err = f.ShowHold.Do(t.Context(), caller.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, billing.DisputeWon, report.ReturnedPayments[0].Dispute)
	assert.EqualValues(t, 77700, report.Customer.Credit.Minor())
	assert.Equal(t, billing.NoHold, report.Customer.Hold)
}

func TestLiftHold_ReleasesTheCustomerAndRecordsTheOperatorAndTheReason(t *testing.T) {
	f, caller, invoiceID := newDisputedFixture(t)
	ben := f.SignUpOnServer(f.UseCases, "ben")
	f.CloseDispute(invoiceID, false)
	orgsOnHold, err := f.ListHolds.Do(t.Context())
	require.NoError(t, err)
	require.Len(t, orgsOnHold, 1)
	assert.Equal(t, caller.OrganisationID, orgsOnHold[0].ID)

	report, err := f.LiftHold.Do(t.Context(), newLiftHoldRequest(caller))

	require.NoError(t, err)
	assert.Equal(t, billing.NoHold, report.Organisation.Billing.Hold())
	assert.Zero(t, report.Customer.Credit.Minor(), "the dispute was lost")
	require.Len(t, report.Lifts, 1)
	lift := report.Lifts[0]
	assert.NotEmpty(t, lift.Cause)
	assert.Equal(t, audit.Entry{
		ID: lift.ID, OrganisationID: caller.OrganisationID, At: f.Clock.Now(), Actor: audit.Operator("olga"), Kind: audit.OperatorLiftedHold,
		Outcome: audit.Done, Cause: lift.Cause, Note: "the customer pays again",
	}, lift)
	orgsOnHold, err = f.ListHolds.Do(t.Context())
	require.NoError(t, err)
	assert.Empty(t, orgsOnHold)
	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalMonthly})
	require.NoError(t, err)
	for _, organisationID := range []string{caller.OrganisationID, ben.OrganisationID} {
		_, err = f.LiftHold.Do(t.Context(),
			app.LiftHoldRequest{OrganisationID: organisationID, Operator: "olga", Reason: "again"})
		assertCode(t, fault.Conflict, err)
	}
}

func TestLiftHold_RefusesARequestWithoutOperatorReasonOrKnownOrganisation(t *testing.T) {
	f, caller, _ := newDisputedFixture(t)
	for _, change := range []func(*app.LiftHoldRequest){
		func(req *app.LiftHoldRequest) { req.Operator = " " },
		func(req *app.LiftHoldRequest) { req.Reason = "\n" },
	} {
		req := newLiftHoldRequest(caller)
		change(&req)
		_, err := f.LiftHold.Do(t.Context(), req)
		assertCode(t, fault.Invalid, err)
	}
	_, err := f.LiftHold.Do(t.Context(), app.LiftHoldRequest{OrganisationID: "unknown", Operator: "olga", Reason: "won"})
	assertCode(t, fault.NotFound, err)
	assert.Equal(t, billing.HoldDisputed, f.account(caller).Hold())
}

// The record of a failed request remains. It does no harm, whereas a hold must not be lifted without a record.
func TestLiftHold_IsRecordedBeforeTheProviderIsCalled(t *testing.T) {
	f, caller, _ := newDisputedFixture(t)
	f.injectFaults(failAlways("LiftHold"))
	_, err := f.LiftHold.Do(t.Context(), newLiftHoldRequest(caller))
	assertCode(t, fault.Unavailable, err)
	f.injectFaults(flakypayment.NoFaults)
	report, err := f.ShowHold.Do(t.Context(), caller.OrganisationID)
	require.NoError(t, err)
	assert.Len(t, report.Lifts, 1)
	assert.Equal(t, billing.HoldDisputed, report.Organisation.Billing.Hold())

	report, err = f.LiftHold.Do(t.Context(), newLiftHoldRequest(caller))

	require.NoError(t, err)
	assert.Len(t, report.Lifts, 2)
	assert.Equal(t, billing.NoHold, report.Organisation.Billing.Hold())
}

// The hold stays after its customer was deleted at the provider. The next customer can't subscribe until the hold is
// lifted.
func TestLiftHold_WorksAfterTheCustomerWasDeleted(t *testing.T) {
	for _, isReplaced := range []bool{false, true} {
		f, caller, _ := newDisputedFixture(t)
		require.NoError(t, f.provider.DeleteCustomer(t.Context(), f.account(caller).CustomerID))
		if isReplaced {
			_, err := f.CreateCustomer.Do(t.Context(), caller)
			require.NoError(t, err)
		}
		_, err := f.Subscribe.Do(t.Context(), caller, app.SubscribeRequest{Price: standardMonthly, NoTrial: true})
		require.Error(t, err)

		report, err := f.LiftHold.Do(t.Context(), newLiftHoldRequest(caller))

		require.NoError(t, err)
		assert.Equal(t, billing.NoHold, report.Organisation.Billing.Hold())
		_, err = f.CreateCustomer.Do(t.Context(), caller)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, f.subscribe(caller, visa, standardMonthly, true).Status)
	}
}

func TestGrantDevLicense_ReplacesTheEarlierLicense(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	for _, product := range []string{"standard", "professional"} {
		require.NoError(t, f.GrantDevLicense.Do(t.Context(), caller.OrganisationID, product))
		license := f.account(caller).License()
		assert.True(t, license.IsDev)
		assert.Equal(t, billing.Active, license.Status)
		assert.Equal(t,
			catalogue.PriceRef{Product: product, Interval: catalogue.Default().DefaultInterval(), Currency: "AUD"}, license.Price)
	}
	assertCode(t, fault.Invalid, f.GrantDevLicense.Do(t.Context(), caller.OrganisationID, "premium"))
	assertCode(t, fault.NotFound, f.GrantDevLicense.Do(t.Context(), "org_unknown", "standard"))
}
