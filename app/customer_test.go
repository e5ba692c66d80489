package app_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// signUpWithoutCustomer returns a verified caller whose customer could not be created.
func (f *fixture) signUpWithoutCustomer(kind flakypayment.FaultKind) identity.Identity {
	f.t.Helper()
	f.injectFaults(failOnce("CreateCustomer", kind))
	caller := f.signUp()
	require.Empty(f.t, f.account(caller).CustomerID)
	return caller
}

func TestCreateCustomer_CreatesOneCustomerAfterATimeoutAtSignUp(t *testing.T) {
	for _, kind := range []flakypayment.FaultKind{flakypayment.TimeoutBeforeExecution, flakypayment.TimeoutAfterExecution} {
		t.Run(string(kind), func(t *testing.T) {
			f := newFixture(t)
			caller := f.signUpWithoutCustomer(kind)
			_, err := f.ShowCustomer.Do(t.Context(), caller)
			assertCode(t, fault.NotFound, err)

			createdCustomer, err := f.CreateCustomer.Do(t.Context(), caller)

			require.NoError(t, err)
			assert.Equal(t, caller.OrganisationID, createdCustomer.OrganisationID)
			assert.Equal(t, createdCustomer.ID, f.account(caller).CustomerID)
			assert.NotZero(t, f.account(caller).CheckAt)
			repeatedCustomer, err := f.CreateCustomer.Do(t.Context(), caller)
			require.NoError(t, err)
			assert.Equal(t, createdCustomer, repeatedCustomer)
			customer, err := f.ShowCustomer.Do(t.Context(), caller)
			require.NoError(t, err)
			assert.Equal(t, createdCustomer, customer)
			assert.Len(t, f.CustomerIDs(), 1)
			f.RequireNoPendingOperations()
		})
	}
}

func TestCreateCustomer_ReturnsTheRefusalOfTheProvider(t *testing.T) {
	f := newFixture(t)
	caller := identityOf(f.signUpUnverified())
	f.injectFaults(func(flakypayment.Call) flakypayment.Fault {
		return func(context.Context, *flakypayment.Request) error { return fault.New(fault.Invalid, "no") }
	})
	_, err := f.CreateCustomer.Do(t.Context(), caller)
	assertCode(t, fault.Invalid, err)
	f.RequireNoPendingOperations()
}

func TestCreateCustomer_ReplacesADeletedCustomer(t *testing.T) {
	for name, call := range map[string]func(*app.UseCases, identity.Identity) (billing.Customer, error){
		"CreateCustomer": func(u *app.UseCases, c identity.Identity) (billing.Customer, error) {
			return u.CreateCustomer.Do(t.Context(), c)
		},
		"ShowCustomer": func(u *app.UseCases, c identity.Identity) (billing.Customer, error) {
			return u.ShowCustomer.Do(t.Context(), c)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			f.subscribe(caller, visa, standardMonthly, false)
			deletedID := f.account(caller).CustomerID
			require.NoError(t, f.provider.DeleteCustomer(t.Context(), deletedID))

			customer, err := call(f.UseCases, caller)

			require.NoError(t, err)
			assert.NotEqual(t, deletedID, customer.ID)
			assert.Equal(t, customer.ID, f.account(caller).CustomerID)
			assert.Nil(t, f.account(caller).LiveSubscription(), "the subscription of the deleted customer has ended")
		})
	}
}

// A provider that doesn't know the customer was probably called with the key of another account.
func TestShowCustomer_ReplacesAnUnknownCustomerUnlessASubscriptionDependsOnIt(t *testing.T) {
	for name, hasSubscription := range map[string]bool{"without a subscription": false, "with a live subscription": true} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			if hasSubscription {
				f.subscribe(caller, visa, standardMonthly, false)
			}
			originalAccount := f.account(caller)
			f.UseCases = f.NewApp(f.Store, newFixture(t).provider)

			customer, err := f.ShowCustomer.Do(t.Context(), caller)

			if hasSubscription {
				assertCode(t, fault.NotFound, err)
				assert.Contains(t, fault.MessageOf(err), "contact us")
				assert.Equal(t, originalAccount, f.account(caller))
			} else {
				require.NoError(t, err)
				assert.Equal(t, customer.ID, f.account(caller).CustomerID)
				assert.NotEqual(t, originalAccount.CustomerID, customer.ID)
			}
			cards, err := f.ListCards.Do(t.Context(), caller)
			require.NoError(t, err, "the screens stay usable")
			assert.Empty(t, cards)
			_, err = f.ShowBilling.Do(t.Context(), caller)
			require.NoError(t, err, "the screens stay usable")
		})
	}
}

