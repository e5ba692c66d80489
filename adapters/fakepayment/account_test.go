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
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// TestProvider_AgreesWithEngineAccount runs random commands on the provider and on an engine.Account whose payments have the
// outcomes of the test cards. Both must have the same subscriptions, invoices and credit after each command. The provider does
// not use engine.Account, so it is an independent reference for the adapters that do. The comparison omits the dates of
// invoices: the account dates a renewal that waited for a payment at the beginning of its period.
func TestProvider_AgreesWithEngineAccount(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// The ids are drawn too, so that rapid can repeat a failure.
		cryptotest.SetGlobalRandom(t, rapid.Uint64().Draw(rt, "ids"))
		p := newAccountPair(t, rt)
		for range rapid.IntRange(20, 60).Draw(rt, "length") {
			p.runRandomCommand()
			require.Equal(rt, p.providerState(), p.accountState())
		}
	})
}

// testCardOutcomes contains the outcomes of payments by card number.
var testCardOutcomes = map[string]struct {
	kind      billing.MethodKind
	charge    engine.Report
	lateState engine.AttemptState // final state of a processing payment
}{
	visa:             {charge: engine.Report{State: engine.AttemptPaid}},
	declinedCharge:   {charge: engine.Report{State: engine.AttemptFailed}},
	lostCard:         {charge: engine.Report{State: engine.AttemptFailed, Decline: engine.HardDecline}},
	settlingAccount:  {kind: billing.BankDebitMethod, charge: engine.Report{State: engine.AttemptProcessing}, lateState: engine.AttemptPaid},
	failingAccount:   {kind: billing.BankDebitMethod, charge: engine.Report{State: engine.AttemptProcessing}, lateState: engine.AttemptFailed},
	returningAccount: {kind: billing.BankDebitMethod, charge: engine.Report{State: engine.AttemptProcessing}, lateState: engine.AttemptPaid},
}

// accountPair is a customer of the provider and an engine.Account, which run the same commands.
type accountPair struct {
	*rapid.T
	test     *testing.T
	provider *fakepayment.Provider
	clock    *accountClock
	customer string
	numbers  map[string]string // card numbers by payment method id
	account  *engine.Account
	reports  []lateReport
	idCount  int
}

type lateReport struct {
	key   string
	state engine.AttemptState
	at    time.Time
}

type accountClock struct{ now time.Time }

func (c *accountClock) Now() time.Time { return c.now }

func newAccountPair(t *testing.T, rt *rapid.T) *accountPair {
	clock := &accountClock{noon}
	provider, err := fakepayment.Open(fakepayment.Config{Clock: clock, Prices: testPrices{}})
	require.NoError(rt, err)
	rt.Cleanup(func() { stop(t, provider) })
	c, err := provider.CreateCustomer(rt.Context(), payment.NewCustomer{Key: newKey(), OrganisationID: "org_1"})
	require.NoError(rt, err)
	p := &accountPair{T: rt, test: t, provider: provider, clock: clock, customer: c.ID, numbers: map[string]string{}}
	newID := func() string { p.idCount++; return fmt.Sprintf("id_%d", p.idCount) }
	p.account = &engine.Account{
		Terms: engine.Terms{Charging: &engine.Charging{Minimum: engine.MinimumCharge, OffSession: true}},
		Now:   noon, NewInvoiceID: newID, NewKey: newID,
	}
	p.addCard()
	return p
}

func (p *accountPair) runRandomCommand() {
	commands := []func(){p.addCard, p.subscribe, p.addCredit, p.advance, p.advance, p.advance, p.advance, p.advance, p.advance}
	if len(p.account.Subscriptions) > 0 {
		commands = append(commands, p.pay, p.pay, p.changePlan, p.changePlan, p.setEnding, p.cancel, p.refund, p.extendTrial,
			p.dropScheduledChange, p.dropPendingChange, p.liftHold)
	}
	rapid.SampledFrom(commands).Draw(p.T, "command")()
	p.send()
}

