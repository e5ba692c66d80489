//go:build !race

// The random sequences of requests take twelve times as long under the race detector.

package enginepayment

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// TestProvider_AgreesWithTheFakeProvider sends the same random requests to a provider with a card gateway and to the fake
// provider. Both use the calculations of domain/engine, but the fake provider has code of its own for schedules, payments,
// refunds and holds. After each request both must have the same subscriptions, invoices, credit and next actions. Run more
// random sequences with -rapid.checks.
func TestProvider_AgreesWithTheFakeProvider(t *testing.T) {
	t.Parallel()
	paymenttest.SetChecks(t, 20)
	rapid.Check(t, func(rt *rapid.T) {
		p := newProviderPair(t, rt)
		for range rapid.IntRange(5, 40).Draw(rt, "length") {
			p.runRandomCommand()
			require.Equal(rt, p.fakeState(), p.engineState())
		}
	})
}

func (p *providerPair) runRandomCommand() {
	commands := []func(){p.addRandomMethod, p.addRandomMethod, p.setDefaultMethod, p.deleteMethod, p.addCredit, p.passTime, p.passTime, p.passTime, p.liftHold}
	subs := p.engineSide().subscriptions(p)
	if len(subs) == 0 || subs[0].Status.Ended() {
		commands = append(commands, p.subscribe, p.subscribe, p.subscribe)
	}
	if len(subs) > 0 {
		commands = append(commands, p.changePlan, p.changePlan, p.changePlan, p.setEnd, p.cancel, p.pay, p.pay, p.authenticate, p.authenticate,
			p.extendTrial, p.cancelScheduledChange, p.cancelPendingChange, p.renew, p.renew, p.refund, p.dispute, p.closeDispute)
	}
	rapid.SampledFrom(commands).Draw(p.T, "command")()
}

// addRandomMethod saves a random test card or test bank account and makes it the default one. A payment from an account arrives
// or fails after three days, and may be returned a week later.
func (p *providerPair) addRandomMethod() {
	numbers := []string{
		"4242424242424242", "4242424242424242", "4000000000000341", "4000000000009987", "4000000000001000", "4000000000009995",
		"4000002500003155", "4000002500003155", "4000000000000002",
		"6000000000056819", "6000000000056819", "6000000000059110", "6000000000094406",
	}
	p.addMethod(rapid.SampledFrom(numbers).Draw(p.T, "number"))
}

// addMethod saves a card or bank account and makes it the default one.
func (p *providerPair) addMethod(number string) {
	entry := testcards.Entry{Number: number, ExpMonth: 12, ExpYear: 2050, CVC: "123"}
	p.send("add "+number, func(s side) error {
		id, err := p.createMethod(s, entry)
		if err != nil {
			return err
		}
		_, err = s.AddCard(p.Context(), payment.NewCard{Key: rand.Text(), CustomerID: s.customerID, MethodID: id})
		return err
	})
}

// createMethod creates a card or bank account, as a browser does, and returns its id or token.
func (p *providerPair) createMethod(s side, entry testcards.Entry) (id string, err error) {
	if s.Provider != p.fake {
		return p.engine.fake.CreateTokenOfEntry(entry)
	}
	m, err := p.fake.CreatePaymentMethod(p.Context(), entry)
	return m.ID, err
}

// drawSavedMethod returns the index of a saved method.
func (p *providerPair) drawSavedMethod() int {
	return rapid.IntRange(0, len(p.engineSide().methods(p))-1).Draw(p.T, "method")
}

func (p *providerPair) setDefaultMethod() {
	i := p.drawSavedMethod()
	p.send("set the default method", func(s side) error {
		_, err := s.SetDefaultCard(p.Context(),
			payment.SavedCardRequest{Key: rand.Text(), CustomerID: s.customerID, MethodID: s.methods(p)[i].ID})
		return err
	})
}

// deleteMethod deletes a saved method, unless it is the default one.
func (p *providerPair) deleteMethod() {
	i := p.drawSavedMethod()
	p.send("delete a method", func(s side) error {
		c, err := s.Customer(p.Context(), s.customerID)
		id := s.methods(p)[i].ID
		if err != nil || c.DefaultID() == id {
			return err
		}
		return s.DeleteCard(p.Context(), payment.SavedCardRequest{Key: rand.Text(), CustomerID: s.customerID, MethodID: id})
	})
}

func (p *providerPair) drawPrice() catalogue.PriceRef {
	product := rapid.SampledFrom([]string{"standard", "professional"}).Draw(p.T, "product")
	interval := rapid.SampledFrom([]catalogue.Interval{catalogue.Monthly, catalogue.Yearly}).Draw(p.T, "interval")
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: "AUD"}
}

func (p *providerPair) subscribe() {
	price, trialDays := p.drawPrice(), rapid.SampledFrom([]int{0, 0, 7}).Draw(p.T, "trial days")
	p.send("subscribe", func(s side) error {
		req := payment.NewSubscription{Key: rand.Text(), CustomerID: s.customerID, Price: price, TrialDays: trialDays}
		_, err := s.Subscribe(p.Context(), req)
		return err
	})
}

