package flows

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// payRequest returns a request that pays the invoice that is open now with a new card.
func (env *testEnv) payRequest(user *apptest.User, number string) request {
	env.t.Helper()
	payment := user.Account().OpenPayment()
	require.NotNil(env.t, payment)
	req := app.PayRequest{
		InvoiceID: payment.InvoiceID, Amount: payment.Amount.Minor(), MethodID: env.CreateCard(number), MakeDefault: true,
	}
	return func(ctx context.Context, server *app.UseCases, user *apptest.User) error {
		_, err := server.PayOpenInvoice.Do(ctx, user.Identity, req)
		return err
	}
}

// openPaymentPreparations contains functions that leave a payment open.
var openPaymentPreparations = map[string]func(*testEnv, *apptest.User){
	"an overdue invoice": prepareOverdueInvoice, "a pending change": preparePendingChange,
}

func TestPayOpenInvoice_TwoTabsWithTwoCardsAtAnyCallChargeOnce(t *testing.T) {
	t.Parallel()
	for name, prepare := range openPaymentPreparations {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				prepare(env.testEnv, user)
				chargeCount := len(user.Charges())
				firstRequest, secondRequest := env.payRequest(user, apptest.Visa), env.payRequest(user, apptest.Mastercard)
				errs := make([]error, 2)
				errs[0] = env.sendInterrupted(user, firstRequest, func() { errs[1] = secondRequest(env.t.Context(), env.App, user) })
				requireSuccessOrConflict(env.t, errs...)
				for _, send := range []request{firstRequest, secondRequest} {
					assert.NoError(env.t, send(env.t.Context(), env.App, user), "a repeat finds the invoice paid")
				}
				assert.Len(env.t, user.Charges(), chargeCount+1)
				assert.Nil(env.t, env.requireCopyMatchesProvider(user).OpenPayment())
			})
		})
	}
}

func TestPayOpenInvoice_RepeatAfterACrashPaysOnceAndKeepsTheDefault(t *testing.T) {
	t.Parallel()
	payOverdueInvoice := scenario{name: "an overdue invoice", card: apptest.Mastercard, prepareUser: prepareOverdueInvoice,
		request: func(card string) request {
			var req app.PayRequest // set by the first execution, so that a repeat is the same request
			return func(ctx context.Context, server *app.UseCases, user *apptest.User) error {
				if req.MethodID == "" {
					payment := user.Account().OpenPayment()
					req = app.PayRequest{
						InvoiceID: payment.InvoiceID, Amount: payment.Amount.Minor(), MethodID: card, MakeDefault: true,
					}
				}
				_, err := server.PayOpenInvoice.Do(ctx, user.Identity, req)
				return err
			}
		}}
	payOverdueInvoice.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
		s.sendWithFault(failFrom(index, phase))
		s.advanceAndReconcile()

		require.NoError(t, s.request(t.Context(), s.App, s.user))

		s.requirePaidInvoices(2)
		customer, err := s.App.ShowCustomer.Do(t.Context(), s.user.Identity)
		require.NoError(t, err)
		assert.Equal(t, "4444", customer.Default.Card.Last4)
	})
}

// The provider charges the overdue invoice, or ends the plan, while the customer pays.
func TestPayOpenInvoice_ConcurrentRetryByTheProviderChargesAtMostOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		defaultCard string // the number of the card that the provider charges
		isLast      bool   // it is the last attempt, after which the plan ends
	}{
		"the retry pays":        {defaultCard: apptest.Visa},
		"the retry is declined": {defaultCard: apptest.DeclinedChargesCard},
		"the plan ends":         {defaultCard: apptest.DeclinedChargesCard, isLast: true},
	} {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				prepareOverdueInvoice(env.testEnv, user)
				env.setDefaultAtProvider(user, tt.defaultCard)
				chargeCount, pay := len(user.Charges()), env.payRequest(user, apptest.Mastercard)
				overdueSub := env.LiveSubscriptions()[0]
				nextAttemptAt := overdueSub.LatestInvoice.NextAttemptAt
				if tt.isLast {
					nextAttemptAt = overdueSub.UnpaidEndsAt
				}
				env.Advance(nextAttemptAt.Sub(env.Clock.Now()) - time.Second)

				err := env.sendInterrupted(user, pay, func() { env.Advance(2 * time.Second) })

				liveSub := env.requireCopyMatchesProvider(user).LiveSubscription()
				if err != nil && tt.isLast {
					requireSuccessOrConflict(env.t, err)
					assert.Nil(env.t, liveSub)
					assert.Len(env.t, user.Charges(), chargeCount)
					return
				}
				require.NoError(env.t, err)
				assert.Len(env.t, user.Charges(), chargeCount+1)
				assert.Equal(env.t, billing.Active, liveSub.Status)
			})
		})
	}
}

