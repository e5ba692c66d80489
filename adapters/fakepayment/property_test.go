package fakepayment

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// TestProvider_RandomOperationsKeepInvariants performs random operations and checks the invariants after each. At the end
// it checks that a restart restores the same state.
func TestProvider_RandomOperationsKeepInvariants(test *testing.T) {
	rapid.Check(test, func(t *rapid.T) {
		// The ids are drawn too, so that rapid can reproduce a failure.
		cryptotest.SetGlobalRandom(test, rapid.Uint64().Draw(t, "ids"))
		folder, err := os.MkdirTemp("", "fakepayment") //nolint:usetesting // a new one for every draw
		require.NoError(t, err)
		defer func() { _ = os.RemoveAll(folder) }()
		config := Config{Path: filepath.Join(folder, "payments"), Clock: &manualClock{endOfMarch}, Prices: pricesBelowMinimum{}}
		p, err := Open(config)
		require.NoError(t, err)
		r := &randomOperations{
			T: t, p: p, clock: config.Clock.(*manualClock), addedCredit: map[string]int64{}, finalInvoiceCounts: map[string]int{},
		}
		t.Repeat(map[string]func(*rapid.T){
			"": r.checkInvariants, "customer": r.createCustomer, "card": r.addCard, "subscribe": r.subscribe, "change": r.changeNow,
			"schedule": r.changeAtRenewal, "cancel scheduled change": r.cancelScheduledChange,
			"set end": r.setEndAtPeriodEnd, "pay": r.pay, "cancel pending change": r.cancelPendingChange,
			"cancel": r.cancel, "confirm": r.confirm, "delete card": r.deleteCard, "delete": r.deleteCustomer, "time": r.advanceClock,
			"credit": r.addCredit, "refund": r.refund, "dispute": r.dispute, "close dispute": r.closeDispute,
			"lift the hold": r.liftHold, "extend the trial": r.extendTrial,
		})
		stateBefore := dumpState(t, p.state)
		require.NoError(t, p.Stop(context.Background()))
		restarted, err := Open(config)
		require.NoError(t, err)
		assert.Equal(t, stateBefore, dumpState(t, restarted.state))
		require.NoError(t, restarted.Stop(context.Background()))
	})
}

type manualClock struct{ now time.Time }

func (c *manualClock) Now() time.Time { return c.now }

// pricesBelowMinimum contains one price below the minimum charge.
type pricesBelowMinimum struct{}

func (pricesBelowMinimum) Price(ref catalogue.PriceRef) (money.Amount, error) {
	minor := map[string]int64{
		"standard_yearly": 42000, "standard_monthly": 3900, "professional_yearly": 81600, "professional_monthly": 20,
	}[ref.PriceID()]
	return money.New(minor, ref.Currency)
}

// randomOperations performs operations with random parameters. The provider may refuse any of them.
type randomOperations struct {
	*rapid.T
	p        *Provider
	clock    *manualClock
	keyCount int

	addedCredit        map[string]int64 // by customer
	finalInvoiceCounts map[string]int   // of ended subscriptions
}

func (r *randomOperations) key() string {
	r.keyCount++
	return strconv.Itoa(r.keyCount)
}

// drawID returns the id of a random record, or "".
func drawID[T interface{ key() string }](t *rapid.T, rows map[string]T) string {
	ids := []string{""}
	for id := range rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return rapid.SampledFrom(ids).Draw(t, "id")
}

func (r *randomOperations) createCustomer(*rapid.T) {
	_, _ = r.p.CreateCustomer(context.Background(), payment.NewCustomer{Key: r.key()})
}

func (r *randomOperations) addCard(t *rapid.T) {
	numbers := []string{
		"4242424242424242", "4000002500003155", "4000000000000002", "4000000000000069", "4000000000000341", "4000000000001000",
		"4000000000009995", "4000000000009987", "4000000000009979",
	}
	entry := CardEntry{Number: rapid.SampledFrom(numbers).Draw(t, "card"), ExpMonth: 12, ExpYear: 2050, CVC: "123"}
	method, err := r.p.CreatePaymentMethod(context.Background(), entry)
	if err == nil {
		_, _ = r.p.AddCard(context.Background(), payment.NewCard{
			Key: r.key(), CustomerID: drawID(t, r.p.state.customers.rows), MethodID: method.ID,
		})
	}
}

func drawPrice(t *rapid.T) catalogue.PriceRef {
	interval := rapid.SampledFrom([]catalogue.Interval{catalogue.Monthly, catalogue.Yearly}).Draw(t, "interval")
	product := rapid.SampledFrom([]string{"standard", "professional"}).Draw(t, "product")
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: "AUD"}
}

func (r *randomOperations) subscribe(t *rapid.T) {
	req := payment.NewSubscription{
		Key: r.key(), CustomerID: drawID(t, r.p.state.customers.rows), Price: drawPrice(t),
		TrialDays: rapid.SampledFrom([]int{0, 7}).Draw(t, "days"),
	}
	quote, _ := r.p.QuoteSubscription(context.Background(), req)
	if s, err := r.p.Subscribe(context.Background(), req); err == nil {
		r.checkQuote(t, quote, s)
	}
}

func (r *randomOperations) changeNow(t *rapid.T) { r.changePlan(t, billing.ChangeNow) }

func (r *randomOperations) changeAtRenewal(t *rapid.T) { r.changePlan(t, billing.ChangeAtRenewal) }

