package app_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// detailsProvider is a provider that records the billing details of each customer.
type detailsProvider struct {
	payment.Provider
	details  map[string]account.BillingDetails // by customer
	err      error                             // returned by UpdateCustomer; may be nil
	onUpdate func()                            // called by UpdateCustomer; may be nil
}

func (p *detailsProvider) UpdateCustomer(_ context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	if p.err == nil {
		p.details[req.CustomerID] = req.Details
	}
	if onUpdate := p.onUpdate; onUpdate != nil {
		p.onUpdate = nil
		onUpdate()
	}
	return billing.Customer{ID: req.CustomerID}, p.err
}

// useDetailsProvider replaces the use cases by ones with a provider that records details and fails according to the plan.
func (f *fixture) useDetailsProvider(plan flakypayment.FaultPlan) *detailsProvider {
	p := &detailsProvider{Provider: f.provider, details: map[string]account.BillingDetails{}}
	f.UseCases = f.NewApp(f.Store, flakypayment.New(p, plan))
	return p
}

// setPurchaseOrder returns a function that sets the purchase order number.
func setPurchaseOrder(number string) func(*account.BillingDetails) {
	return func(d *account.BillingDetails) { d.PurchaseOrder = number }
}

// setABN returns a function that sets the Australian tax id.
func setABN(value string) func(*account.BillingDetails) {
	return func(d *account.BillingDetails) { d.TaxID = &account.TaxID{Type: "au_abn", Value: value} }
}

func TestEditBillingDetails_ChangesOnlyTheGivenFields(t *testing.T) {
	f := newFixture(t)
	p := f.useDetailsProvider(flakypayment.NoFaults)
	caller := f.signUp()
	originalDetails, err := f.ShowBillingDetails.Do(t.Context(), caller)
	require.NoError(t, err)
	org, err := f.Store.Organisation(t.Context(), caller.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, account.BillingDetails{LegalName: org.Name, Phone: org.Phone, Address: org.Address}, originalDetails)

	_, _, err = f.EditBillingDetails.Do(t.Context(), caller, setPurchaseOrder(" PO 1 "))
	require.NoError(t, err)
	details, _, err := f.EditBillingDetails.Do(t.Context(), caller, setABN("51 824 753 556"))
	require.NoError(t, err)

	want := originalDetails
	want.PurchaseOrder, want.TaxID = "PO 1", &account.TaxID{Type: "au_abn", Value: "51824753556"}
	assert.Equal(t, want, details)
	assert.Equal(t, want, p.details[org.Billing.CustomerID])
	currentDetails, err := f.ShowBillingDetails.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, want, currentDetails)
	f.RequireNoPendingOperations()
}

// Both edits start from the same details. The edit that is stored last is applied again, to the details that the other
// edit has stored.
func TestEditBillingDetails_ConcurrentEditsKeepEachOthersFields(t *testing.T) {
	f := newFixture(t)
	p := f.useDetailsProvider(flakypayment.NoFaults)
	caller, otherServer := f.signUp(), f.UseCases
	server := f.NewApp(&storeWithBeginHook{Store: f.Store, beforeBegin: sync.OnceFunc(func() {
		_, _, err := otherServer.EditBillingDetails.Do(t.Context(), caller, setPurchaseOrder("PO 1"))
		require.NoError(t, err)
	})}, p)

	details, _, err := server.EditBillingDetails.Do(t.Context(), caller, setABN("51824753556"))

	require.NoError(t, err)
	assert.Equal(t, "PO 1", details.PurchaseOrder)
	assert.NotNil(t, details.TaxID)
}

