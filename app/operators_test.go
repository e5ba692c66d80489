package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
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

	require.NoError(t, f.LiftHold.Do(asOperator(t.Context()), newActionRequest(caller, "act_1")))

	report, err := f.ShowHold.Do(t.Context(), caller.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, billing.NoHold, report.Organisation.Billing.Hold())
	assert.Zero(t, report.Customer.Credit.Minor(), "the dispute was lost")
	require.Len(t, report.Lifts, 1)
	lift := report.Lifts[0]
	assert.Equal(t, audit.Entry{
		ID: lift.ID, OrganisationID: caller.OrganisationID, At: f.Clock.Now(), Actor: audit.Operator("olga"), Kind: audit.OperatorLiftedHold,
		Subject: f.account(caller).CustomerID, Outcome: audit.Done, Cause: "act_1", Note: "called twice",
		Data: audit.Data{"reason": "goodwill", "ticket": "T-1"},
	}, lift)
	orgsOnHold, err = f.ListHolds.Do(t.Context())
	require.NoError(t, err)
	assert.Empty(t, orgsOnHold)
	_, err = f.ChangePlan.Do(t.Context(), caller, app.ChangeRequest{PriceChoice: professionalMonthly})
	require.NoError(t, err)
	for _, organisationID := range []string{caller.OrganisationID, ben.OrganisationID} {
		req := newActionRequest(caller, "act_2")
		req.OrganisationID = organisationID
		err = f.LiftHold.Do(asOperator(t.Context()), req)
		assertCode(t, fault.Conflict, err)
	}
}

func TestLiftHold_RefusesAnIncompleteRequestAndAnUnknownOrganisation(t *testing.T) {
	f, caller, _ := newDisputedFixture(t)
	for _, change := range []func(*operators.ActionRequest){
		func(req *operators.ActionRequest) { req.Key = "" },
		func(req *operators.ActionRequest) { req.Reason = "because" },
		func(req *operators.ActionRequest) { req.Ticket = "\n" },
		func(req *operators.ActionRequest) { req.Ticket = "ann@example.com" },
		func(req *operators.ActionRequest) { req.Note = strings.Repeat("x", 501) },
	} {
		req := newActionRequest(caller, "act_1")
		change(&req)
		err := f.LiftHold.Do(asOperator(t.Context()), req)
		assertCode(t, fault.Invalid, err)
	}
	req := newActionRequest(caller, "act_1")
	req.OrganisationID = "unknown"
	err := f.LiftHold.Do(asOperator(t.Context()), req)
	assertCode(t, fault.NotFound, err)
	err = f.LiftHold.Do(t.Context(), newActionRequest(caller, "act_1"))
	assertCode(t, fault.Forbidden, err)
	assert.Equal(t, billing.HoldDisputed, f.account(caller).Hold())
}

// The operation stays pending while the provider does not respond, so that the reconciler completes it.
func TestLiftHold_IsCompletedAfterTheProviderDidNotRespond(t *testing.T) {
	f, caller, _ := newDisputedFixture(t)
	f.injectFaults(failAlways("LiftHold"))
	err := f.LiftHold.Do(asOperator(t.Context()), newActionRequest(caller, "act_1"))
	assertCode(t, fault.Unavailable, err)
	f.injectFaults(flakypayment.NoFaults)
	assert.Equal(t, billing.HoldDisputed, f.account(caller).Hold())

	require.NoError(t, f.LiftHold.Do(asOperator(t.Context()), newActionRequest(caller, "act_1")))

	report, err := f.ShowHold.Do(t.Context(), caller.OrganisationID)
	require.NoError(t, err)
	assert.Len(t, report.Lifts, 1)
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

		err = f.LiftHold.Do(asOperator(t.Context()), newActionRequest(caller, "act_1"))

		require.NoError(t, err)
		assert.Equal(t, billing.NoHold, f.account(caller).Hold())
		_, err = f.CreateCustomer.Do(t.Context(), caller)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, f.subscribe(caller, visa, standardMonthly, true).Status)
	}
}

func TestDevLicense_IsGrantedReplacedAndEnded(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	ctx := asOperator(t.Context())
	for i, product := range []string{"standard", "professional"} {
		for range 2 {
			require.NoError(t, f.GrantDevLicense.Do(ctx, newActionRequest(caller, "act_"+product), product))
			entries := f.entriesOfKind(caller, audit.OperatorGrantedLicense)
			require.Len(t, entries, i+1)
			assert.Equal(t, audit.Data{"reason": "goodwill", "ticket": "T-1", "plan": product}, entries[i].Data)
		}
		license := f.account(caller).License()
		assert.True(t, license.IsDev)
		assert.Equal(t, billing.Active, license.Status)
		assert.Equal(t,
			catalogue.PriceRef{Product: product, Interval: catalogue.Default().DefaultInterval(), Currency: "AUD"}, license.Price)
		assert.Len(t, f.entriesOfKind(caller, audit.OperatorGrantedLicense), i+1)
	}
	err := f.GrantDevLicense.Do(ctx, newActionRequest(caller, "act_1"), "premium")
	assertCode(t, fault.Invalid, err)
	req := newActionRequest(caller, "act_1")
	req.OrganisationID = "org_unknown"
	err = f.GrantDevLicense.Do(ctx, req, "standard")
	assertCode(t, fault.NotFound, err)

	err = f.EndDevLicense.Do(ctx, newActionRequest(caller, "act_end"))
	require.NoError(t, err)
	assert.Nil(t, f.account(caller).License())
	assert.Len(t, f.entriesOfKind(caller, audit.DeveloperLicenseEnded), 1)
	err = f.EndDevLicense.Do(ctx, newActionRequest(caller, "act_again"))
	assertCode(t, fault.Conflict, err)
	f.subscribe(caller, visa, standardMonthly, true)
	err = f.GrantDevLicense.Do(ctx, newActionRequest(caller, "act_1"), "standard")
	assertCode(t, fault.Conflict, err)
}

// entriesOfKind returns the entries of the audit log about the caller's organisation.
func (f *fixture) entriesOfKind(caller identity.Identity, kind audit.Kind) []audit.Entry {
	f.t.Helper()
	entries, err := f.Store.AuditEntries(f.t.Context(),
		storage.AuditQuery{OrganisationID: caller.OrganisationID, Kind: kind, Limit: 100})
	require.NoError(f.t, err)
	return entries
}
