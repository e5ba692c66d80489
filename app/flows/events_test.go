package flows

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestReceiveEvent_FailedAtAnyCallSucceedsWhenRedelivered(t *testing.T) {
	env := newEnv(t)
	env.subscribeAtProvider(env.SignUp("ann"), "at-provider", 7)
	server, interceptor := env.newInterceptedServer(noFault)
	env.DeliverPayloads(server, env.TakeEvents()...)
	for index, name := range interceptor.names {
		for _, phase := range failurePhases(name) {
			env, user := signUp(t)
			env.subscribeAtProvider(user, "at-provider", 7)
			server, _ := env.newInterceptedServer(failCall(index, phase))
			for _, payload := range env.TakeEvents() {
				if err := server.ReceiveEvent.Do(t.Context(), env.NewDelivery(payload)); err != nil {
					assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "%s %s", phase, name)
					env.DeliverPayloads(env.App, payload)
				}
			}
			env.RequireCopyMatchesProvider(user)
		}
	}
}

func TestReceiveEvent_RefusesForgedAndOutdatedEvents(t *testing.T) {
	env, user := signUp(t)
	env.subscribeAtProvider(user, "at-provider", 7)
	for _, payload := range env.TakeEvents() {
		for name, signature := range map[string]string{
			"missing":            "",
			"forged":             fakepayment.Sign(payload, env.Clock.Now(), "whsec_guessed"),
			"outdated":           fakepayment.Sign(payload, env.Clock.Now().Add(-301*time.Second), apptest.WebhookSecret),
			"of another payload": env.Sign([]byte(`{"object": "event"}`)),
		} {
			err := env.App.ReceiveEvent.Do(t.Context(), fakepayment.NewDelivery(payload, signature))
			assert.Equal(t, fault.Forbidden, fault.CodeOf(err), name)
		}
	}
	assert.Nil(t, user.License())
}

var professionalYearlyPrice = catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}

// lifecycleSteps returns the steps of a subscription's life at the provider. The subscription is created, its trial
// ends, its plan changes, a renewal fails, and it is canceled.
func (env *testEnv) lifecycleSteps(user *apptest.User) []func() {
	ctx, t := env.t.Context(), env.t
	var sub billing.Subscription
	return []func(){
		func() { sub = env.subscribeAtProvider(user, "at-provider", 7) },
		func() { env.Advance(7 * day) },
		func() {
			currentSub, err := env.Provider.Subscription(ctx, sub.ID)
			require.NoError(t, err)
			_, err = env.Provider.ChangePlan(ctx, payment.PriceChange{
				Key: "change", SubscriptionID: sub.ID, From: currentSub.Price, To: professionalYearlyPrice,
				EndTrial: currentSub.Status == billing.Trialing,
			})
			require.NoError(t, err)
		},
		func() {
			_, err := env.Provider.AddCard(ctx, payment.NewCard{
				Key: "bad card", CustomerID: user.Account().CustomerID, MethodID: env.CreateCard(apptest.DeclinedChargesCard),
			})
			require.NoError(t, err)
			env.Advance(366 * day)
		},
		func() { env.CancelAtProvider(sub.ID) },
	}
}

// permutations returns all orders of n items.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, rest := range permutations(n - 1) {
		for index := range n {
			all = append(all, slices.Insert(slices.Clone(rest), index, n-1))
		}
	}
	return all
}

// deliverConcurrently delivers every event one to three times to two servers, all concurrently.
func (env *testEnv) deliverConcurrently(random *rand.Rand, servers []*app.UseCases, payloads [][]byte) {
	env.t.Helper()
	var calls []func() error
	for _, payload := range payloads {
		for i := range 1 + random.IntN(3) {
			calls = append(calls, func() error {
				return servers[i%2].ReceiveEvent.Do(env.t.Context(), env.NewDelivery(payload))
			})
		}
	}
	for _, err := range runConcurrently(calls...) {
		require.NoError(env.t, err)
	}
}

// The steps of the lifecycle happen in their order, and their events are delivered in every order. The events of a step
// wait until the step has happened and all events before them in the delivery order are delivered.
func TestReceiveEvent_AnyOrderAndNumberLeadToTheProvidersState(t *testing.T) {
	t.Parallel()
	for seed, order := range permutations(5) {
		if seed%everyNthOrder != 0 {
			continue
		}
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			env := newEnv(t)
			env.FakeProvider() // billing on a gateway sends no events about requests
			user, random := env.SignUp("ann"), rand.New(rand.NewPCG(uint64(seed), 7))
			env.TakeEvents()
			servers, steps := env.startServers(2), env.lifecycleSteps(user)
			var events [][][]byte // by step, of the steps that have happened
			for _, step := range order {
				for len(events) <= step {
					steps[len(events)]()
					events = append(events, env.TakeEvents())
					require.NotEmpty(t, events[len(events)-1])
				}
				env.deliverConcurrently(random, servers, events[step])
				env.RequireCopyMatchesProvider(user)
			}
			require.Equal(t, billing.Canceled, user.Account().PastLicense().Status)
			require.Equal(t, professionalYearlyPrice, user.Account().PastLicense().Price)
		})
	}
}