func TestEditBillingDetails_RefusedEditChangesNothing(t *testing.T) {
	tests := map[string]struct {
		providerErr error
		change      func(*account.BillingDetails)
		code        fault.Code
		fields      []fault.Field
	}{
		"legal name is missing": {
			change: func(d *account.BillingDetails) { d.LegalName = " " }, code: fault.Invalid,
			fields: []fault.Field{{Name: "legalName", Message: "Legal name is required"}},
		},
		"tax id refused by the provider": {
			providerErr: fault.New(fault.Invalid, "Invalid ABN"), change: setABN("51824753556"), code: fault.Invalid,
			fields: []fault.Field{{Name: "taxId", Message: "Invalid ABN"}},
		},
		"provider does not support billing details": {
			providerErr: fault.New(fault.Unsupported, "no"), change: setPurchaseOrder("PO 1"), code: fault.Unsupported,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.useDetailsProvider(flakypayment.NoFaults).err = tt.providerErr
			caller := f.signUp()
			originalDetails, err := f.ShowBillingDetails.Do(t.Context(), caller)
			require.NoError(t, err)

			_, _, err = f.EditBillingDetails.Do(t.Context(), caller, tt.change)

			assertCode(t, tt.code, err)
			assert.Equal(t, tt.fields, fault.FieldsOf(err))
			currentDetails, err := f.ShowBillingDetails.Do(t.Context(), caller)
			require.NoError(t, err)
			assert.Equal(t, originalDetails, currentDetails)
			f.RequireNoPendingOperations()
		})
	}
}

func TestReconcile_CompletesAnEditOfBillingDetailsAfterATimeout(t *testing.T) {
	for _, kind := range []flakypayment.FaultKind{flakypayment.TimeoutBeforeExecution, flakypayment.TimeoutAfterExecution} {
		t.Run(string(kind), func(t *testing.T) {
			f := newFixture(t)
			p := f.useDetailsProvider(failOnce("UpdateCustomer", kind))
			caller := f.signUp()
			_, _, err := f.EditBillingDetails.Do(t.Context(), caller, setPurchaseOrder("PO 1"))
			assertCode(t, fault.Unavailable, err)

			f.Advance(takeoverWait)
			_, err = f.Reconcile.Do(t.Context())

			require.NoError(t, err)
			f.RequireNoPendingOperations()
			details, err := f.ShowBillingDetails.Do(t.Context(), caller)
			require.NoError(t, err)
			assert.Equal(t, "PO 1", details.PurchaseOrder)
			assert.Equal(t, details, p.details[f.account(caller).CustomerID])
		})
	}
}

func TestEditBillingDetails_DetailsEditedWithoutACustomerAreSentToEveryLaterCustomer(t *testing.T) {
	f := newFixture(t)
	caller := f.signUpWithoutCustomer(flakypayment.TimeoutBeforeExecution)
	p := f.useDetailsProvider(flakypayment.NoFaults)
	details, _, err := f.EditBillingDetails.Do(t.Context(), caller, setPurchaseOrder("PO 1"))
	require.NoError(t, err)
	assert.Empty(t, p.details)

	f.Advance(takeoverWait)
	_, err = f.Reconcile.Do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, details, p.details[f.account(caller).CustomerID])

	require.NoError(t, f.provider.DeleteCustomer(t.Context(), f.account(caller).CustomerID))
	customer, err := f.CreateCustomer.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, details, p.details[customer.ID])
}

func TestRefreshBilling_SendsBillingDetailsThatTheProviderHasRefused(t *testing.T) {
	f := newFixture(t)
	caller := f.signUpWithoutCustomer(flakypayment.TimeoutBeforeExecution)
	p := f.useDetailsProvider(flakypayment.NoFaults)
	p.err = fault.New(fault.Forbidden, "no")
	details, _, err := f.EditBillingDetails.Do(t.Context(), caller, setPurchaseOrder("PO 1"))
	require.NoError(t, err)
	_, err = f.CreateCustomer.Do(t.Context(), caller)
	require.NoError(t, err)
	p.err = nil

	f.Advance(40 * day)
	_, err = f.RefreshBilling.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, details, p.details[f.account(caller).CustomerID])
}
