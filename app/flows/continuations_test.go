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
	"github.com/vc-admin/diy/domain/fault"
)

// ignoreCard returns the request for any card.
func ignoreCard(r request) func(string) request { return func(string) request { return r } }

func changePlan(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	return changeRequest(apptest.ProfessionalYearly)("")(ctx, server, user)
}

func scheduleChange(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	_, err := server.ChangePlan.Do(ctx, user.Identity,
		app.ChangeRequest{PriceChoice: apptest.StandardYearly, When: billing.ChangeAtRenewal})
	return err
}

func cancelSchedule(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	_, err := server.CancelScheduledChange.Do(ctx, user.Identity)
	return err
}

func cancelPending(ctx context.Context, server *app.UseCases, user *apptest.User) error {
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

// prepareRequests subscribes and pays, and then sends the requests.
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

// payOpenInvoice pays the open invoice with the card that was saved first, or an unknown one if none is open.
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

// The states and the requests whose pairs can charge something, and the others.
var (
	payingStates = map[string]func(*testEnv, *apptest.User){
		"a paid plan": prepareSubscription(apptest.Visa, true), "a pending change": preparePendingChange,
		"an overdue bill": prepareOverdueInvoice,
	}
	otherStates    = map[string]func(*testEnv, *apptest.User){"a scheduled change": prepareScheduledChange, "an end": prepareEnd}
	payingRequests = []namedRequest{{"change", changePlan}, {"pay", payOpenInvoice}, {"end", endSubscription}}
	otherRequests  = []namedRequest{
		{"schedule", scheduleChange}, {"cancel schedule", cancelSchedule}, {"cancel pending", cancelPending},
		{"resume", resumeSubscription},
	}
)

// Two tabs send every pair of requests at once, in every state.
func TestConcurrentRequests_LeaveOneChange(t *testing.T) {
	t.Parallel()
	states := maps.Clone(payingStates)
	maps.Copy(states, otherStates)
	requireEveryPair(t, states, slices.Concat(payingRequests, otherRequests), pairServers)
}

func TestPostgres_ConcurrentPaymentsLeaveOneChange(t *testing.T) {
	t.Parallel()
	requireEveryPair(t, payingStates, payingRequests, []int{2},
		func(t *testing.T) apptest.Option { return apptest.WithDatabase(postgresTemplate.URL(t)) })
}

// requireEveryPair sends every pair of requests at once. Each request must succeed or be a Conflict, and
// afterwards there are never two of a pending change, a scheduled change and an end.
func requireEveryPair(
	t *testing.T, states map[string]func(*testEnv, *apptest.User), requests []namedRequest, servers []int,
	opts ...func(*testing.T) apptest.Option,
) {
	t.Helper()
	for state, prepare := range states {
		for i, first := range requests {
			for _, second := range requests[i:] {
				t.Run(fmt.Sprintf("%s and %s with %s", first.name, second.name, state), func(t *testing.T) {
					t.Parallel()
					for _, n := range servers {
						var options []apptest.Option
						for _, option := range opts {
							options = append(options, option(t))
						}
						env := newEnv(t, options...)
						user := env.SignUp("ann")
						prepare(env, user)
						for _, err := range env.sendConcurrently(user, env.servers(n), first.send, second.send) {
							if err != nil {
								assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
							}
						}
						env.requireOneChange(user)
					}
				})
			}
		}
	}
}

// requireOneChange requires that no operation is pending and that the subscriptions have at most one change.
func (env *testEnv) requireOneChange(user *apptest.User) {
	env.t.Helper()
	env.RequireNothingPending()
	env.RequireConsistent(user)
	for _, s := range env.Subscriptions() {
		requireAtMostOneChange(env.t, s)
	}
}

// requireAtMostOneChange requires at most one of a pending change, a scheduled change and an end.
func requireAtMostOneChange(t *testing.T, s billing.Subscription) {
	t.Helper()
	count := 0
	for _, isSet := range []bool{s.Pending != nil, s.Scheduled != nil, !s.EndsAt.IsZero() && s.Status.Live()} {
		if isSet {
			count++
		}
	}
	assert.LessOrEqual(t, count, 1, "%+v", s)
}
