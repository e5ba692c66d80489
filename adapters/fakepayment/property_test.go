package fakepayment

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// TestRandomUse performs random operations, checks the invariants after each, and checks at the end
// that a restart restores the same state.
func TestRandomUse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "fakepayment") //nolint:usetesting // a new one for every draw
		require.NoError(t, err)
		defer func() { _ = os.RemoveAll(folder) }()
		config := Config{Path: filepath.Join(folder, "payments"), Clock: &movedClock{march}, Prices: oneDollar{}}
		p, err := Open(config)
		require.NoError(t, err)
		r := &randomUse{T: t, p: p, clock: config.Clock.(*movedClock)}
		t.Repeat(map[string]func(*rapid.T){
			"": r.checkInvariants, "customer": r.customer, "card": r.card, "subscribe": r.subscribe, "change": r.change,
			"schedule": r.schedule, "unschedule": r.unschedule, "set end": r.setEnd, "pay": r.pay, "drop change": r.dropChange, "cancel": r.cancel, "confirm": r.confirm, "drop card": r.dropCard, "delete": r.delete, "time": r.time,
		})
		saved := dump(t, p.state)
		require.NoError(t, p.Stop(context.Background()))
		again, err := Open(config)
		require.NoError(t, err)
		assert.Equal(t, saved, dump(t, again.state))
		require.NoError(t, again.Stop(context.Background()))
	})
}

type movedClock struct{ now time.Time }

func (c *movedClock) Now() time.Time { return c.now }

// randomUse performs operations with random parameters. Errors are expected.
type randomUse struct {
	*rapid.T
	p     *Provider
	clock *movedClock
	keys  int
}

func (r *randomUse) key() string {
	r.keys++
	return strconv.Itoa(r.keys)
}

// oneOf returns the id of a random record, or "".
func oneOf[T interface{ key() string }](t *rapid.T, rows map[string]T) string {
	ids := []string{""}
	for id := range rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return rapid.SampledFrom(ids).Draw(t, "id")
}

func (r *randomUse) customer(*rapid.T) {
	_, _ = r.p.CreateCustomer(context.Background(), payment.NewCustomer{Key: r.key()})
}

