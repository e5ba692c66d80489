package flows

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/fault"
)

// scenario is a billing request that tests send with a failure or an interruption at each of its calls.
type scenario struct {
	name         string
	card         string // the number of the card that the request sends, or ""
	prepareUser  func(env *testEnv, user *apptest.User)
	request      func(card string) request
	paidInvoices int // the number of paid invoices at the end
}

// request sends a request to a server. Sending it again is a repeat with the same card.
type request func(ctx context.Context, server *app.UseCases, user *apptest.User) error

// subscribeRequest returns the purchase of a price with a card.
func subscribeRequest(choice app.PriceChoice, noTrial bool) func(card string) request {
	return func(card string) request {
		return func(ctx context.Context, server *app.UseCases, user *apptest.User) error {
			_, err := server.Subscribe.Do(ctx, user.Identity,
				app.SubscribeRequest{MethodID: card, Price: choice, NoTrial: noTrial})
			return err
		}
	}
}

// changeRequest returns the plan change to a price. It ignores the card.
func changeRequest(choice app.PriceChoice) func(string) request {
	return func(string) request {
		return func(ctx context.Context, server *app.UseCases, user *apptest.User) error {
			_, err := server.ChangePlan.Do(ctx, user.Identity, app.ChangeRequest{PriceChoice: choice})
			return err
		}
	}
}

// prepareSubscription returns a function that subscribes with the card.
func prepareSubscription(number string, noTrial bool) func(*testEnv, *apptest.User) {
	return func(env *testEnv, user *apptest.User) {
		require.NoError(env.t,
			subscribeRequest(apptest.StandardMonthly, noTrial)(env.CreateCard(number))(env.t.Context(), env.App, user))
	}
}

// prepareNothing leaves the user without a subscription.
func prepareNothing(*testEnv, *apptest.User) {}

var purchases = []scenario{
	{"a trial", apptest.Visa, prepareNothing, subscribeRequest(apptest.StandardMonthly, false), 1},
	{"a first payment", apptest.Visa, prepareNothing, subscribeRequest(apptest.StandardMonthly, true), 1},
	{"a payment that is declined", apptest.DeclinedChargesCard, prepareNothing,
		subscribeRequest(apptest.StandardMonthly, true), 0},
	{"a payment that needs authentication", apptest.AuthenticationCard, prepareNothing,
		subscribeRequest(apptest.StandardMonthly, true), 0},
	{"another card after a decline", apptest.Visa, prepareSubscription(apptest.DeclinedChargesCard, true),
		subscribeRequest(apptest.StandardMonthly, true), 1},
	{"another plan after a decline", apptest.Visa, prepareSubscription(apptest.DeclinedChargesCard, true),
		subscribeRequest(apptest.ProfessionalYearly, true), 1},
}

var changes = []scenario{
	{"a change on a trial", "", prepareSubscription(apptest.Visa, false), changeRequest(apptest.ProfessionalYearly), 2},
	{"a change of a paid plan", "", prepareSubscription(apptest.Visa, true), changeRequest(apptest.ProfessionalYearly), 2},
}

// freeRequests contains requests that charge nothing.
var freeRequests = []scenario{
	{"a change at renewal", "", prepareSubscription(apptest.Visa, true), ignoreCard(scheduleChange), 1},
	{"a scheduled change that is canceled", "", prepareScheduledChange, ignoreCard(cancelScheduledChange), 1},
	{"an end with a pending change", "", preparePendingChange, ignoreCard(endSubscription), 1},
	{"an end with a scheduled change", "", prepareScheduledChange, ignoreCard(endSubscription), 1},
	{"an end while overdue", "", prepareOverdueInvoice, ignoreCard(endSubscription), 1},
	{"a resumption", "", prepareEnd, ignoreCard(resumeSubscription), 1},
}

// scenarioRun is a scenario that was prepared in an environment.
type scenarioRun struct {
	*testEnv
	user    *apptest.User
	request request
}

// newRun returns the scenario, prepared with a new user.
func (s scenario) newRun(env *testEnv) scenarioRun {
	env.t.Helper()
	user, card := env.SignUp("ann"), ""
	s.prepareUser(env, user)
	if s.card != "" {
		card = env.CreateCard(s.card)
	}
	return scenarioRun{env, user, s.request(card)}
}