func TestShowCustomer_LogsTheUnknownCustomerOfASubscriptionOnceAsAnError(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, false)
	log := new(bytes.Buffer)
	f.UseCases = app.New(app.Ports{
		Store: f.Store, Provider: newFixture(t).provider, Clock: f.Clock, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	for range 3 {
		_, err := f.ShowCustomer.Do(t.Context(), caller)
		assertCode(t, fault.NotFound, err)
	}
	assert.Equal(t, 1, strings.Count(log.String(), "does not know the customer"), log)
}

func TestAddCard_ReplacesAnUnknownCustomerThatNoRequestHasReadBefore(t *testing.T) {
	for name, hasSubscription := range map[string]bool{"without a subscription": false, "with a live subscription": true} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			if hasSubscription {
				f.subscribe(caller, visa, standardMonthly, false)
			}
			unknownID := f.account(caller).CustomerID
			otherFixture := newFixture(t)
			cardID := otherFixture.CreateCard(visa)
			f.UseCases = f.NewApp(f.Store, otherFixture.provider)

			card, err := f.AddCard.Do(t.Context(), caller, cardID)

			if hasSubscription {
				assertCode(t, fault.NotFound, err)
				assert.Contains(t, fault.MessageOf(err), "contact us")
				return
			}
			require.NoError(t, err)
			assert.NotEqual(t, unknownID, f.account(caller).CustomerID)
			cards, err := f.ListCards.Do(t.Context(), caller)
			require.NoError(t, err)
			assert.Equal(t, []billing.PaymentMethod{card.PaymentMethod}, cards)
		})
	}
}

func TestReconcile_CreatesTheCustomerThatTheSignUpCouldNotCreate(t *testing.T) {
	for _, kind := range []flakypayment.FaultKind{
		flakypayment.TimeoutBeforeExecution, flakypayment.TimeoutAfterExecution, flakypayment.ServerError,
		flakypayment.ConnectionReset,
	} {
		t.Run(string(kind), func(t *testing.T) {
			f := newFixture(t)
			flakyProvider := f.injectFaults(failOnce("CreateCustomer", kind))
			caller := f.signUp()
			settledCount, err := f.Reconcile.Do(t.Context())
			require.NoError(t, err)
			assert.Zero(t, settledCount, "the request of the sign-up may still be running")

			f.Advance(takeoverWait)
			_, err = f.Reconcile.Do(t.Context())
			require.NoError(t, err)
			flakyProvider.ExecuteDelayed()
			f.Advance(takeoverWait)
			_, err = f.Reconcile.Do(t.Context())
			require.NoError(t, err)

			customer, err := f.provider.CustomerOf(t.Context(),
				payment.Owner{OrganisationID: caller.OrganisationID, Email: "ann@example.com"})
			require.NoError(t, err)
			assert.Equal(t, customer.ID, f.account(caller).CustomerID)
			assert.Len(t, f.CustomerIDs(), 1)
			f.RequireNoPendingOperations()
		})
	}
}

func TestReconcile_CreatesOneCustomerAfterTwoTimeouts(t *testing.T) {
	f := newFixture(t)
	callCount := 0
	f.injectFaults(func(c flakypayment.Call) flakypayment.Fault {
		if c.Method != "CreateCustomer" {
			return nil
		}
		if callCount++; callCount == 1 {
			return flakypayment.TimeoutBeforeExecution.Fault()
		}
		return flakypayment.TimeoutAfterExecution.Fault()
	})
	caller := f.signUp()
	f.Advance(takeoverWait)
	_, err := f.Reconcile.Do(t.Context())
	require.NoError(t, err)

	assert.Equal(t, 2, callCount)
	assert.Equal(t, []string{f.account(caller).CustomerID}, f.CustomerIDs())
	f.RequireNoPendingOperations()
}

func TestReconcile_KeepsTheOperationPendingWhileTheProviderIsDown(t *testing.T) {
	f := newFixture(t)
	f.injectFaults(failAlways("CreateCustomer", "CustomerOf"))
	caller := f.signUp()
	f.Advance(takeoverWait)
	settledCount, err := f.Reconcile.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, settledCount)
	f.injectFaults(flakypayment.NoFaults)
	settledCount, err = f.Reconcile.Do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, settledCount)
	assert.NotEmpty(t, f.account(caller).CustomerID)
}

func TestReconcile_SettlesOtherOperationsAfterAFailure(t *testing.T) {
	f := newFixture(t)
	f.injectFaults(failAlways("CreateCustomer"))
	ann, ben := f.signUp(), f.SignUpOnServer(f.UseCases, "ben").Identity
	f.Advance(takeoverWait)
	f.injectFaults(failOnce("CustomerOf", flakypayment.TimeoutBeforeExecution))
	settledCount, err := f.Reconcile.Do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, settledCount)
	assert.NotEqual(t, f.account(ann).CustomerID == "", f.account(ben).CustomerID == "", "exactly one of them has a customer")
}