// drawSubscription returns the index of one of the two newest subscriptions.
func (p *providerPair) drawSubscription() int {
	return rapid.IntRange(0, min(1, len(p.engineSide().subscriptions(p))-1)).Draw(p.T, "subscription")
}

func (p *providerPair) changePlan() {
	price, i := p.drawPrice(), p.drawSubscription()
	timings := []billing.ChangeTiming{billing.ChangeNow, billing.ChangeNow, billing.ChangeAtRenewal}
	timing := rapid.SampledFrom(timings).Draw(p.T, "when")
	if sub := p.engineSide().subscriptions(p)[i]; sub.Price == price || timing == billing.ChangeNow && p.isDebitTooLate(sub) {
		return
	}
	p.send("change", func(s side) error {
		sub := s.subscriptions(p)[i]
		req := payment.PriceChange{
			Key: rand.Text(), SubscriptionID: sub.ID, From: sub.Price, To: price, When: timing, EndTrial: sub.Status == billing.Trialing,
		}
		if timing == billing.ChangeNow {
			q, err := s.QuoteChange(p.Context(), req)
			if err != nil {
				return err
			}
			req.At, req.Quoted = q.At, billing.QuotedAmounts{DueNow: q.DueNow, CreditAfter: q.CreditAfter}
		}
		_, err := s.ChangePlan(p.Context(), req)
		return err
	})
}

// isDebitTooLate reports whether the default method is a bank account whose debit would arrive after the period ends. The port
// allows a provider to refuse an immediate change then, which only enginepayment does.
func (p *providerPair) isDebitTooLate(s billing.Subscription) bool {
	c, err := p.engine.Customer(p.Context(), p.engineCustomer)
	require.NoError(p, err)
	settlement := fakegateway.CardsAndDebits().Settlement
	return c.Default != nil && c.Default.Kind == billing.BankDebitMethod && p.engine.Now().Add(settlement).After(s.CurrentPeriodEnd)
}

func (p *providerPair) setEnd() {
	i, end := p.drawSubscription(), rapid.Bool().Draw(p.T, "end")
	p.send("end at the end of the period", func(s side) error {
		_, err := s.SetEndAtPeriodEnd(p.Context(),
			payment.EndRequest{Key: rand.Text(), SubscriptionID: s.subscriptions(p)[i].ID, End: end})
		return err
	})
}

func (p *providerPair) cancel() {
	i, void := p.drawSubscription(), rapid.Bool().Draw(p.T, "void")
	p.send("cancel", func(s side) error {
		_, err := s.CancelSubscription(p.Context(),
			payment.Cancellation{Key: rand.Text(), SubscriptionID: s.subscriptions(p)[i].ID, VoidInvoices: void})
		return err
	})
}

// pay pays the latest invoice of a subscription. It skips a card that was declined permanently, because only
// enginepayment refuses to charge it again.
func (p *providerPair) pay() {
	i := p.drawSubscription()
	sub, err := p.engine.Subscription(p.Context(), p.engineSide().subscriptions(p)[i].ID)
	require.NoError(p, err)
	if intent := sub.LatestInvoice.Payment; intent != nil && intent.HardDecline && p.isDefaultDeclinedPermanently() {
		return
	}
	p.payInvoice(i)
}

// payInvoice pays the latest invoice of the subscription with the default method.
func (p *providerPair) payInvoice(i int) {
	p.send("pay", func(s side) error {
		sub := s.subscriptions(p)[i]
		_, err := s.PayInvoice(p.Context(), payment.InvoicePayment{
			Key: rand.Text(), InvoiceID: sub.LatestInvoice.ID, Amount: sub.LatestInvoice.AmountRemaining(), Ended: sub.Status.Ended(),
		})
		return err
	})
}

// authenticate completes or fails the authentication that a subscription waits for.
func (p *providerPair) authenticate() {
	i, complete := p.drawSubscription(), rapid.Bool().Draw(p.T, "complete")
	sub, err := p.engine.Subscription(p.Context(), p.engineSide().subscriptions(p)[i].ID)
	require.NoError(p, err)
	if sub.Next.Kind != billing.ConfirmPayment && sub.Next.Kind != billing.ConfirmSetup {
		return
	}
	if sub.Next.Secret == "" { // the renewal failed at the gateway
		p.payInvoice(i)
	}
	p.send("authenticate", func(s side) error {
		sub, err := s.Subscription(p.Context(), s.subscriptions(p)[i].ID)
		if err != nil || sub.Next.Secret == "" || sub.Next.Kind == billing.NewPaymentMethod {
			return err
		}
		if s.Provider != p.fake {
			_, err = p.engine.fake.Authenticate(sub.Next.Secret, complete)
			return err
		}
		outcome := fakepayment.OutcomeFail
		if complete {
			outcome = fakepayment.OutcomeComplete
		}
		_, err = p.fake.Confirm(p.Context(), fakepayment.Confirmation{ClientSecret: sub.Next.Secret, Outcome: outcome})
		return err
	})
}