func (r *randomOperations) changePlan(t *rapid.T, when billing.ChangeTiming) {
	s := r.p.state.subscriptions.rows[drawID(t, r.p.state.subscriptions.rows)]
	req := payment.PriceChange{
		Key: r.key(), SubscriptionID: s.ID, From: s.Price, To: drawPrice(t), When: when,
		EndTrial: when == billing.ChangeNow && s.Status == billing.Trialing,
	}
	quote, quoteErr := r.p.QuoteChange(context.Background(), req)
	req.At = quote.At
	changedSub, err := r.p.ChangePlan(context.Background(), req)
	assert.Equal(t, quoteErr == nil, err == nil, "the quote is refused like the change")
	if err == nil && when == billing.ChangeNow {
		r.checkQuote(t, quote, changedSub)
	}
}

func (r *randomOperations) cancelScheduledChange(t *rapid.T) {
	_, _ = r.p.CancelScheduledChange(context.Background(), payment.ScheduledChangeCancellation{
		Key: r.key(), SubscriptionID: drawID(t, r.p.state.subscriptions.rows),
	})
}

func (r *randomOperations) setEndAtPeriodEnd(t *rapid.T) {
	_, _ = r.p.SetEndAtPeriodEnd(context.Background(), payment.EndRequest{
		Key: r.key(), SubscriptionID: drawID(t, r.p.state.subscriptions.rows), End: rapid.Bool().Draw(t, "end"),
	})
}

func (r *randomOperations) cancelPendingChange(t *rapid.T) {
	s := r.p.state.subscriptions.rows[drawID(t, r.p.state.subscriptions.rows)]
	_, _ = r.p.CancelPendingChange(context.Background(), payment.PendingChangeCancellation{
		Key: r.key(), SubscriptionID: s.ID, InvoiceID: s.Pending.Invoice,
	})
}

func (r *randomOperations) pay(t *rapid.T) {
	inv := r.p.state.invoices.rows[drawID(t, r.p.state.invoices.rows)]
	_, _ = r.p.PayInvoice(context.Background(), payment.InvoicePayment{
		Key: r.key(), InvoiceID: inv.ID, Amount: amountOf(inv.AmountDue, inv.Currency), MethodID: drawID(t, r.p.state.cards.rows),
	})
}

func (r *randomOperations) cancel(t *rapid.T) {
	_, _ = r.p.CancelSubscription(context.Background(), payment.Cancellation{
		Key: r.key(), SubscriptionID: drawID(t, r.p.state.subscriptions.rows), VoidInvoices: rapid.Bool().Draw(t, "void"),
	})
}

func (r *randomOperations) addCredit(t *rapid.T) {
	req := payment.CreditGrant{
		Key: r.key(), CustomerID: drawID(t, r.p.state.customers.rows),
		Amount: amountOf(rapid.SampledFrom([]int64{1, 3890, 50000}).Draw(t, "credit"), "AUD"),
	}
	if _, err := r.p.AddCredit(context.Background(), req); err == nil {
		r.addedCredit[req.CustomerID] += req.Amount.Minor()
	}
}

func (r *randomOperations) refund(t *rapid.T) {
	inv := r.p.state.invoices.rows[drawID(t, r.p.state.invoices.rows)]
	amount := rapid.SampledFrom([]int64{1, 20, 3900, 42000}).Draw(t, "amount")
	_, _ = r.p.Refund(context.Background(), payment.RefundRequest{
		Key: r.key(), InvoiceID: inv.ID, Amount: amountOf(amount, inv.Currency),
	})
}

func (r *randomOperations) dispute(t *rapid.T) {
	_ = r.p.Dispute(context.Background(), drawID(t, r.p.state.invoices.rows))
}

func (r *randomOperations) closeDispute(t *rapid.T) {
	_ = r.p.CloseDispute(context.Background(), drawID(t, r.p.state.invoices.rows), rapid.Bool().Draw(t, "won"))
}

func (r *randomOperations) liftHold(t *rapid.T) {
	_, _ = r.p.LiftHold(context.Background(), payment.HoldLift{Key: r.key(), CustomerID: drawID(t, r.p.state.customers.rows)})
}

func (r *randomOperations) extendTrial(t *rapid.T) {
	_, _ = r.p.ExtendTrial(context.Background(), payment.TrialExtension{
		Key: r.key(), SubscriptionID: drawID(t, r.p.state.subscriptions.rows), Until: r.clock.now.AddDate(0, 0, 10),
	})
}

func (r *randomOperations) confirm(t *rapid.T) {
	pi := r.p.state.intents.rows[drawID(t, r.p.state.intents.rows)]
	_, _ = r.p.Confirm(context.Background(), Confirmation{
		ClientSecret: pi.Secret, MethodID: drawID(t, r.p.state.cards.rows),
		Outcome: rapid.SampledFrom([]Outcome{NoOutcome, OutcomeComplete, OutcomeFail}).Draw(t, "outcome"),
	})
}

func (r *randomOperations) deleteCard(t *rapid.T) {
	id := drawID(t, r.p.state.cards.rows)
	_ = r.p.DeleteCard(context.Background(), payment.SavedCardRequest{
		Key: newID("key_"), CustomerID: r.p.state.cards.rows[id].CustomerID, MethodID: id,
	})
}

func (r *randomOperations) deleteCustomer(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "often") == 0 {
		_ = r.p.DeleteCustomer(context.Background(), drawID(t, r.p.state.customers.rows))
	}
}

func (r *randomOperations) advanceClock(t *rapid.T) {
	r.clock.now = r.clock.now.Add(time.Duration(rapid.IntRange(1, 24*60).Draw(t, "hours")) * time.Hour)
}
