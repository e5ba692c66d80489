package fakepayment_test

import (
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func (p *accountPair) addCard() {
	numbers := []string{
		visa, visa, visa, cardDeclinedWhenCharged, lostCard, slowAccount, lateFailingAccount, lateReturningAccount,
	}
	p.addCardWithNumber(rapid.SampledFrom(numbers).Draw(p.T, "card"))
}

func (p *accountPair) addCardWithNumber(number string) {
	method, err := p.provider.CreatePaymentMethod(p.Context(), newCardEntry(number))
	require.NoError(p, err)
	_, err = p.provider.AddCard(p.Context(), payment.NewCard{Key: newKey(), CustomerID: p.customerID, MethodID: method.ID})
	require.NoError(p, err)
	p.cardNumbers[method.ID] = number
	p.account.Methods = append(p.account.Methods, engine.AccountMethod{
		Ref: method.ID, Details: billing.PaymentMethod{Kind: testCardOutcomes[number].kind},
	})
	require.NoError(p, p.account.SetDefaultMethod(method.ID))
}

func (p *accountPair) defaultSource() engine.Source {
	return engine.Source{Method: p.account.DefaultMethod}
}

// requireSameResult requires that provider and account have both accepted a command, or refused it with the same code.
func (p *accountPair) requireSameResult(providerErr, accountErr error) {
	require.Equal(p, fault.CodeOf(providerErr), fault.CodeOf(accountErr), "%v, %v", providerErr, accountErr)
}

var priceIDs = []string{"standard_monthly", "standard_yearly", "professional_monthly", "professional_yearly"}

// subscribe buys a plan unless the customer has one, because the order of the steps of two subscriptions is not defined.
func (p *accountPair) subscribe() {
	if slices.ContainsFunc(p.account.Statuses(), func(s billing.Status) bool { return !s.Ended() }) {
		return
	}
	priceID := rapid.SampledFrom(priceIDs).Draw(p.T, "price")
	p.subscribeTo(priceID, rapid.SampledFrom([]int{0, 0, 7}).Draw(p.T, "trial"))
}

func (p *accountPair) subscribeTo(priceID string, trial int) {
	price := audPrice(priceID)
	amount, err := testPrices{}.Price(price)
	require.NoError(p, err)
	s, err := p.provider.Subscribe(p.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: p.customerID, Price: price, TrialDays: trial,
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
	p.addCreditOf(rapid.SampledFrom([]int64{10, 3900, 50_000}).Draw(p.T, "amount"))
}

func (p *accountPair) addCreditOf(minor int64) {
	amount := aud(p.test, minor)
	_, err := p.provider.AddCredit(p.Context(), payment.CreditGrant{Key: newKey(), CustomerID: p.customerID, Amount: amount})
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
	err := p.account.Pay(engine.PayRequest{Invoice: inv.ID, Amount: inv.AmountRemaining(), SubscriptionEnded: isEnded, Source: p.defaultSource()})
	lastAttempt := p.account.LatestAttempt(inv.ID)
	if err != nil && lastAttempt.HardDecline {
		return
	}
	latestInvoice := getSubscription(p.test, p.provider, s.ID).LatestInvoice
	_, providerErr := p.provider.PayInvoice(p.Context(), payment.InvoicePayment{
		Key: newKey(), InvoiceID: latestInvoice.ID, Amount: latestInvoice.AmountRemaining(), Ended: isEnded,
	})
	p.requireSameResult(providerErr, err)
}

// changePlan changes the price, unless the payment could arrive after the period, because the account refuses such a change.
func (p *accountPair) changePlan() {
	s := p.drawSubscription()
	if p.clock.now.Add(3 * day).After(s.PeriodEnd) {
		return
	}
	priceID := rapid.SampledFrom(priceIDs).Draw(p.T, "price")
	timings := []billing.ChangeTiming{billing.ChangeNow, billing.ChangeNow, billing.ChangeAtRenewal}
	p.changePlanTo(s, priceID, rapid.SampledFrom(timings).Draw(p.T, "when"))
}

func (p *accountPair) changePlanTo(s engine.AccountSubscription, priceID string, when billing.ChangeTiming) {
	price := audPrice(priceID)
	amount, err := testPrices{}.Price(price)
	require.NoError(p, err)
	isTrial := s.Status == billing.Trialing
	_, err = p.provider.ChangePlan(p.Context(), payment.PriceChange{
		Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: price, EndTrial: isTrial, When: when,
	})
	p.requireSameResult(err, p.account.ChangePrice(engine.ChangeRequest{
		Subscription: s.ID, From: s.Price, To: price, Amount: amount.Minor(), EndTrial: isTrial,
		AtRenewal: when == billing.ChangeAtRenewal,
		Source:    p.defaultSource(),
	}))
}

func (p *accountPair) setEndAtPeriodEnd() {
	s, ending := p.drawSubscription(), rapid.Bool().Draw(p.T, "ending")
	_, err := p.provider.SetEndAtPeriodEnd(p.Context(), payment.EndRequest{Key: newKey(), SubscriptionID: s.ID, End: ending})
	p.requireSameResult(err, p.account.SetEndAtPeriodEnd(s.ID, ending))
}

func (p *accountPair) cancel() {
	s := p.drawSubscription()
	p.cancelSubscription(s, rapid.Bool().Draw(p.T, "void"))
}

func (p *accountPair) cancelSubscription(s engine.AccountSubscription, void bool) {
	req := payment.Cancellation{Key: newKey(), SubscriptionID: s.ID, VoidInvoices: void}
	_, err := p.provider.CancelSubscription(p.Context(), req)
	if !req.LeavesUnchanged(s.Status) {
		p.requireSameResult(err, p.account.End(s.ID, void))
	}
}

func (p *accountPair) refund() {
	s := p.drawSubscription()
	inv := p.account.Invoice(s.LatestInvoice)
	amount := aud(p.test, rapid.SampledFrom([]int64{1, 1000, max(1, inv.AmountPaid)}).Draw(p.T, "amount"))
	latestInvoice := getSubscription(p.test, p.provider, s.ID).LatestInvoice
	_, providerErr := p.provider.Refund(p.Context(), payment.RefundRequest{
		Key: newKey(), InvoiceID: latestInvoice.ID, Amount: amount,
	})
	_, err := p.account.RequestRefund(newKey(), inv.ID, amount)
	p.requireSameResult(providerErr, err)
}

func (p *accountPair) extendTrial() {
	s := p.drawSubscription()
	until := s.TrialEnd.Add(5 * day)
	_, err := p.provider.ExtendTrial(p.Context(), payment.TrialExtension{Key: newKey(), SubscriptionID: s.ID, Until: until})
	p.requireSameResult(err, p.account.ExtendTrial(s.ID, until))
}

func (p *accountPair) cancelScheduledChange() {
	s := p.drawSubscription()
	_, err := p.provider.CancelScheduledChange(p.Context(), payment.ScheduledChangeCancellation{Key: newKey(), SubscriptionID: s.ID})
	p.requireSameResult(err, p.account.CancelScheduledChange(s.ID))
}

func (p *accountPair) cancelPendingChange() {
	s := p.drawSubscription()
	if s.Pending.Invoice == "" {
		return
	}
	pendingChange := getSubscription(p.test, p.provider, s.ID).Pending
	_, err := p.provider.CancelPendingChange(p.Context(), payment.PendingChangeCancellation{
		Key: newKey(), SubscriptionID: s.ID, InvoiceID: pendingChange.InvoiceID,
	})
	p.requireSameResult(err, p.account.CancelPendingChange(s.ID, s.Pending.Invoice))
}

func (p *accountPair) liftHold() {
	_, err := p.provider.LiftHold(p.Context(), payment.HoldLift{Key: newKey(), CustomerID: p.customerID})
	require.NoError(p, err)
	p.account.LiftHold()
}
