package flows

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// slowProvider holds each new subscription on its way to the provider until it is released.
type slowProvider struct {
	payment.Provider
	sent, release chan struct{}
}

// Subscribe arrives late.
func (p *slowProvider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	close(p.sent)
	<-p.release
	return p.Provider.Subscribe(context.WithoutCancel(ctx), in)
}

// A payment is slow, and the clock that ages are counted by moves or differs between servers: one
// subscription and one charge come of two requests.
func TestFence_SlowPaymentAndMovedClocksMakeOneSubscription(t *testing.T) {
	t.Parallel()
	for _, offset := range []time.Duration{
		125 * time.Second, 130 * time.Second, time.Hour, -time.Hour, 30 * day, -30 * day,
	} {
		for _, c := range []struct {
			servers int
			url     func(t *testing.T) string
			name    string
		}{
			{1, func(t *testing.T) string { return flowtest.NewDatabase(t) }, "SQLite"},
			{2, func(t *testing.T) string { return flowtest.NewDatabase(t) }, "SQLite"},
			{1, func(t *testing.T) string { return migrated.URL(t) }, "PostgreSQL"},
			{2, func(t *testing.T) string { return migrated.URL(t) }, "PostgreSQL"},
		} {
			t.Run(fmt.Sprintf("%s, %d servers on %s", offset, c.servers, c.name), func(t *testing.T) {
				t.Parallel()
				w := inhabited(t, flowtest.At(t, flowtest.Noon, c.url(t)))
				who := w.member()
				slow := &slowProvider{Provider: w.Bank, sent: make(chan struct{}), release: make(chan struct{})}
				moved := w.OpenStore()
				moved.UseClock(func() time.Time { return w.Clock.Now().Add(offset) })
				first, second := w.Server(w.Store, slow), w.Server(moved, w.Bank)
				if c.servers == 1 {
					first = w.Server(moved, slow)
					moved.UseClock(w.Clock.Now)
				}
				request := func(card string) app.SubscribeRequest {
					return app.SubscribeRequest{CardID: card, Price: app.PriceChoice{PriceID: "standard_monthly", Interval: "monthly", Currency: "AUD"}, NoTrial: true}
				}
				slowCard, quickCard := w.Card(flowtest.Visa), w.Card(flowtest.Mastercard)
				ended := make(chan error, 1)
				go func() {
					_, err := first.Subscribe.Do(context.WithoutCancel(t.Context()), who, request(slowCard))
					ended <- err
				}()
				<-slow.sent
				moved.UseClock(func() time.Time { return w.Clock.Now().Add(offset) })

				_, err := second.Subscribe.Do(t.Context(), who, request(quickCard))
				require.NoError(t, err, "it takes over")
				close(slow.release)

				late := <-ended
				assert.Equal(t, fault.Conflict, fault.CodeOf(late))
				require.ErrorIs(t, late, payment.ErrKeyRetired)
				subs, err := w.Bank.ListSubscriptions(t.Context(), w.account(who).CustomerID)
				require.NoError(t, err)
				require.Len(t, subs, 1)
				assert.Equal(t, billing.Active, subs[0].Status)
				assert.Len(t, w.Bank.Subscriptions(), 1, "one charge")
			})
		}
	}
}

// Forty events at once cost at most a look each, not 820: one is under way, and those who came meanwhile
// share the next. How few it is when all come during one look is TestSync_FortyAtOnceShareTwoLooks.
func TestFence_FortyEventsAtOnceShareTheirLooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	who := w.member()
	w.subscribed(who, flowtest.Visa, app.PriceChoice{PriceID: "standard_monthly", Interval: "monthly", Currency: "AUD"})
	counting := flakypayment.New(w.Bank, flakypayment.Calm)
	server := w.Server(w.Store, counting)
	before := w.account(who).Revision
	var all sync.WaitGroup
	for i := range 40 {
		payload := []byte(fmt.Sprintf(`{"id":"evt_%d","object":"event","type":"customer.subscription.updated","created":%d,"data":{"object":{"id":"sub_1","object":"subscription","customer":%q}}}`,
			i, w.Clock.Now().Unix(), w.account(who).CustomerID))
		signature := w.Signed(payload)
		all.Go(func() { assert.NoError(t, server.ReceiveEvent.Do(t.Context(), payload, signature)) })
	}
	all.Wait()
	t.Logf("%d calls", len(counting.Calls()))
	assert.LessOrEqual(t, len(counting.Calls()), 40, "never more than one each, however they arrive")
	assert.Equal(t, before, w.account(who).Revision, "reports that change nothing")
}
