package flows

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// always returns the same request for every card.
func always(r request) func(string) request { return func(string) request { return r } }

func changePlan(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	return changeRequest(apptest.ProfessionalYearly)("")(ctx, server, user)
}

func scheduleChange(ctx context.Context, server *app.UseCases, user *apptest.User) error {
	_, err := server.ChangePlan.Do(ctx, user.Identity, app.ChangeRequest{PriceChoice: apptest.StandardYearly, When: billing.ChangeAtRenewal})
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

// prepared sends the requests after a subscription was paid.
func prepared(env *testEnv, user *apptest.User, requests ...request) {
	withSubscription(apptest.Visa, true)(env, user)
	for _, send := range requests {
		require.NoError(env.t, send(env.t.Context(), env.App, user))
	}
}

func withScheduledChange(env *testEnv, user *apptest.User) { prepared(env, user, scheduleChange) }

func withEnd(env *testEnv, user *apptest.User) { prepared(env, user, endSubscription) }

func withPendingChange(env *testEnv, user *apptest.User) {
	prepared(env, user)
	user.AddCard(apptest.DeclinedChargesCard)
	require.NoError(env.t, changePlan(env.t.Context(), env.App, user))
}

func withOverdueBill(env *testEnv, user *apptest.User) {
	prepared(env, user)
	user.AddCard(apptest.DeclinedChargesCard)
	env.Advance(32 * day)
	require.Equal(env.t, billing.PastDue, user.LicenseStatus())
}

// Two tabs, or two servers, send every pair of requests at once, in every state. Each request succeeds or
// is a Conflict, and afterwards there are never two of a pending change, a scheduled change and an end.
func TestEveryPairOfRequestsAtOnce(t *testing.T) {
	t.Parallel()
	states := map[string]func(*testEnv, *apptest.User){
		"a paid plan": withSubscription(apptest.Visa, true), "a pending change": withPendingChange,
		"a scheduled change": withScheduledChange, "an end": withEnd, "an overdue bill": withOverdueBill,
	}
	requests := []struct {
		name string
		send request
	}{
		{"change", changePlan}, {"schedule", scheduleChange}, {"cancel schedule", cancelSchedule},
		{"cancel pending", cancelPending}, {"end", endSubscription}, {"resume", resumeSubscription},
	}
	for state, prepare := range states {
		for i, first := range requests {
			for _, second := range requests[i:] {
				t.Run(fmt.Sprintf("%s and %s with %s", first.name, second.name, state), func(t *testing.T) {
					t.Parallel()
					for servers := range 2 {
						env := newEnv(t)
						user := env.SignUp("ann")
						prepare(env, user)
						for _, err := range env.sendConcurrently(user, env.servers(servers+1), first.send, second.send) {
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
		requireOneChange(env.t, s)
	}
}

// requireOneChange requires at most one of a pending change, a scheduled change and an end.
func requireOneChange(t *testing.T, s billing.Subscription) {
	t.Helper()
	count := 0
	for _, is := range []bool{s.Pending != nil, s.Scheduled != nil, !s.EndsAt.IsZero() && s.Status.Live()} {
		if is {
			count++
		}
	}
	assert.LessOrEqual(t, count, 1, "%+v", s)
}