// recordCalls sends the request without a failure and returns the names of the calls that it makes.
func (s scenarioRun) recordCalls() []string {
	s.t.Helper()
	server, interceptor := s.newInterceptedServer(noFault)
	require.NoError(s.t, s.request(s.t.Context(), server, s.user))
	return interceptor.names
}

// requirePaidInvoices requires the number of paid invoices, no pending operation and a correct copy.
func (s scenarioRun) requirePaidInvoices(paidInvoices int) {
	s.t.Helper()
	assert.Equal(s.t, paidInvoices, s.PaidInvoiceCount())
	s.RequireNoPendingOperations()
	s.RequireCopyMatchesProvider(s.user)
}

// requireOnePurchase requires one live subscription, and calls requirePaidInvoices.
func (s scenarioRun) requireOnePurchase(paidInvoices int) {
	s.t.Helper()
	assert.Len(s.t, s.LiveSubscriptions(), 1)
	s.requirePaidInvoices(paidInvoices)
}

// forEachCall runs a test in a new environment for every call that the scenario makes, before and after the effect of
// the call.
func (s scenario) forEachCall(t *testing.T, test func(t *testing.T, s scenarioRun, index int, phase hookPhase)) {
	calls := s.newRun(newEnv(t)).recordCalls()
	for index, name := range calls {
		for _, phase := range failurePhases(name) {
			t.Run(fmt.Sprintf("%s/%d %s %s", s.name, index, phase, name), func(t *testing.T) {
				t.Parallel()
				test(t, s.newRun(newEnv(t)), index, phase)
			})
		}
	}
}

// failurePhases returns the phases in which tests let the call fail. For a read it returns only beforeEffect, because a
// failure after a read has the same effect.
func failurePhases(call string) []hookPhase {
	switch call {
	case "Organisation", "PendingOperation", "OperationSucceeded", "ListSubscriptions", "Subscription":
		return []hookPhase{beforeEffect}
	}
	return []hookPhase{beforeEffect, afterEffect}
}

// sendWithFault sends the request to a server with injected failures and reports whether it failed.
func (s scenarioRun) sendWithFault(h hook) (hasFailed bool) {
	server, _ := s.newInterceptedServer(h)
	err := s.request(s.t.Context(), server, s.user)
	if err != nil {
		require.Equal(s.t, fault.Unavailable, fault.CodeOf(err), "%v", err)
	}
	require.LessOrEqual(s.t, len(s.LiveSubscriptions()), 1)
	return err != nil
}

// advanceAndReconcile advances the clock by takeoverDelay and settles the pending operations.
func (s scenarioRun) advanceAndReconcile() {
	s.t.Helper()
	s.Advance(takeoverDelay)
	_, err := s.App.Reconcile.Do(s.t.Context())
	require.NoError(s.t, err)
	s.RequireNoPendingOperations()
	s.RequireCopyMatchesProvider(s.user)
}

func TestOperations_RepeatAfterAnyFailureSucceedsOnce(t *testing.T) {
	t.Parallel()
	for _, scenario := range slices.Concat(purchases, changes, freeRequests) {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			if s.sendWithFault(failCall(index, phase)) {
				require.NoError(t, s.request(t.Context(), s.App, s.user))
			} else {
				s.advanceAndReconcile()
			}
			s.requirePaidInvoices(scenario.paidInvoices)
		})
	}
}

func TestReconcile_CompletesThePendingOperationOfACrashedServer(t *testing.T) {
	t.Parallel()
	for _, scenario := range slices.Concat(purchases[1:5], changes, freeRequests) {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			s.sendWithFault(failFrom(index, phase))
			s.advanceAndReconcile()
			assert.LessOrEqual(t, s.PaidInvoiceCount(), scenario.paidInvoices)
		})
	}
}

func TestReconcile_RepeatAfterCrashSucceedsOnce(t *testing.T) {
	t.Parallel()
	for _, scenario := range mainScenarios {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			s.sendWithFault(failFrom(index, phase))
			s.advanceAndReconcile()

			require.NoError(t, s.request(t.Context(), s.App, s.user))

			assert.Equal(t, scenario.paidInvoices, s.PaidInvoiceCount())
			s.RequireCopyMatchesProvider(s.user)
		})
	}
}