// setDefaultAtProvider makes a new card the default one directly at the provider. A request to the application would also
// pay the overdue invoice with it.
func (env *testEnv) setDefaultAtProvider(user *apptest.User, number string) {
	env.t.Helper()
	_, err := env.Provider.AddCard(env.t.Context(), payment.NewCard{
		Key: "default", CustomerID: user.Account().CustomerID, MethodID: env.CreateCard(number),
	})
	require.NoError(env.t, err)
}

// A customer ends the overdue plan in one tab and pays its invoice in another.
func TestPayOpenInvoice_ConcurrentEndLeavesThePlanPaidOrEnded(t *testing.T) {
	t.Parallel()
	for name, payFirst := range map[string]bool{"paying is interrupted": true, "ending is interrupted": false} {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				prepareOverdueInvoice(env.testEnv, user)
				chargeCount := len(user.Charges())
				firstRequest, secondRequest := env.payRequest(user, apptest.Visa), endSubscription
				if !payFirst {
					firstRequest, secondRequest = secondRequest, firstRequest
				}
				var secondErr error
				err := env.sendInterrupted(user, firstRequest, func() { secondErr = secondRequest(env.t.Context(), env.App, user) })

				requireSuccessOrConflict(env.t, err, secondErr)
				if env.requireCopyMatchesProvider(user).LiveSubscription() != nil {
					assert.Len(env.t, user.Charges(), chargeCount+1, "the plan is live only if its invoice was paid")
				} else {
					assert.Len(env.t, user.Charges(), chargeCount)
				}
			})
		})
	}
}

func TestChangePlan_TwoTabsAtAnyCallMakeOneChange(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*testEnv, *apptest.User){
		"the card pays": prepareSubscription(apptest.Visa, true), "the card is declined": prepareDeclinedDefault,
	} {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				prepare(env.testEnv, user)
				var secondErr error
				firstErr := env.sendInterrupted(user, changePlan, func() { secondErr = changePlan(env.t.Context(), env.App, user) })
				for _, err := range []error{firstErr, secondErr} {
					if err != nil { // the other request had ended before this request was sent
						assert.Equal(env.t, "This is your current plan already.", fault.MessageOf(err))
					}
				}
				assert.Len(env.t, env.Invoices(env.requireCopyMatchesProvider(user).CustomerID), 2)
			})
		})
	}
}

// One tab changes the plan and another tab ends it.
func TestEndSubscription_ConcurrentPlanChangeLeavesTheChangeOrTheEnd(t *testing.T) {
	t.Parallel()
	preparePaidPlan := prepareSubscription(apptest.Visa, true)
	for name, tt := range map[string]struct {
		prepare  func(*testEnv, *apptest.User)
		change   request
		endFirst bool // the end is interrupted
	}{
		"end during a change":                   {preparePaidPlan, changePlan, false},
		"end during a declined change":          {prepareDeclinedDefault, changePlan, false},
		"end during the scheduling of a change": {preparePaidPlan, scheduleChange, false},
		"declined change during the end":        {prepareDeclinedDefault, changePlan, true},
		"scheduling of a change during the end": {prepareScheduledChange, scheduleChange, true},
	} {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				tt.prepare(env.testEnv, user)
				var endErr, changeErr error
				if tt.endFirst {
					endErr = env.sendInterrupted(user, endSubscription, func() { changeErr = tt.change(env.t.Context(), env.App, user) })
				} else {
					changeErr = env.sendInterrupted(user, tt.change, func() { endErr = endSubscription(env.t.Context(), env.App, user) })
				}
				requireSuccessOrConflict(env.t, endErr, changeErr)
				liveSub := env.requireCopyMatchesProvider(user).LiveSubscription()
				assert.Equal(env.t, endErr == nil, !liveSub.EndsAt.IsZero())
				requireAtMostOneChange(env.t, *liveSub)
			})
		})
	}
}

func prepareDeclinedDefault(env *testEnv, user *apptest.User) {
	prepareRequests(env, user)
	user.AddCard(apptest.DeclinedChargesCard)
}