// send completes the due attempts and refunds of the account with the outcomes of the provider's test cards.
func (p *accountPair) send() {
	for due := p.account.Outbox(); len(due.Send)+len(due.Refund) > 0; due = p.account.Outbox() {
		for _, attempt := range due.Send {
			p.charge(attempt)
		}
		for _, r := range due.Refund {
			_, _, err := p.account.ClaimRefund(r.Key, p.account.Now, p.account.Now.Add(time.Second))
			require.NoError(p, err)
			require.NoError(p, p.account.ReportRefund(engine.ReportedRefund{Key: r.Key, Ref: r.Key, State: engine.AttemptPaid}))
		}
	}
}

func (p *accountPair) charge(attempt engine.Attempt) {
	if _, err := p.account.Claim(attempt.Key, p.account.Now, p.account.Now.Add(time.Second)); err != nil {
		return // the attempt is not due any more
	}
	number := p.numbers[attempt.Method]
	result := testCardOutcomes[number]
	require.NoError(p, p.account.Report(attempt.Key, result.charge))
	if result.lateState != "" {
		p.reports = append(p.reports, lateReport{attempt.Key, result.lateState, p.account.Now.Add(3 * day)})
	}
	if number == returningAccount {
		p.reports = append(p.reports, lateReport{attempt.Key, engine.AttemptReturned, p.account.Now.Add(10 * day)})
	}
}

// advance moves the clock. The account processes its steps and receives the late reports in the order of their times.
func (p *accountPair) advance() {
	d := rapid.SampledFrom([]time.Duration{time.Hour, day, 3 * day, 8 * day, 23 * time.Hour, 32 * day}).Draw(p.T, "time")
	p.clock.now = p.clock.now.Add(d)
	require.NoError(p, p.provider.Tick(p.Context()))
	for {
		slices.SortStableFunc(p.reports, func(x, y lateReport) int { return x.at.Compare(y.at) })
		step := p.account.NextStepAt()
		isReport := len(p.reports) > 0 && (step.IsZero() || p.reports[0].at.Before(step))
		switch {
		case isReport && !p.reports[0].at.After(p.clock.now):
			report := p.reports[0]
			p.reports = p.reports[1:]
			p.account.Now = report.at
			require.NoError(p, p.account.Report(report.key, engine.Report{State: report.state}))
		case !isReport && !step.IsZero() && !step.After(p.clock.now):
			p.account.Advance(step)
		default:
			p.account.Advance(p.clock.now)
			return
		}
		p.send()
	}
}

func (p *accountPair) addCard() {
	numbers := []string{visa, visa, visa, declinedCharge, lostCard, settlingAccount, failingAccount, returningAccount}
	number := rapid.SampledFrom(numbers).Draw(p.T, "card")
	method, err := p.provider.CreatePaymentMethod(p.Context(), newCardEntry(number))
	require.NoError(p, err)
	_, err = p.provider.AddCard(p.Context(), payment.NewCard{Key: newKey(), CustomerID: p.customer, MethodID: method.ID})
	require.NoError(p, err)
	p.numbers[method.ID] = number
	p.account.Methods = append(p.account.Methods, engine.AccountMethod{
		Ref: method.ID, Details: billing.PaymentMethod{Kind: testCardOutcomes[number].kind},
	})
	require.NoError(p, p.account.SetDefaultMethod(method.ID))
}

func (p *accountPair) defaultSource() engine.Source {
	return engine.Source{Method: p.account.DefaultMethod}
}

// requireSameResult requires that both have accepted a command, or have refused it with the same code.
func (p *accountPair) requireSameResult(providerErr, accountErr error) {
	require.Equal(p, fault.CodeOf(providerErr), fault.CodeOf(accountErr), "%v, %v", providerErr, accountErr)
}

var priceIDs = []string{"standard_monthly", "standard_yearly", "professional_monthly", "professional_yearly"}

