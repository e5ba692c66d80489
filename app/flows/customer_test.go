package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// memberWithoutCustomer signs up while nothing can be asked of the provider.
func (w *world) memberWithoutCustomer() identity.Identity {
	w.t.Helper()
	return w.memberInTrouble(cannot("BeginOperation", before))
}

func (w *world) memberInTrouble(trouble hook) identity.Identity {
	w.t.Helper()
	server, _ := w.tapped(trouble) // a provider that is down costs no verification
	return w.Member(server, "ann")
}

func TestTheCustomerIsMadeAfterVerification(t *testing.T) {
	w := newWorld(t)
	user, err := w.SignUp.Do(t.Context(), registration())
	require.NoError(t, err)
	assert.Empty(t, w.Bank.Customers(), "anybody can register any address")

	w.Verify(w.UseCases, user.Email)

	assert.Len(t, w.Bank.Customers(), 1)
	w.requireSound(identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID})
}

func TestPitfall02_TheCustomerOfAFailedVerificationIsMadeOnce(t *testing.T) {
	for _, when := range []moment{before, after} {
		t.Run(string(when)+" its effect, asked again at once", func(t *testing.T) {
			w := newWorld(t)
			who := w.memberInTrouble(cannot("CreateCustomer", when))
			_, err := w.NewCustomer.Do(t.Context(), who)
			require.NoError(t, err)
			w.requireNothingInDoubt()
			w.requireSound(who)
		})
		t.Run(string(when)+" its effect, reconciled days later", func(t *testing.T) {
			w := newWorld(t)
			who := w.memberInTrouble(cannot("CreateCustomer", when))
			w.Advance(3 * day)
			settled, err := w.Reconcile.Do(t.Context())
			require.NoError(t, err)
			assert.Equal(t, 1, settled)
			w.requireNothingInDoubt()
			w.requireSound(who)
		})
	}
}

func TestTheCustomersPreferencesReachTheProvider(t *testing.T) {
	w := newWorld(t)
	customer, err := w.ShowCustomer.Do(t.Context(), w.member())
	require.NoError(t, err)
	assert.Equal(t, "AUD", customer.Preferred)
	assert.Empty(t, customer.Currency, "nothing was bought yet")
}

// The provider delivers in order, and the event of the canceled subscription comes first: it must
// not stand in the way of the one that tells of the deletion.
func TestTheProviderCanTellOfADeletedCustomer(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.Visa, standardMonthly)
	w.Forward(w.UseCases)
	require.NoError(t, w.Bank.DeleteCustomer(t.Context(), w.account(who).CustomerID))

	require.NoError(t, w.Bank.Drain(t.Context()))

	assert.Empty(t, w.account(who).CustomerID)
	assert.Nil(t, w.license(who))
}

func TestADeletedCustomerIsReplacedAndTheTrialStaysUsed(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.Visa, standardMonthly)
	w.Deliver(w.UseCases, w.Arrived()...)
	old := w.account(who).CustomerID
	require.NoError(t, w.Bank.DeleteCustomer(t.Context(), old))

	w.Deliver(w.UseCases, w.Arrived()...)

	assert.Nil(t, w.license(who))
	_, err := w.ShowCustomer.Do(t.Context(), who)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	fresh, err := w.NewCustomer.Do(t.Context(), who)
	require.NoError(t, err)
	assert.NotEqual(t, old, fresh.ID)
	assert.Equal(t, "active", string(w.subscribed(who, flowtest.Visa, standardMonthly).Status), "no second trial")
	assert.Len(t, w.live(), 1)
}

// The event of the deletion never comes.
func TestADeletedCustomerIsReplacedWithoutAnEvent(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.Visa, standardMonthly)
	old := w.account(who).CustomerID
	require.NoError(t, w.Bank.DeleteCustomer(t.Context(), old))

	fresh, err := w.ShowCustomer.Do(t.Context(), who)

	require.NoError(t, err)
	assert.NotEqual(t, old, fresh.ID)
	again, err := w.NewCustomer.Do(t.Context(), who)
	require.NoError(t, err)
	assert.Equal(t, fresh, again, "once")
	assert.Nil(t, w.license(who))
	w.requireNothingInDoubt()
}

// Stripe repeats the first answer to a key even when it is that it failed.
func TestAProviderThatFailedOnceIsNotAskedForTheSameFailureForEver(t *testing.T) {
	for name, ask := range map[string]func(*world, identity.Identity) error{
		"the person asks again": func(w *world, who identity.Identity) error { _, err := w.NewCustomer.Do(t.Context(), who); return err },
		"reconciled":            func(w *world, _ identity.Identity) error { _, err := w.Reconcile.Do(t.Context()); return err },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			server := w.Server(w.Store, flakypayment.New(w.Bank, flakypayment.Queue(flakypayment.ServerError.Fault())))
			w.UseCases = server
			who := w.member()
			w.Advance(aWhile)
			require.NoError(t, ask(w, who))
			w.requireNothingInDoubt()
			w.requireSound(who)
		})
	}
}

func TestSignUpTwiceIsRefusedAndMakesNothing(t *testing.T) {
	w := newWorld(t)
	w.member()
	again := registration()
	again.Org, again.Email = "  PRACTICE of ann ", "ann@EXAMPLE.com"

	_, err := w.SignUp.Do(t.Context(), again)

	require.Equal(t, fault.Duplicate, fault.CodeOf(err))
	assert.Len(t, fault.FieldsOf(err), 2)
	assert.Len(t, w.Bank.Customers(), 1)
	sent, err := w.DeliverMail.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, sent)
	assert.Len(t, w.Mailbox.Emails(), 1, "one email, to the first")
}

func TestManySignUpsAtOnceWithOneName(t *testing.T) {
	w := newWorld(t)
	var acts []func() error
	for _, server := range w.servers(2) {
		for range 3 {
			acts = append(acts, func() error {
				_, err := server.SignUp.Do(t.Context(), registration())
				return err
			})
		}
	}
	won := 0
	for _, err := range together(acts...) {
		if err == nil {
			won++
		} else {
			assert.Equal(t, fault.Duplicate, fault.CodeOf(err))
		}
	}
	assert.Equal(t, 1, won)
	w.Verify(w.UseCases, "ann@example.com")
	assert.Len(t, w.Bank.Customers(), 1)
}
