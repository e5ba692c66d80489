package fakepayment_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// TestProvider_AgreesWithEngineAccount runs the same random commands on the provider and on an engine.Account. The
// account's payments have the outcomes of the provider's test cards. Both must have the same subscriptions, invoices
// and credit after each command. The provider does not use engine.Account, so it is an independent reference for the
// adapters that do. The comparison omits the dates of invoices, because the account dates a delayed renewal at the
// beginning of its period.
func TestProvider_AgreesWithEngineAccount(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// The ids are drawn too, so that rapid can reproduce a failure.
		cryptotest.SetGlobalRandom(t, rapid.Uint64().Draw(rt, "ids"))
		p := newAccountPair(t, rt)
		for range rapid.IntRange(20, 60).Draw(rt, "length") {
			p.runRandomCommand()
			require.Equal(rt, p.providerState(), p.accountState())
		}
	})
}

// The debit of a plan change that has used credit fails at the instant at which the bank returns the debit of the current
// period. The provider processes the two in the order of their random ids.
func TestProvider_AgreesWithEngineAccountOnAReturnDuringAFailedChange(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cryptotest.SetGlobalRandom(t, rapid.Uint64().Draw(rt, "ids"))
		p := newAccountPair(t, rt)
		p.addCardWithNumber(lateReturningAccount)
		p.subscribeTo("standard_yearly", 0)
		p.processOutbox()
		p.advanceBy(7 * day)
		p.addCreditOf(10)
		p.addCardWithNumber(lateFailingAccount)
		p.changePlanTo(p.account.Subscriptions[0], "professional_yearly", billing.ChangeNow)
		p.processOutbox()

		p.advanceBy(3 * day)

		require.Equal(rt, p.providerState(), p.accountState())
		dispute := p.account.Invoices[1].Dispute
		require.EqualValues(rt, 42000, dispute.Amount)
		require.EqualValues(rt, 10, dispute.Withdrawn, "the change has returned its credit")
		require.Zero(rt, dispute.Spent)
	})
}

// A trial ends at the instant at which the bank returns the debit of an earlier subscription. The return withdraws the credit
// before the first invoice can use it.
func TestProvider_AgreesWithEngineAccountOnAReturnAtTheEndOfATrial(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cryptotest.SetGlobalRandom(t, rapid.Uint64().Draw(rt, "ids"))
		p := newAccountPair(t, rt)
		p.addCardWithNumber(lateReturningAccount)
		p.subscribeTo("standard_monthly", 0)
		p.processOutbox()
		p.advanceBy(3 * day)
		p.cancelSubscription(p.account.Subscriptions[0], false)
		p.subscribeTo("standard_monthly", 7)
		p.addCreditOf(10)

		p.advanceBy(7 * day)

		require.Equal(rt, p.providerState(), p.accountState())
		require.EqualValues(rt, 3900, p.account.Invoices[0].AmountDue)
	})
}

// testCardOutcomes contains the outcomes of payments by card number.
var testCardOutcomes = map[string]struct {
	kind          billing.MethodKind
	initialReport engine.PaymentReport
	lateState     engine.AttemptState // final state of a processing payment
}{
	visa:                    {initialReport: engine.PaymentReport{State: engine.AttemptPaid}},
	cardDeclinedWhenCharged: {initialReport: engine.PaymentReport{State: engine.AttemptFailed}},
	lostCard:                {initialReport: engine.PaymentReport{State: engine.AttemptFailed, Decline: engine.HardDecline}},
	slowAccount:             {kind: billing.BankDebitMethod, initialReport: engine.PaymentReport{State: engine.AttemptProcessing}, lateState: engine.AttemptPaid},
	lateFailingAccount:      {kind: billing.BankDebitMethod, initialReport: engine.PaymentReport{State: engine.AttemptProcessing}, lateState: engine.AttemptFailed},
	lateReturningAccount:    {kind: billing.BankDebitMethod, initialReport: engine.PaymentReport{State: engine.AttemptProcessing}, lateState: engine.AttemptPaid},
}

// accountPair is a customer of the provider and an engine.Account, which run the same commands.
type accountPair struct {
	*rapid.T
	test        *testing.T
	provider    *fakepayment.Provider
	clock       *manualClock
	customerID  string
	cardNumbers map[string]string // by payment method id
	account     *engine.Account
	reports     []lateReport
	idCount     int
}

type lateReport struct {
	key   string
	state engine.AttemptState
	at    time.Time
}

type manualClock struct{ now time.Time }

func (c *manualClock) Now() time.Time { return c.now }

func newAccountPair(t *testing.T, rt *rapid.T) *accountPair {
	clock := &manualClock{noon}
	provider, err := fakepayment.Open(fakepayment.Config{Clock: clock, Prices: testPrices{}})
	require.NoError(rt, err)
	rt.Cleanup(func() { stopProvider(t, provider) })
	c, err := provider.CreateCustomer(rt.Context(), payment.NewCustomer{Key: newKey(), OrganisationID: "org_1"})
	require.NoError(rt, err)
	p := &accountPair{T: rt, test: t, provider: provider, clock: clock, customerID: c.ID, cardNumbers: map[string]string{}}
	newID := func() string { p.idCount++; return fmt.Sprintf("id_%d", p.idCount) }
	p.account = &engine.Account{
		Terms: engine.Terms{ChargeTerms: &engine.ChargeTerms{Minimum: engine.MinimumCharge, OffSession: true}},
		Now:   noon, NewInvoiceID: newID, NewKey: newID,
	}
	p.addCard()
	return p
}

