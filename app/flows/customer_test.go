package flows

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// signUpWithoutCustomer signs a user up on a server that can't create the customer.
func (env *testEnv) signUpWithoutCustomer() *apptest.User {
	env.t.Helper()
	return env.signUpWithFault(failCallsNamed("BeginOperation", beforeEffect))
}

// signUpWithFault signs a user up on a server with injected failures.
func (env *testEnv) signUpWithFault(h hook) *apptest.User {
	env.t.Helper()
	server, _ := env.newInterceptedServer(h)
	return env.SignUpOnServer(server, "ann")
}

func TestCreateCustomer_CustomerThatReplacesADeletedOneHasNoSecondTrial(t *testing.T) {
	env, user := signUp(t)
	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	env.DeliverEvents()
	deletedID := user.Account().CustomerID
	require.NoError(t, env.Provider.DeleteCustomer(t.Context(), deletedID))

	env.DeliverEvents()

	assert.Nil(t, user.License())
	_, err := env.App.ShowCustomer.Do(t.Context(), user.Identity)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	customer, err := env.App.CreateCustomer.Do(t.Context(), user.Identity)
	require.NoError(t, err)
	assert.NotEqual(t, deletedID, customer.ID)
	assert.Equal(t, billing.Active, user.Subscribe(apptest.Visa, apptest.StandardMonthly).Status, "no second trial")
	assert.Len(t, env.LiveSubscriptions(), 1)
}

func TestVerifyEmail_ConcurrentVerificationsOfTheSameNameCreateOneCustomer(t *testing.T) {
	env := newEnv(t)
	var calls []func() error
	successCount := atomic.Int32{}
	for _, server := range env.startServers(2) {
		for range 3 {
			_, err := server.SignUp.Do(t.Context(), apptest.Registration("ann"), nil)
			require.NoError(t, err)
			token := env.VerificationToken("ann@example.com")
			calls = append(calls, func() error {
				_, isVerified, err := server.VerifyEmail.Do(t.Context(), token, func(account.User) bool { return true })
				if isVerified {
					successCount.Add(1)
				}
				return err
			})
		}
	}
	for _, err := range runConcurrently(calls...) {
		require.NoError(t, err)
	}
	assert.EqualValues(t, 1, successCount.Load())
	assert.Len(t, env.CustomerIDs(), 1)
}
