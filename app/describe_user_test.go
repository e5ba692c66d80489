package app_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

func TestDescribeUser_ReportsTheEndOfATrialWithoutAnEvent(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, declinedChargesCard, standardMonthly, false)
	flakyProvider := f.injectFaults(flakypayment.NoFaults)
	f.Advance(7*day - time.Microsecond)
	user, org, err := f.DescribeUser.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, caller.UserID, user.ID)
	assert.Equal(t, billing.Trialing, org.Billing.License().Status)
	assert.Empty(t, flakyProvider.Calls())

	f.Advance(2 * time.Hour)
	_, org, err = f.DescribeUser.Do(t.Context(), caller)

	require.NoError(t, err)
	assert.Equal(t, billing.PastDue, org.Billing.License().Status, "the trial has ended without an event")
	assert.ElementsMatch(t, []string{"ListSubscriptions", "ListInvoices", "Customer"}, flakyProvider.Calls(),
		"Customer is called because the email about the declined charge names the card")
}

func TestDescribeUser_ReturnsTheStaleCopyWhenTheProviderIsDown(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, false)
	f.injectFaults(failAlways("ListSubscriptions"))
	f.Advance(8 * day)
	_, org, err := f.DescribeUser.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, billing.Trialing, org.Billing.License().Status)
}

func TestShowOrganisation_OrganisationOfAnotherUserIsNotFound(t *testing.T) {
	f := newFixture(t)
	caller, ben := f.signUp(), f.SignUpOnServer(f.UseCases, "ben").Identity
	org, err := f.ShowOrganisation.Do(t.Context(), caller, caller.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, caller.OrganisationID, org.ID)
	_, err = f.ShowOrganisation.Do(t.Context(), caller, ben.OrganisationID)
	assertCode(t, fault.NotFound, err)
}

func TestDescribeUser_ReportsWhenAndWhyThePlanHasEnded(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	sub := f.subscribe(caller, visa, standardMonthly, true)
	f.endSubscription(caller)
	f.Advance(40 * day)

	_, org, err := f.DescribeUser.Do(t.Context(), caller)

	require.NoError(t, err)
	assert.Equal(t, &billing.LastEnd{At: sub.CurrentPeriodEnd, Cause: billing.CauseRequested}, org.Billing.LastEnd())

	f.subscribe(caller, visa, standardMonthly, true)
	f.failNextCharge(caller)
	f.Advance(20 * day)
	_, org, err = f.DescribeUser.Do(t.Context(), caller)
	require.NoError(t, err)
	require.NotNil(t, org.Billing.LastEnd())
	assert.Equal(t, billing.CauseUnpaid, org.Billing.LastEnd().Cause)
}

func TestDescribeUser_AsksForNoApprovalOfACardWhileCreditPaysTheNextCharge(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, authenticationCard, standardMonthly, false)
	openPayment := func() *billing.OpenPayment {
		_, org, err := f.DescribeUser.Do(t.Context(), caller)
		require.NoError(t, err)
		return org.Billing.OpenPayment()
	}
	require.NotNil(t, openPayment())
	assert.Equal(t, billing.Authentication, openPayment().Kind, "without credit")

	f.addCredit(caller, 3900)
	assert.Nil(t, openPayment(), "nothing is charged after the trial")
	require.NotNil(t, f.account(caller).LiveSubscription().PendingSetup, "the later charges need the approval")
	f.injectFaults(failAlways("Customer"))
	assert.NotNil(t, openPayment(), "the credit is unknown")
}

// undisputedProvider is a provider that reports holds, but no disputes with the invoices since a time.
type undisputedProvider struct {
	payment.Provider
	since time.Time
}

func (p undisputedProvider) ListInvoices(ctx context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error) {
	list, err := p.Provider.ListInvoices(ctx, req)
	for i, inv := range list.Invoices {
		list.Invoices[i].Returns = slices.DeleteFunc(inv.Returns, func(r billing.Return) bool { return !r.At.Before(p.since) })
	}
	return list, err
}

// readRecordingStore records the reads of invoices and notices.
type readRecordingStore struct {
	storage.Store
	reads []string
}

func (s *readRecordingStore) Invoices(ctx context.Context, organisationID string) ([]billing.Invoice, error) {
	s.reads = append(s.reads, "invoices")
	return s.Store.Invoices(ctx, organisationID)
}

func (s *readRecordingStore) Notices(
	ctx context.Context, organisationID string, kinds ...billing.NoticeKind,
) ([]billing.Notice, error) {
	s.reads = append(s.reads, fmt.Sprint("notices ", kinds))
	return s.Store.Notices(ctx, organisationID, kinds...)
}

func TestDescribeUser_ReadsOnlyNoticesOfHolds(t *testing.T) {
	f, caller, _ := newDisputedFixture(t)
	store := &readRecordingStore{Store: f.Store}

	_, org, err := f.NewApp(store, f.provider).DescribeUser.Do(t.Context(), caller)

	require.NoError(t, err)
	assert.NotZero(t, org.Billing.DisputedAt)
	assert.Equal(t, []string{"invoices", "notices [payment_returned hold_lifted]"}, store.reads)
}

func TestDescribeUser_DatesOnlyADisputeOfTheCurrentHold(t *testing.T) {
	f, caller, invoiceID := newDisputedFixture(t)
	describe := func() *billing.Account {
		_, org, err := f.DescribeUser.Do(t.Context(), caller)
		require.NoError(t, err)
		return &org.Billing
	}
	f.moveToHawaii(caller)
	assert.Equal(t, f.Clock.Now(), describe().DisputedAt)
	assert.Equal(t, sydney, describe().DisputeTimeZone, "the invoice keeps its zone")
	f.Advance(day)
	f.CloseDispute(invoiceID, true)
	f.DeliverEvents()
	require.Equal(t, billing.NoHold, describe().Hold())
	f.Advance(5 * day)
	f.refreshBilling()

	f.UseCases = f.NewApp(f.Store, undisputedProvider{f.provider, f.Clock.Now()})
	f.Dispute(invoiceID)
	f.Advance(32 * day)
	f.refreshBilling()

	require.Equal(t, billing.HoldDisputed, describe().Hold())
	assert.Zero(t, describe().DisputedAt, "the earlier dispute is settled")
	assert.Zero(t, describe().DisputeTimeZone)
}