func (p *accountPair) runRandomCommand() {
	commands := []func(){p.addCard, p.subscribe, p.addCredit, p.advance, p.advance, p.advance, p.advance, p.advance, p.advance}
	if len(p.account.Subscriptions) > 0 {
		commands = append(commands, p.pay, p.pay, p.changePlan, p.changePlan, p.setEndAtPeriodEnd, p.cancel, p.refund, p.extendTrial,
			p.cancelScheduledChange, p.cancelPendingChange, p.liftHold)
	}
	rapid.SampledFrom(commands).Draw(p.T, "command")()
	p.processOutbox()
}

// processOutbox completes the due attempts and refunds of the account with the outcomes of the provider's test cards.
func (p *accountPair) processOutbox() {
	for due := p.account.Outbox(); len(due.Send)+len(due.Refund) > 0; due = p.account.Outbox() {
		for _, attempt := range due.Send {
			p.charge(attempt)
		}
		for _, r := range due.Refund {
			_, _, err := p.account.ClaimRefund(r.Key, p.account.Now, p.account.Now.Add(time.Second))
			require.NoError(p, err)
			require.NoError(p, p.account.ReportRefund(engine.RefundReport{Key: r.Key, Ref: r.Key, State: engine.AttemptPaid}))
		}
	}
}

func (p *accountPair) charge(attempt engine.Attempt) {
	if _, err := p.account.Claim(attempt.Key, p.account.Now, p.account.Now.Add(time.Second)); err != nil {
		return // the attempt is not due any more
	}
	number := p.cardNumbers[attempt.Method]
	result := testCardOutcomes[number]
	require.NoError(p, p.account.ReportPayment(attempt.Key, result.initialReport))
	if result.lateState != "" {
		p.reports = append(p.reports, lateReport{attempt.Key, result.lateState, p.account.Now.Add(3 * day)})
	}
	if number == lateReturningAccount {
		p.reports = append(p.reports, lateReport{attempt.Key, engine.AttemptReturned, p.account.Now.Add(10 * day)})
	}
}

// advance moves the clock by a random duration.
func (p *accountPair) advance() {
	p.advanceBy(rapid.SampledFrom([]time.Duration{time.Hour, day, 3 * day, 8 * day, 23 * time.Hour, 32 * day}).Draw(p.T, "time"))
}

// advanceBy moves the clock. The account processes its steps and receives the late reports in the order of their times,
// and reports before steps at the same time.
func (p *accountPair) advanceBy(d time.Duration) {
	p.clock.now = p.clock.now.Add(d)
	require.NoError(p, p.provider.Tick(p.Context()))
	for {
		slices.SortStableFunc(p.reports, func(x, y lateReport) int { return x.at.Compare(y.at) })
		step := p.account.NextStepAt()
		isReport := len(p.reports) > 0 && (step.IsZero() || !p.reports[0].at.After(step))
		switch {
		case isReport && !p.reports[0].at.After(p.clock.now):
			report := p.reports[0]
			p.reports = p.reports[1:]
			p.account.Now = report.at
			require.NoError(p, p.account.ReportPayment(report.key, engine.PaymentReport{State: report.state}))
		case !isReport && !step.IsZero() && !step.After(p.clock.now):
			p.account.Advance(step)
		default:
			p.account.Advance(p.clock.now)
			return
		}
		p.processOutbox()
	}
}

// providerState describes the credit, subscriptions and invoices at the provider, oldest first.
func (p *accountPair) providerState() (out []string) {
	require.NoError(p, p.provider.Read(p.Context(), func(s fakepayment.Snapshot) error {
		c, _ := s.Customer(p.customerID)
		out = append(out, fmt.Sprintln("credit", c.Credit, c.HeldCredit, c.Hold))
		for _, id := range slices.Backward(c.SubscriptionIDs) {
			sub, _ := s.Subscription(id)
			out = append(out, describeSubscription(sub.Subscription, sub.EndedAt))
			for _, inv := range slices.Backward(s.SubscriptionInvoices(id)) {
				amountPaid := int64(0)
				if inv.Status == "paid" {
					amountPaid = inv.AmountDue
				}
				credit := inv.Credit
				if inv.Status == "void" {
					credit = 0
				}
				out = append(out, fmt.Sprintln(inv.Status, inv.AmountDue, credit, amountPaid, inv.Refunded, inv.Returned, inv.Refund, inv.Dispute))
			}
		}
		return nil
	}))
	return out
}

// accountState describes the credit, subscriptions and invoices of the account, oldest first.
func (p *accountPair) accountState() (out []string) {
	a := p.account
	out = append(out, fmt.Sprintln("credit", a.Credit, a.HeldCredit, a.Hold))
	for _, s := range slices.Backward(a.Subscriptions) {
		out = append(out, describeSubscription(s.Subscription, s.EndedAt))
		for _, inv := range slices.Backward(a.Invoices) {
			if inv.Subscription == s.ID {
				out = append(out, fmt.Sprintln(inv.Status, inv.AmountDue, inv.CreditUsed, inv.AmountPaid, inv.Refunded, inv.BankReturned, inv.Refund, inv.Dispute))
			}
		}
	}
	return out
}

// describeSubscription describes the data that the provider and the account store in the same fields.
func describeSubscription(s engine.Subscription, endedAt time.Time) string {
	_, at := s.NextStep()
	return fmt.Sprintln(s.Status, s.Price.PriceID(), s.PeriodStart, s.PeriodEnd, s.TrialEnd, s.Pending.Price.PriceID(), s.Pending.Expires,
		s.Scheduled.Price.PriceID(), s.EndsAtPeriodEnd, s.Retries, at, endedAt)
}
