package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSubscribe_SecondSubscriptionAtProviderKeepsTheFirstLicenseAndBlocksAThird(t *testing.T) {
	env := newEnv(t)
	env.FakeProvider() // a gateway has no subscriptions that staff could create
	user := env.SignUp("ann")
	firstSub := user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	secondSub := env.subscribeAtProvider(user, "by-hand", 0)

	env.DeliverEvents()

	assert.Equal(t, firstSub.ID, user.License().ID)
	_, err := env.App.Subscribe.Do(t.Context(), user.Identity,
		app.SubscribeRequest{MethodID: env.CreateCard(apptest.Mastercard), Price: apptest.StandardMonthly})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	_, err = env.App.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly})
	require.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Contains(t, fault.MessageOf(err), "more than one subscription")
	assert.Len(t, env.LiveSubscriptions(), 2)

	env.CancelAtProvider(firstSub.ID)
	env.DeliverEvents()
	assert.Equal(t, secondSub.ID, user.License().ID)
	_, err = env.App.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly})
	assert.NoError(t, err)
}

// The browser pays for the first plan while another request replaces it. A payment after the cancellation is refused.
func TestSubscribe_OpenSubscriptionPaidBeforeItsCancellationIsNotReplaced(t *testing.T) {
	for _, phase := range []hookPhase{beforeEffect, afterEffect} {
		t.Run("payment "+string(phase)+" the cancellation", func(t *testing.T) {
			env, user := signUp(t)
			openSub, err := env.App.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{
				MethodID: env.CreateCard(apptest.AuthenticationCard), Price: apptest.StandardMonthly, NoTrial: true,
			})
			require.NoError(t, err)
			server, _ := env.newInterceptedServer(func(c call, currentPhase hookPhase) error {
				if c.name == "CancelSubscription" && currentPhase == phase {
					_, _ = env.Provider.Confirm(t.Context(), fakepayment.Confirmation{
						ClientSecret: openSub.LatestInvoice.Payment.ClientSecret, Outcome: fakepayment.OutcomeComplete,
					})
				}
				return nil
			})

			_, err = server.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{
				MethodID: env.CreateCard(apptest.Visa), Price: apptest.ProfessionalYearly, NoTrial: true,
			})

			assert.Len(t, env.LiveSubscriptions(), 1)
			assert.Equal(t, 1, env.PaidInvoiceCount())
			if phase == beforeEffect {
				assert.Equal(t, fault.Conflict, fault.CodeOf(err))
				assert.Equal(t, openSub.ID, user.License().ID)
			} else {
				require.NoError(t, err)
			}
			env.RequireNoPendingOperations()
			env.RequireCopyMatchesProvider(user)
		})
	}
}

func TestReconcile_FailedRequestDoesNotAdoptALaterSubscription(t *testing.T) {
	env, user := signUp(t)
	send := subscribeRequest(apptest.StandardMonthly, false)(env.CreateCard(apptest.Mastercard))
	server, _ := env.newInterceptedServer(failCallsNamed("Subscribe", beforeEffect))
	require.ErrorIs(t, send(t.Context(), server, user), errInjected)
	env.Advance(takeoverDelay)
	sub := env.subscribeAtProvider(user, "later", 7)

	_, err := env.App.Reconcile.Do(t.Context())
	require.NoError(t, err)

	require.Equal(t, sub.ID, user.License().ID)
	assert.Equal(t, fault.Conflict, fault.CodeOf(send(t.Context(), env.App, user)))
	env.RequireNoPendingOperations()
}

// The browser pays the unpaid subscription while another request replaces it. A payment after the cancellation is refused.
func TestSubscribe_UnpaidSubscriptionPaidBeforeItsCancellationIsNotReplaced(t *testing.T) {
	for _, phase := range []hookPhase{beforeEffect, afterEffect} {
		t.Run("payment "+string(phase)+" the cancellation", func(t *testing.T) {
			env := newEnv(t, apptest.WithProvider(func(c *fakepayment.Config) { c.StatusAfterRetries = billing.Unpaid }))
			user := env.SignUp("ann")
			unpaidSub := user.Subscribe(apptest.DeclinedChargesCard, apptest.StandardMonthly)
			env.Advance(60 * day)
			require.Nil(t, user.License())
			require.Equal(t, billing.Unpaid, user.Account().PastLicense().Status)
			unpaidSub, err := env.Provider.Subscription(t.Context(), unpaidSub.ID)
			require.NoError(t, err)
			paidCount := env.PaidInvoiceCount()
			confirmation := fakepayment.Confirmation{
				ClientSecret: unpaidSub.LatestInvoice.Payment.ClientSecret, MethodID: env.CreateCard(apptest.Visa),
			}
			server, interceptor := env.newInterceptedServer(func(c call, currentPhase hookPhase) error {
				if c.name == "CancelSubscription" && currentPhase == phase {
					_, err := env.Provider.Confirm(t.Context(), confirmation)
					assert.Equal(t, phase == beforeEffect, err == nil, "%v", err)
				}
				return nil
			})

			_, err = server.Subscribe.Do(t.Context(), user.Identity,
				app.SubscribeRequest{MethodID: env.CreateCard(apptest.Mastercard), Price: apptest.ProfessionalYearly})

			require.Contains(t, interceptor.names, "CancelSubscription")
			require.Len(t, env.LiveSubscriptions(), 1)
			assert.Equal(t, paidCount+1, env.PaidInvoiceCount())
			assert.Equal(t, phase == beforeEffect, user.License().ID == unpaidSub.ID)
			if phase == beforeEffect {
				assert.Equal(t, fault.Conflict, fault.CodeOf(err))
			} else {
				assert.NoError(t, err)
			}
			env.RequireNoPendingOperations()
			env.RequireCopyMatchesProvider(user)
		})
	}
}