func (p *providerPair) extendTrial() {
	i := p.drawSubscription()
	p.send("extend the trial", func(s side) error {
		sub := s.subscriptions(p)[i]
		_, err := s.ExtendTrial(p.Context(),
			payment.TrialExtension{Key: rand.Text(), SubscriptionID: sub.ID, Until: sub.TrialEnd.Add(5 * day)})
		return err
	})
}

func (p *providerPair) cancelScheduledChange() {
	i := p.drawSubscription()
	p.send("cancel the scheduled change", func(s side) error {
		_, err := s.CancelScheduledChange(p.Context(),
			payment.ScheduledChangeCancellation{Key: rand.Text(), SubscriptionID: s.subscriptions(p)[i].ID})
		return err
	})
}

func (p *providerPair) cancelPendingChange() {
	i := p.drawSubscription()
	p.send("cancel the pending change", func(s side) error {
		sub := s.subscriptions(p)[i]
		if sub.Pending == nil {
			return nil
		}
		_, err := s.CancelPendingChange(p.Context(),
			payment.PendingChangeCancellation{Key: rand.Text(), SubscriptionID: sub.ID, InvoiceID: sub.Pending.InvoiceID})
		return err
	})
}

func (p *providerPair) addCredit() {
	amount, err := money.New(rapid.SampledFrom([]int64{1, 49, 51, 1000, 3900, 50_000}).Draw(p.T, "credit"), "AUD")
	require.NoError(p, err)
	p.send("credit", func(s side) error {
		_, err := s.AddCredit(p.Context(), payment.CreditGrant{Key: rand.Text(), CustomerID: s.customerID, Amount: amount})
		return err
	})
}

func (p *providerPair) liftHold() {
	p.send("lift the hold", func(s side) error {
		_, err := s.LiftHold(p.Context(), payment.HoldLift{Key: rand.Text(), CustomerID: s.customerID})
		return err
	})
}

// drawPaidInvoice returns the index of an invoice with a payment; ok is false if there is none.
func (p *providerPair) drawPaidInvoice() (index int, ok bool) {
	var paid []int
	for i, inv := range p.engineSide().invoices(p) {
		if inv.Status == billing.InvoicePaid && inv.AmountPaid.Minor() > 0 {
			paid = append(paid, i)
		}
	}
	if len(paid) == 0 {
		return 0, false
	}
	return rapid.SampledFrom(paid).Draw(p.T, "invoice"), true
}

func (p *providerPair) refund() {
	i, ok := p.drawPaidInvoice()
	if !ok {
		return
	}
	divisor := rapid.SampledFrom([]int64{1, 3, 100}).Draw(p.T, "divisor")
	p.send("refund", func(s side) error {
		inv := s.invoices(p)[i]
		amount, err := money.New(max(1, inv.AmountPaid.Minor()/divisor), "AUD")
		require.NoError(p, err)
		_, err = s.Refund(p.Context(), payment.RefundRequest{Key: rand.Text(), InvoiceID: inv.ID, Amount: amount})
		return err
	})
}

// dispute disputes the payment of an invoice that was not disputed, or whose earlier dispute was won.
func (p *providerPair) dispute() {
	i, ok := p.drawPaidInvoice()
	if !ok {
		return
	}
	inv := p.engineSide().invoices(p)[i]
	isDisputed := slices.ContainsFunc(inv.Returns, func(r billing.Return) bool {
		return r.Kind == billing.ReturnByDispute && r.Dispute != billing.DisputeWon
	})
	if isDisputed || inv.Refunded == inv.AmountPaid {
		return
	}
	p.send("dispute", func(s side) error {
		id := s.invoices(p)[i].ID
		if s.Provider == p.fake {
			return p.fake.Dispute(p.Context(), id)
		}
		p.engine.dispute(p.test, id)
		return nil
	})
}

// closeDispute decides the newest open dispute.
func (p *providerPair) closeDispute() {
	i := slices.IndexFunc(p.engineSide().invoices(p), func(inv billing.Invoice) bool {
		return slices.ContainsFunc(inv.Returns, func(r billing.Return) bool { return r.Dispute == billing.DisputeOpen })
	})
	if i < 0 {
		return
	}
	won := rapid.Bool().Draw(p.T, "won")
	p.send("close the dispute", func(s side) error {
		id := s.invoices(p)[i].ID
		if s.Provider == p.fake {
			return p.fake.CloseDispute(p.Context(), id, won)
		}
		p.engine.closeDispute(p.test, id, won)
		return nil
	})
}

func (p *providerPair) passTime() {
	p.advance(rapid.SampledFrom([]time.Duration{time.Second, time.Hour, day, 3 * day, 8 * day, 32 * day}).Draw(p.T, "time"))
}

// renew lets the period of the newest subscription end.
func (p *providerPair) renew() {
	p.advance(max(time.Second, p.engineSide().subscriptions(p)[0].CurrentPeriodEnd.Sub(p.engine.Now())+2*time.Hour))
}