// subscribe buys a plan unless the customer has one, because the order of the steps of two subscriptions is not defined.
func (p *accountPair) subscribe() {
	if slices.ContainsFunc(p.account.Statuses(), func(s billing.Status) bool { return !s.Ended() }) {
		return
	}
	price := audPrice(rapid.SampledFrom(priceIDs).Draw(p.T, "price"))
	trial := rapid.SampledFrom([]int{0, 0, 7}).Draw(p.T, "trial")
	amount, err := testPrices{}.Price(price)
	require.NoError(p, err)
	s, err := p.provider.Subscribe(p.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: p.customer, Price: price, TrialDays: trial,
	})
	p.idCount++
	id := s.ID
	if err != nil {
		id = fmt.Sprintf("refused_%d", p.idCount)
	}
	p.requireSameResult(err, p.account.Subscribe(engine.SubscribeRequest{
		ID: id, Price: price, Amount: amount.Minor(), TrialDays: trial, Source: p.defaultSource(),
	}))
}

func (p *accountPair) addCredit() {
	amount := aud(p.test, rapid.SampledFrom([]int64{10, 3900, 50_000}).Draw(p.T, "amount"))
	_, err := p.provider.AddCredit(p.Context(), payment.Credit{Key: newKey(), CustomerID: p.customer, Amount: amount})
	p.requireSameResult(err, p.account.AddCredit(amount))
}

func (p *accountPair) drawSubscription() engine.AccountSubscription {
	if rapid.Bool().Draw(p.T, "newest") {
		return p.account.Subscriptions[0]
	}
	return rapid.SampledFrom(p.account.Subscriptions).Draw(p.T, "subscription")
}

// pay pays the latest invoice of a subscription. Only the account refuses to charge a method again after a hard decline.
func (p *accountPair) pay() {
	s := p.drawSubscription()
	inv := p.account.Invoice(s.LatestInvoice)
	isEnded := s.Status.Ended()
	err := p.account.Pay(engine.PayRequest{Invoice: inv.ID, Amount: inv.Balance(), SubscriptionEnded: isEnded, Source: p.defaultSource()})
	lastAttempt := p.account.LatestAttempt(inv.ID)
	if err != nil && lastAttempt.HardDecline {
		return
	}
	latestInvoice := getSubscription(p.test, p.provider, s.ID).LatestInvoice
	_, providerErr := p.provider.PayInvoice(p.Context(), payment.InvoicePayment{
		Key: newKey(), InvoiceID: latestInvoice.ID, Amount: latestInvoice.Remaining(), Ended: isEnded,
	})
	p.requireSameResult(providerErr, err)
}

// changePlan changes the price, unless the payment could arrive after the period, because the account refuses such a change.
func (p *accountPair) changePlan() {
	s := p.drawSubscription()
	if p.clock.now.Add(3 * day).After(s.PeriodEnd) {
		return
	}
	price := audPrice(rapid.SampledFrom(priceIDs).Draw(p.T, "price"))
	amount, err := testPrices{}.Price(price)
	require.NoError(p, err)
	when := rapid.SampledFrom([]payment.When{payment.Now, payment.Now, payment.AtRenewal}).Draw(p.T, "when")
	isTrial := s.Status == billing.Trialing
	_, err = p.provider.ChangePlan(p.Context(), payment.PriceChange{
		Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: price, EndTrial: isTrial, When: when,
	})
	p.requireSameResult(err, p.account.ChangePrice(engine.ChangeRequest{
		Subscription: s.ID, From: s.Price, To: price, Amount: amount.Minor(), EndTrial: isTrial, AtRenewal: when == payment.AtRenewal,
		Source: p.defaultSource(),
	}))
}

func (p *accountPair) setEnding() {
	s, ending := p.drawSubscription(), rapid.Bool().Draw(p.T, "ending")
	_, err := p.provider.SetEndAtPeriodEnd(p.Context(), payment.EndRequest{Key: newKey(), SubscriptionID: s.ID, End: ending})
	p.requireSameResult(err, p.account.SetEnding(s.ID, ending))
}

func (p *accountPair) cancel() {
	s, void := p.drawSubscription(), rapid.Bool().Draw(p.T, "void")
	req := payment.Cancellation{Key: newKey(), SubscriptionID: s.ID, VoidInvoices: void}
	_, err := p.provider.CancelSubscription(p.Context(), req)
	if !req.Keeps(s.Status) {
		p.requireSameResult(err, p.account.End(s.ID, void))
	}
}