func TestSubscribe_AnotherCardAfterAnyFailureCreatesNoSecondSubscription(t *testing.T) {
	t.Parallel()
	for _, scenario := range mainScenarios {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			s.sendWithFault(failFrom(index, phase))
			otherRequest := scenario.request(s.CreateCard(apptest.Mastercard))

			for _, wait := range []time.Duration{0, takeoverDelay} {
				s.Advance(wait + time.Second)
				if err := otherRequest(t.Context(), s.App, s.user); err != nil {
					assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
				}
				assert.LessOrEqual(t, len(s.LiveSubscriptions()), 1)
			}
			s.advanceAndReconcile()
			assert.Len(t, s.LiveSubscriptions(), 1, "one of the two requests succeeded")
			assert.Equal(t, 1, s.PaidInvoiceCount())
		})
	}
}

// mainScenarios contains scenarios that together make all kinds of calls.
var mainScenarios = []scenario{purchases[0], purchases[5]}

// sendAndRunDuring sends the request and runs fn before or after the effect of one of its calls.
func (s scenarioRun) sendAndRunDuring(index int, phase hookPhase, fn func()) error {
	server, _ := s.newInterceptedServer(runAt(index, phase, fn))
	return s.request(s.t.Context(), server, s.user)
}

func TestSubscribe_DoubleClickAtAnyCallIsOnePurchase(t *testing.T) {
	t.Parallel()
	for _, scenario := range mainScenarios {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			secondServer := s.NewAppWithOwnStore()
			err := s.sendAndRunDuring(index, phase, func() {
				assert.NoError(t, s.request(t.Context(), secondServer, s.user), "the second click")
			})
			require.NoError(t, err, "the first click")
			s.requireOnePurchase(scenario.paidInvoices)
		})
	}
}

// The second click executes the operation of the first click completely, but can't settle it before the first click
// continues.
func TestSubscribe_SecondClickThatOvertakesTheFirstAtAnyCallIsOnePurchase(t *testing.T) {
	t.Parallel()
	for _, scenario := range mainScenarios {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			otherServer, _ := s.newInterceptedServer(failCallsNamed("SettleOperation", beforeEffect))
			err := s.sendAndRunDuring(index, phase, func() {
				assert.NoError(t, s.request(t.Context(), otherServer, s.user), "the second click")
			})
			require.NoError(t, err, "the first click")
			assert.Equal(t, scenario.paidInvoices, s.PaidInvoiceCount())
			s.advanceAndReconcile()
		})
	}
}

func TestSubscribe_TwoTabsWithTwoCardsAtAnyCallAreOnePurchase(t *testing.T) {
	t.Parallel()
	for _, scenario := range mainScenarios {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			secondServer, otherRequest := s.NewAppWithOwnStore(), scenario.request(s.CreateCard(apptest.Mastercard))
			errs := make([]error, 2)
			errs[0] = s.sendAndRunDuring(index, phase, func() { errs[1] = otherRequest(t.Context(), secondServer, s.user) })
			s.requireOneSuccess(errs)
			s.requireOnePurchase(scenario.paidInvoices)
		})
	}
}

func TestSubscribe_SucceedsWithEventsAtAnyCall(t *testing.T) {
	t.Parallel()
	for _, scenario := range mainScenarios {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			secondServer := s.NewAppWithOwnStore()
			err := s.sendAndRunDuring(index, phase, func() {
				s.DeliverPayloads(secondServer, s.TakeEvents()...)
				_, _, err := secondServer.DescribeUser.Do(t.Context(), s.user.Identity)
				assert.NoError(t, err)
				_, err = secondServer.Reconcile.Do(t.Context())
				assert.NoError(t, err)
			})
			require.NoError(t, err)
			s.DeliverPayloads(secondServer, s.TakeEvents()...)
			s.requireOnePurchase(scenario.paidInvoices)
		})
	}
}

func TestChangePlan_ConcurrentChangesAtAnyCallLeaveOnePlan(t *testing.T) {
	t.Parallel()
	for _, scenario := range changes {
		scenario.forEachCall(t, func(t *testing.T, s scenarioRun, index int, phase hookPhase) {
			secondServer, otherRequest := s.NewAppWithOwnStore(), changeRequest(apptest.StandardYearly)("")
			err := s.sendAndRunDuring(index, phase, func() {
				if err := otherRequest(t.Context(), secondServer, s.user); err != nil {
					assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
				}
			})
			require.NoError(t, err, "the first request succeeds")
			assert.Len(t, s.Subscriptions(), 1)
			s.RequireNoPendingOperations()
			s.RequireCopyMatchesProvider(s.user)
		})
	}
}