func (r *randomUse) card(t *rapid.T) {
	numbers := []string{}
	for number := range testCards {
		if len(number) == 16 {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	in := CardEntry{Number: rapid.SampledFrom(numbers).Draw(t, "card"), ExpMonth: 12, ExpYear: 2050, CVC: "123"}
	created, err := r.p.CreatePaymentMethod(context.Background(), in)
	if err == nil {
		_, _ = r.p.AddCard(context.Background(), payment.NewCard{Key: r.key(), CustomerID: oneOf(t, r.p.state.customers.rows), CardID: created.ID})
	}
}

func anyPrice(t *rapid.T) catalogue.PriceRef {
	interval := rapid.SampledFrom([]catalogue.Interval{catalogue.Monthly, catalogue.Yearly}).Draw(t, "interval")
	return catalogue.PriceRef{Product: "standard", Interval: interval, Currency: "AUD"}
}

func (r *randomUse) subscribe(t *rapid.T) {
	_, _ = r.p.Subscribe(context.Background(), payment.NewSubscription{
		Key: r.key(), CustomerID: oneOf(t, r.p.state.customers.rows), Price: anyPrice(t),
		TrialDays: rapid.SampledFrom([]int{0, 7}).Draw(t, "days"),
	})
}

func (r *randomUse) change(t *rapid.T) {
	s := r.p.state.subscriptions.rows[oneOf(t, r.p.state.subscriptions.rows)]
	_, _ = r.p.ChangePlan(context.Background(), payment.PlanChange{
		Key: r.key(), SubscriptionID: s.ID, From: s.Price, To: anyPrice(t), EndTrial: s.Status == billing.Trialing,
	})
}

func (r *randomUse) schedule(t *rapid.T) {
	s := r.p.state.subscriptions.rows[oneOf(t, r.p.state.subscriptions.rows)]
	_, _ = r.p.ChangePlan(context.Background(), payment.PlanChange{
		Key: r.key(), SubscriptionID: s.ID, From: s.Price, To: anyPrice(t), When: payment.AtRenewal,
	})
}

func (r *randomUse) unschedule(t *rapid.T) {
	_, _ = r.p.CancelScheduledChange(context.Background(), payment.ScheduleCancellation{
		Key: r.key(), SubscriptionID: oneOf(t, r.p.state.subscriptions.rows),
	})
}

func (r *randomUse) setEnd(t *rapid.T) {
	_, _ = r.p.SetEndAtPeriodEnd(context.Background(), payment.EndRequest{
		Key: r.key(), SubscriptionID: oneOf(t, r.p.state.subscriptions.rows), End: rapid.Bool().Draw(t, "end"),
	})
}

func (r *randomUse) dropChange(t *rapid.T) {
	s := r.p.state.subscriptions.rows[oneOf(t, r.p.state.subscriptions.rows)]
	_, _ = r.p.CancelPendingChange(context.Background(), payment.PendingCancellation{
		Key: r.key(), SubscriptionID: s.ID, InvoiceID: s.Pending.Invoice,
	})
}

func (r *randomUse) pay(t *rapid.T) {
	inv := r.p.state.invoices.rows[oneOf(t, r.p.state.invoices.rows)]
	_, _ = r.p.PayInvoice(context.Background(), payment.InvoicePayment{
		Key: r.key(), InvoiceID: inv.ID, Amount: amountOf(inv.Amount, inv.Currency), MethodID: oneOf(t, r.p.state.cards.rows),
	})
}

func (r *randomUse) cancel(t *rapid.T) {
	_, _ = r.p.CancelSubscription(context.Background(), payment.Cancellation{Key: r.key(), SubscriptionID: oneOf(t, r.p.state.subscriptions.rows)})
}

func (r *randomUse) confirm(t *rapid.T) {
	in := r.p.state.intents.rows[oneOf(t, r.p.state.intents.rows)]
	_, _ = r.p.Confirm(context.Background(), Confirmation{
		ClientSecret: in.Secret, CardID: oneOf(t, r.p.state.cards.rows),
		Outcome: rapid.SampledFrom([]Outcome{NoOutcome, Complete, Fail}).Draw(t, "outcome"),
	})
}

func (r *randomUse) dropCard(t *rapid.T) {
	id := oneOf(t, r.p.state.cards.rows)
	_ = r.p.DeleteCard(context.Background(), payment.SavedCard{Key: newID("key_"), CustomerID: r.p.state.cards.rows[id].Customer, CardID: id})
}

func (r *randomUse) delete(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "often") == 0 {
		_ = r.p.DeleteCustomer(context.Background(), oneOf(t, r.p.state.customers.rows))
	}
}

func (r *randomUse) time(t *rapid.T) {
	r.clock.now = r.clock.now.Add(time.Duration(rapid.IntRange(1, 24*60).Draw(t, "hours")) * time.Hour)
}

func (r *randomUse) checkInvariants(t *rapid.T) {
	require.NoError(t, r.p.Tick(context.Background()))
	s := r.p.state
	for _, c := range s.customers.rows {
		if c.Default != "" {
			assert.Contains(t, c.Cards, c.Default)
		}
		for _, id := range c.Cards {
			assert.Equal(t, c.ID, s.cards.rows[id].Customer)
		}
		for _, id := range c.Subscriptions {
			assert.Equal(t, c.ID, s.subscriptions.rows[id].Customer)
			assert.NotEmpty(t, c.Currency)
		}
		assert.GreaterOrEqual(t, c.Credit, int64(0))
		assert.LessOrEqual(t, c.Credit, r.received(c.ID), "credit is only given for money received")
	}
	for _, sub := range s.subscriptions.rows {
		r.checkSubscription(t, sub)
	}
	for _, inv := range s.invoices.rows {
		assert.True(t, inv.Status != invoiceOpen || s.subscriptions.rows[inv.Subscription].Invoice == inv.ID, "only the latest invoice is open")
		assert.Equal(t, inv.Payment == "", inv.Amount == 0)
	}
	assert.Len(t, s.outbox, len(s.events.rows))
}

// received returns the sum of the customer's successful payments.
func (r *randomUse) received(customerID string) int64 {
	var sum int64
	for _, in := range r.p.state.intents.rows {
		if in.Customer == customerID && in.Status == billing.Succeeded {
			sum += in.Amount
		}
	}
	return sum
}

func (r *randomUse) checkSubscription(t *rapid.T, s subscription) {
	inv := r.p.state.invoices.rows[s.Invoice]
	status := r.p.state.intents.rows[inv.Payment].Status
	unfinished := status == billing.RequiresPaymentMethod || status == billing.RequiresAction
	switch s.Status {
	case billing.Trialing, billing.Active:
		if s.Pending.Invoice != "" {
			assert.Equal(t, s.Invoice, s.Pending.Invoice)
			assert.Equal(t, invoiceOpen, inv.Status)
			assert.True(t, unfinished, status)
			break
		}
		assert.NotEqual(t, invoiceOpen, inv.Status)
	case billing.Incomplete, billing.PastDue:
		assert.Equal(t, invoiceOpen, inv.Status)
		assert.True(t, unfinished, status)
	default:
		assert.Empty(t, s.Pending)
		assert.NotEqual(t, invoiceOpen, inv.Status)
		assert.False(t, unfinished, status)
		_, at := s.NextStep()
		assert.True(t, at.IsZero())
		return
	}
	_, at := s.NextStep()
	assert.True(t, at.After(r.clock.now), "nothing is overdue")
	if s.Setup != "" {
		assert.Equal(t, billing.Trialing, s.Status)
	}
}

// dump returns the state as text in a stable order.
func dump(t require.TestingT, s *state) string {
	text, err := json.Marshal([]any{
		s.customers.rows, s.cards.rows, s.subscriptions.rows, s.invoices.rows, s.intents.rows, s.events.rows, s.responses.rows,
		s.outbox, s.lastEvent,
	})
	require.NoError(t, err)
	return string(text)
}