// The period ends during the request to resume.
func TestResumeSubscription_InTheLastSecondRenewsOrIsRefused(t *testing.T) {
	t.Parallel()
	for name, noTrial := range map[string]bool{"a month": true, "a trial": false} {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				prepareSubscription(apptest.Visa, noTrial)(env.testEnv, user)
				require.NoError(env.t, endSubscription(env.t.Context(), env.App, user))
				chargeCount, endsAt := len(user.Charges()), user.Account().LiveSubscription().EndsAt
				env.Advance(endsAt.Sub(env.Clock.Now()) - time.Second)

				err := env.sendInterrupted(user, resumeSubscription, func() { env.Advance(2 * time.Second) })

				env.Advance(2 * time.Hour) // the renewal is collected
				liveSub := env.requireCopyMatchesProvider(user).LiveSubscription()
				if err != nil {
					requireSuccessOrConflict(env.t, err)
					assert.Equal(env.t, "It has ended. Subscribe again.", fault.MessageOf(err))
					assert.Nil(env.t, liveSub)
					assert.Len(env.t, user.Charges(), chargeCount)
					return
				}
				assert.Equal(env.t, endsAt, liveSub.PeriodStart)
				assert.Zero(env.t, liveSub.EndsAt)
				assert.Len(env.t, user.Charges(), chargeCount+1)
			})
		})
	}
}

// requestQuote returns a quote of a first subscription or of a plan change, and a function that returns the quoted request
// with a token.
func (env *testEnv) requestQuote(user *apptest.User, timing billing.ChangeTiming) (app.SignedQuote, func(token string) request) {
	env.t.Helper()
	price, card := apptest.ProfessionalYearly, env.CreateCard(apptest.Visa)
	quote, err := env.App.QuotePrice.Do(env.t.Context(), user.Identity,
		app.QuoteRequest{Price: price, When: timing, NoTrial: true})
	require.NoError(env.t, err)
	isFirst := user.Account().LiveSubscription() == nil
	return quote, func(token string) request {
		return func(ctx context.Context, server *app.UseCases, user *apptest.User) error {
			var err error
			if isFirst {
				_, err = server.Subscribe.Do(ctx, user.Identity,
					app.SubscribeRequest{MethodID: card, Price: price, NoTrial: true, Quote: token})
			} else {
				_, err = server.ChangePlan.Do(ctx, user.Identity, app.ChangeRequest{PriceChoice: price, When: timing, Quote: token})
			}
			return err
		}
	}
}

func TestQuote_QuoteThatExpiresDuringTheRequestIsChargedExactlyOrRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		prepare func(*testEnv, *apptest.User)
		timing  billing.ChangeTiming
	}{
		"a first subscription": {prepareNothing, billing.ChangeNow},
		"a change":             {prepareSubscription(apptest.Visa, true), billing.ChangeNow},
		"a scheduled change":   {prepareSubscription(apptest.Visa, true), billing.ChangeAtRenewal},
	} {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				tt.prepare(env.testEnv, user)
				quote, confirm := env.requestQuote(user, tt.timing)
				chargeCount := len(user.Charges())
				env.Advance(quote.ExpiresAt.Sub(env.Clock.Now()) - time.Second)

				err := env.sendInterrupted(user, confirm(quote.Token), func() { env.Advance(2 * time.Second) })

				if err != nil {
					var quoteErr *app.QuoteError
					require.ErrorAs(env.t, err, &quoteErr)
					assert.Len(env.t, user.Charges(), chargeCount)
					quote = quoteErr.NewQuote
					require.NoError(env.t, confirm(quote.Token)(env.t.Context(), env.App, user))
				}
				chargedAmount := int64(0)
				for _, charge := range user.Charges()[chargeCount:] {
					chargedAmount += charge.Amount
				}
				assert.Equal(env.t, quote.DueNow.Minor(), chargedAmount)
				env.requireCopyMatchesProvider(user)
			})
		})
	}
}

// If the change is refused because the period or the trial has ended, only the new period is charged.
func TestChangePlan_ChangeAtTheEndOfThePeriodIsChargedAsQuotedOrRefused(t *testing.T) {
	t.Parallel()
	for name, noTrial := range map[string]bool{"a month": true, "a trial": false} {
		t.Run(name, func(t *testing.T) {
			forEachInterruption(t, func(env *interruptedEnv) {
				user := env.SignUp("ann")
				prepareSubscription(apptest.Visa, noTrial)(env.testEnv, user)
				env.Advance(user.Account().LiveSubscription().CurrentPeriodEnd.Sub(env.Clock.Now()) - time.Second)
				quote, confirm := env.requestQuote(user, billing.ChangeNow)
				chargeCount := len(user.Charges())

				err := env.sendInterrupted(user, confirm(quote.Token), func() { env.Advance(2 * time.Second) })

				requireSuccessOrConflict(env.t, err)
				env.Advance(2 * time.Hour) // a renewal is collected
				var amounts []int64
				for _, charge := range user.Charges()[chargeCount:] {
					amounts = append(amounts, charge.Amount)
				}
				want := []int64{3900}
				if err == nil {
					want = []int64{quote.DueNow.Minor()}
				}
				assert.Equal(env.t, want, amounts)
				env.requireCopyMatchesProvider(user)
			})
		})
	}
}
