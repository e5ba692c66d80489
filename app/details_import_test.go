package app_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// correctedProvider is a detailsProvider whose customers have details that an operator can correct.
type correctedProvider struct {
	*detailsProvider
	buyer billing.Buyer
	phone string
}

func (p *correctedProvider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	customer, err := p.Provider.Customer(ctx, id)
	customer.Buyer, customer.Phone = &p.buyer, p.phone
	return customer, err
}

// newCorrectedFixture returns a fixture with a caller whose details an operator has corrected at the provider, the
// provider, and functions that show and edit the caller's details.
func newCorrectedFixture(t *testing.T) (*fixture, *correctedProvider, func() (account.BillingDetails, error), func(func(*account.BillingDetails)) error) {
	t.Helper()
	f := newFixture(t)
	p := &correctedProvider{detailsProvider: &detailsProvider{Provider: f.provider, details: map[string]account.BillingDetails{}}}
	caller := f.signUp()
	details, err := f.ShowBillingDetails.Do(t.Context(), caller)
	require.NoError(t, err)
	p.buyer, p.phone = *details.Buyer(""), details.Phone
	p.buyer.Name, p.buyer.City, p.buyer.State = "Harbour Clinic Pty Ltd", "Perth", "WA"
	f.UseCases = f.NewApp(f.Store, flakypayment.New(p, flakypayment.NoFaults))
	show := func() (account.BillingDetails, error) { return f.ShowBillingDetails.Do(t.Context(), caller) }
	edit := func(change func(*account.BillingDetails)) error {
		_, _, err := f.EditBillingDetails.Do(t.Context(), caller, change)
		return err
	}
	return f, p, show, edit
}

func TestShowBillingDetails_ShowsWhatAnOperatorHasCorrected(t *testing.T) {
	_, p, show, _ := newCorrectedFixture(t)
	details, err := show()
	require.NoError(t, err)
	assert.Equal(t, "Harbour Clinic Pty Ltd", details.LegalName)
	assert.Equal(t, "Perth", details.Address.City)
	assert.Equal(t, "WA", details.Address.State, "details are shown as they are at the provider")
	assert.Empty(t, p.details, "nothing is sent back")
}

func TestEditBillingDetails_KeepsWhatAnOperatorHasCorrected(t *testing.T) {
	f, p, _, edit := newCorrectedFixture(t)

	require.NoError(t, edit(func(d *account.BillingDetails) { d.Phone, d.Address.State = "+61 2 5550 9999", "Western Australia" }))

	require.Len(t, p.details, 1)
	for _, sent := range p.details {
		assert.Equal(t, "Harbour Clinic Pty Ltd", sent.LegalName)
		assert.Equal(t, "Perth", sent.Address.City)
		assert.Equal(t, "+61 2 5550 9999", sent.Phone)
	}
	f.RequireNoPendingOperations()
}

func TestReceiveEvent_ImportsDetailsThatAnOperatorHasCorrected(t *testing.T) {
	f, p, _, _ := newCorrectedFixture(t)
	org, err := f.Store.OrganisationByCustomer(t.Context(), f.CustomerIDs()[0])
	require.NoError(t, err)
	event := payment.Event{ID: "evt_1", Type: "customer.updated", Kind: payment.CustomerChanged, CustomerID: org.Billing.CustomerID}

	for range 2 {
		require.NoError(t, f.ReceiveEvent.Apply(t.Context(), event))
	}

	correctedOrg, err := f.Store.Organisation(t.Context(), org.ID)
	require.NoError(t, err)
	require.NotNil(t, correctedOrg.Details)
	assert.Equal(t, "Perth", correctedOrg.Details.Address.City)
	assert.Equal(t, org.Billing.Revision+1, correctedOrg.Billing.Revision, "the second event changes nothing")
	assert.Empty(t, p.details, "nothing is sent back")
}
