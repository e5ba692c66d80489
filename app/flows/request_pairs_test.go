package flows

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

// ignoreCard returns a function that returns the request, which sends no card.
func ignoreCard(r request) func(string) request { return func(string) request { return r } }

func changePlan(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	return changeRequest(apptest.ProfessionalYearly)("")(ctx, server, user)
}

func scheduleChange(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	_, err := server.ChangePlan.Do(ctx, user.Identity,
		app.ChangeRequest{PriceChoice: apptest.StandardYearly, When: billing.ChangeAtRenewal})
	return err
}

func cancelScheduledChange(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	_, err := server.CancelScheduledChange.Do(ctx, user.Identity)
	return err
}

func cancelPendingChange(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	_, err := server.CancelPendingChange.Do(ctx, user.Identity)
	return err
}

func endSubscription(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	_, err := server.EndSubscription.Do(ctx, user.Identity, app.EndRequest{})
	return err
}

func resumeSubscription(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	_, err := server.ResumeSubscription.Do(ctx, user.Identity)
	return err
}

// prepareRequests makes a first payment with a valid card, and then sends the requests.
func prepareRequests(env *testEnv, user *apptest.User, requests ...request) {
	prepareSubscription(apptest.Visa, true)(env, user)
	for _, send := range requests {
		require.NoError(env.t, send(env.t.Context(), env.App, user))
	}
}

func prepareScheduledChange(env *testEnv, user *apptest.User) {
	prepareRequests(env, user, scheduleChange)
}

func prepareEnd(env *testEnv, user *apptest.User) { prepareRequests(env, user, endSubscription) }

func preparePendingChange(env *testEnv, user *apptest.User) {
	prepareRequests(env, user)
	user.AddCard(apptest.DeclinedChargesCard)
	require.NoError(env.t, changePlan(env.t.Context(), env.App, user))
}

func prepareOverdueInvoice(env *testEnv, user *apptest.User) {
	prepareRequests(env, user)
	user.AddCard(apptest.DeclinedChargesCard)
	env.Advance(32 * day)
	require.Equal(env.t, billing.PastDue, user.LicenseStatus())
}

// payOpenInvoice pays the open invoice with the card that was saved first. If no invoice is open, it sends the id of an
// unknown invoice.
func payOpenInvoice(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	cards, err := server.ListCards.Do(ctx, user.Identity)
	if err != nil {
		return err
	}
	req := app.PayRequest{InvoiceID: "none", MethodID: cards[len(cards)-1].ID}
	if payment := user.Account().OpenPayment(); payment != nil {
		req.InvoiceID, req.Amount = payment.InvoiceID, payment.Amount.Minor()
	}
	_, err = server.PayOpenInvoice.Do(ctx, user.Identity, req)
	return err
}

type namedRequest struct {
	name string
	send request
}

// Pairs of payingRequests in payingStates can charge something. The other states and requests charge nothing.
var (
	payingStates = map[string]func(*testEnv, *apptest.User){
		"a paid plan": prepareSubscription(apptest.Visa, true), "a pending change": preparePendingChange,
		"an overdue invoice": prepareOverdueInvoice,
	}
	otherStates    = map[string]func(*testEnv, *apptest.User){"a scheduled change": prepareScheduledChange, "an end": prepareEnd}
	payingRequests = []namedRequest{{"change", changePlan}, {"pay", payOpenInvoice}, {"end", endSubscription}}
	otherRequests  = []namedRequest{
		{"schedule", scheduleChange}, {"cancel schedule", cancelScheduledChange}, {"cancel pending", cancelPendingChange},
		{"resume", resumeSubscription},
	}
)

// Two tabs send every pair of requests concurrently, in every state.
func TestConcurrentRequests_LeaveAtMostOneChange(t *testing.T) {
	t.Parallel()
	states := maps.Clone(payingStates)
	maps.Copy(states, otherStates)
	testEveryPair(t, states, slices.Concat(payingRequests, otherRequests), pairServers)
}

func TestPostgres_ConcurrentPaymentsLeaveAtMostOneChange(t *testing.T) {
	t.Parallel()
	testEveryPair(t, payingStates, payingRequests, []int{2},
		func(t *testing.T) apptest.Option { return apptest.WithDatabase(postgresTemplate.URL(t)) })
}

// testEveryPair sends every pair of requests concurrently, with each number of servers. Each request must succeed or be a
// Conflict, and at most one of a pending change, a scheduled change and an end may be left.
func testEveryPair(
	t *testing.T, states map[string]func(*testEnv, *apptest.User), requests []namedRequest, serverCounts []int,
	newOptions ...func(*testing.T) apptest.Option,
) {
	t.Helper()
	for state, prepare := range states {
		for i, firstRequest := range requests {
			for _, secondRequest := range requests[i:] {
				t.Run(fmt.Sprintf("%s and %s with %s", firstRequest.name, secondRequest.name, state), func(t *testing.T) {
					t.Parallel()
					for _, serverCount := range serverCounts {
						var options []apptest.Option
						for _, newOption := range newOptions {
							options = append(options, newOption(t))
						}
						env := newEnv(t, options...)
						user := env.SignUp("ann")
						prepare(env, user)
						errs := env.sendConcurrently(user, env.startServers(serverCount), firstRequest.send, secondRequest.send)
						requireSuccessOrConflict(t, errs...)
						env.requireAtMostOneChange(user)
					}
				})
			}
		}
	}
}

// requireAtMostOneChange requires that no operation is pending and that each subscription has at most one change.
func (env *testEnv) requireAtMostOneChange(user *apptest.User) {
	env.t.Helper()
	env.RequireNoPendingOperations()
	env.RequireCopyMatchesProvider(user)
	for _, s := range env.Subscriptions() {
		requireAtMostOneChange(env.t, s)
	}
}

// requireAtMostOneChange requires at most one of a pending change, a scheduled change and an end.
func requireAtMostOneChange(t *testing.T, s billing.Subscription) {
	t.Helper()
	changeCount := 0
	for _, isSet := range []bool{s.Pending != nil, s.Scheduled != nil, !s.EndsAt.IsZero() && s.Status.Live()} {
		if isSet {
			changeCount++
		}
	}
	assert.LessOrEqual(t, changeCount, 1, "%+v", s)
}