func (p *accountPair) refund() {
	s := p.drawSubscription()
	inv := p.account.Invoice(s.LatestInvoice)
	amount := aud(p.test, rapid.SampledFrom([]int64{1, 1000, max(1, inv.Paid)}).Draw(p.T, "amount"))
	latestInvoice := getSubscription(p.test, p.provider, s.ID).LatestInvoice
	_, providerErr := p.provider.Refund(p.Context(), payment.Refund{Key: newKey(), InvoiceID: latestInvoice.ID, Amount: amount})
	_, err := p.account.RequestRefund(newKey(), inv.ID, amount)
	p.requireSameResult(providerErr, err)
}

func (p *accountPair) extendTrial() {
	s := p.drawSubscription()
	until := s.TrialEnd.Add(5 * day)
	_, err := p.provider.ExtendTrial(p.Context(), payment.TrialExtension{Key: newKey(), SubscriptionID: s.ID, Until: until})
	p.requireSameResult(err, p.account.ExtendTrial(s.ID, until))
}

func (p *accountPair) dropScheduledChange() {
	s := p.drawSubscription()
	_, err := p.provider.CancelScheduledChange(p.Context(), payment.ScheduleCancellation{Key: newKey(), SubscriptionID: s.ID})
	p.requireSameResult(err, p.account.DropScheduledChange(s.ID))
}

func (p *accountPair) dropPendingChange() {
	s := p.drawSubscription()
	if s.Pending.Invoice == "" {
		return
	}
	pendingChange := getSubscription(p.test, p.provider, s.ID).Pending
	_, err := p.provider.CancelPendingChange(p.Context(), payment.PendingCancellation{
		Key: newKey(), SubscriptionID: s.ID, InvoiceID: pendingChange.InvoiceID,
	})
	p.requireSameResult(err, p.account.DropPendingChange(s.ID, s.Pending.Invoice))
}

func (p *accountPair) liftHold() {
	_, err := p.provider.LiftHold(p.Context(), payment.HoldLift{Key: newKey(), CustomerID: p.customer})
	require.NoError(p, err)
	p.account.LiftHold()
}

// providerState describes the credit, subscriptions and invoices at the provider, oldest first.
func (p *accountPair) providerState() (out []string) {
	require.NoError(p, p.provider.Read(p.Context(), func(s fakepayment.Snapshot) error {
		c, _ := s.Customer(p.customer)
		out = append(out, fmt.Sprintln("credit", c.Credit, c.HeldCredit, c.Hold))
		for _, id := range slices.Backward(c.Subscriptions) {
			sub, _ := s.Subscription(id)
			out = append(out, describeSubscription(sub.Subscription, sub.EndedAt))
			for _, inv := range slices.Backward(s.SubscriptionInvoices(id)) {
				amountPaid := int64(0)
				if inv.Status == "paid" {
					amountPaid = inv.Amount
				}
				credit := inv.Credit
				if inv.Status == "void" {
					credit = 0
				}
				out = append(out, fmt.Sprintln(inv.Status, inv.Amount, credit, amountPaid, inv.Refunded, inv.Returned, inv.Refund, inv.Dispute))
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
				out = append(out, fmt.Sprintln(inv.Status, inv.Due, inv.CreditUsed, inv.Paid, inv.Refunded, inv.BankReturned, inv.Refund, inv.Dispute))
			}
		}
	}
	return out
}

// describeSubscription describes the data that the provider and the account store in the same fields.
func describeSubscription(s engine.Subscription, endedAt time.Time) string {
	_, at := s.NextStep()
	return fmt.Sprintln(s.Status, s.Price.PriceID(), s.PeriodStart, s.PeriodEnd, s.TrialEnd, s.Pending.Price.PriceID(), s.Pending.Expires,
		s.Scheduled.Price.PriceID(), s.Ending, s.Retries, at, endedAt)
}
