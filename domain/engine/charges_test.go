package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// newChargedAccount returns an account whose invoices are charged. It has a saved card, which is the default method, and a
// saved bank account. The keys of its attempts are key_1, key_2 and so on.
func newChargedAccount() *engine.Account {
	a := newAccount()
	n := 0
	a.NewKey = func() string { n++; return fmt.Sprintf("key_%d", n) }
	a.Terms = engine.Terms{NumberPrefix: "INV-", Charging: &engine.Charging{
		Minimum: engine.MinimumCharge, SettlementTime: 3 * day, OffSession: true, RetryLimits: map[billing.MethodKind]int{billing.BankDebitMethod: 1},
		KeyRetention: day, LongestRequest: time.Minute,
	}}
	a.Methods = []engine.AccountMethod{savedCard, savedDebit}
	a.DefaultMethod = savedCard.Ref
	return a
}

var (
	savedCard   = engine.AccountMethod{Ref: "card", Details: billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242"}}}
	savedDebit  = engine.AccountMethod{Ref: "debit", Details: billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819"}}
	pageSource  = engine.Source{ReturnTo: "https://example.com/pay"}
	tokenSource = engine.Source{Token: "token"}
)

// buy returns the purchase of the subscription sub.
func buy(trialDays int, src engine.Source) func(*engine.Account) error {
	return func(a *engine.Account) error {
		return a.Subscribe(engine.Order{ID: "sub", Price: monthly, Amount: prices[monthly], TrialDays: trialDays, Source: src})
	}
}

func methodSource(ref string) engine.Source { return engine.Source{Method: ref} }

// send sends all due attempts and reports that they are in the state.
func send(state engine.AttemptState) func(*engine.Account) error {
	return sendAndReport(engine.Report{State: state})
}

// sendAndReport sends all due attempts and reports them. It reports nothing if the state is "".
func sendAndReport(r engine.Report) func(*engine.Account) error {
	return func(a *engine.Account) error {
		due := a.Due().Send
		if len(due) == 0 {
			return fault.New(fault.Internal, "Nothing is due.")
		}
		for _, attempt := range due {
			if _, err := a.Claim(attempt.Key, a.Now, a.Now.Add(15*time.Second)); err != nil {
				return err
			}
			if r.State == "" {
				continue
			}
			if err := a.Report(attempt.Key, r); err != nil {
				return err
			}
		}
		return nil
	}
}

// sendWithoutReport sends all due attempts, whose outcome stays unknown.
func sendWithoutReport(a *engine.Account) error { return sendAndReport(engine.Report{})(a) }

// report reports the state of the latest attempt.
func report(state engine.AttemptState) func(*engine.Account) error {
	return reportAll(engine.Report{State: state})
}

func reportAll(r engine.Report) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.Report(a.Attempts[0].Key, r) }
}

// reportFirst reports the state of the first attempt.
func reportFirst(state engine.AttemptState) func(*engine.Account) error {
	return reportAllOfFirst(engine.Report{State: state})
}

func reportAllOfFirst(r engine.Report) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.Report("key_1", r) }
}

func advance(d time.Duration) func(*engine.Account) error {
	return func(a *engine.Account) error { a.Advance(a.Now.Add(d)); return nil }
}

func advanceToRenewal(a *engine.Account) error { a.Advance(a.Subscriptions[0].PeriodEnd); return nil }

func pay(src engine.Source) func(*engine.Account) error {
	return func(a *engine.Account) error {
		inv := a.Invoices[0]
		s, err := a.Subscription(inv.Subscription)
		if err != nil {
			return err
		}
		return a.Pay(engine.InvoicePayment{Invoice: inv.ID, Amount: inv.Balance(), SubscriptionEnded: s.Status.Ended(), Source: src})
	}
}

func changeNow(price catalogue.PriceRef, src engine.Source) func(*engine.Account) error {
	return func(a *engine.Account) error {
		s := a.Subscriptions[0]
		return a.ChangePrice(engine.ChangeOrder{
			Subscription: s.ID, From: s.Price, To: price, Amount: prices[price], EndTrial: s.Status == billing.Trialing, Source: src,
		})
	}
}

func makeDebitDefault(a *engine.Account) error { return a.SetDefaultMethod(savedDebit.Ref) }

func requestRefund(minor int64) func(*engine.Account) error {
	return func(a *engine.Account) error {
		_, err := a.RequestRefund("refund", a.Invoices[0].ID, aud(minor))
		return err
	}
}

func aud(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err)
	}
	return amount
}

// describeCharges returns the text of describe with the hold, and the states of the attempts from the oldest on.
func describeCharges(a *engine.Account) string {
	text := describe(a)
	if a.Hold != "" {
		text += fmt.Sprintf("; %s %d", a.Hold, a.HeldCredit)
	}
	var states []string
	for _, attempt := range slices.Backward(a.Attempts) {
		states = append(states, string(attempt.State))
	}
	return text + "; " + strings.Join(states, "/")
}

// afterPurchase returns the purchase of a paid subscription, followed by more commands.
func afterPurchase(more ...func(*engine.Account) error) commands {
	return slices.Concat(commands{buy(0, methodSource("card")), send(engine.AttemptPaid)}, more)
}

// afterRenewal returns a paid purchase and its renewal, which is billed, followed by more commands.
func afterRenewal(more ...func(*engine.Account) error) commands {
	return afterPurchase(slices.Concat(commands{advanceToRenewal}, more)...)
}

func TestCharges_CommandsLeadToTheExpectedState(t *testing.T) {
	declined := send(engine.AttemptFailed)
	hardDecline := sendAndReport(engine.Report{State: engine.AttemptFailed, Decline: engine.HardDecline})
	needsCustomer := sendAndReport(engine.Report{State: engine.AttemptFailed, Decline: engine.CustomerNeeded})
	pendingMandate := engine.AccountMethod{Ref: "mandate", Details: savedDebit.Details, Pending: true}
	activeMandate := engine.AccountMethod{Ref: "mandate", Details: savedDebit.Details}
	trialWithMandate := commands{buy(7, tokenSource), send(engine.AttemptOpen), reportAll(engine.Report{State: engine.AttemptPaid, Method: &pendingMandate})}
	for name, tt := range map[string]struct {
		do   commands
		want string
	}{
		"a paid purchase is active":                           {afterPurchase(), "active standard_monthly; credit 0; paid 3900 of 3900; paid"},
		"a declined purchase waits":                           {commands{buy(0, methodSource("card")), declined}, "incomplete standard_monthly; credit 0; open 0 of 3900; failed"},
		"a declined purchase expires":                         {commands{buy(0, methodSource("card")), declined, advance(23 * time.Hour)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; failed"},
		"another card pays it":                                {commands{buy(0, methodSource("card")), hardDecline, pay(methodSource("debit")), send(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; failed/paid"},
		"a payment that is not sent does not expire":          {commands{buy(0, methodSource("card")), advance(5 * day)}, "incomplete standard_monthly; credit 0; open 0 of 3900; stored"},
		"a payment with an unknown outcome does not expire":   {commands{buy(0, methodSource("card")), sendWithoutReport, advance(5 * day)}, "incomplete standard_monthly; credit 0; open 0 of 3900; claimed"},
		"a debit is paid after days":                          {commands{buy(0, methodSource("debit")), send(engine.AttemptProcessing), advance(3 * day), report(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; paid"},
		"a late failure leaves 23 hours":                      {commands{buy(0, methodSource("debit")), send(engine.AttemptProcessing), advance(3 * day), report(engine.AttemptFailed), advance(22 * time.Hour)}, "incomplete standard_monthly; credit 0; open 0 of 3900; failed"},
		"a purchase expires 23 hours after a late failure":    {commands{buy(0, methodSource("debit")), send(engine.AttemptProcessing), advance(3 * day), report(engine.AttemptFailed), advance(23 * time.Hour)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; failed"},
		"an expired page is canceled":                         {commands{buy(0, pageSource), send(engine.AttemptOpen), advance(23 * time.Hour)}, "incomplete standard_monthly; credit 0; open 0 of 3900; canceling"},
		"a purchase expires when its page is canceled":        {commands{buy(0, pageSource), send(engine.AttemptOpen), advance(23 * time.Hour), report(engine.AttemptCanceled)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled"},
		"a page paid before it is canceled pays the purchase": {commands{buy(0, pageSource), send(engine.AttemptOpen), advance(23 * time.Hour), report(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; paid"},
		"money after the expiry becomes credit":               {commands{buy(0, pageSource), send(engine.AttemptOpen), advance(23 * time.Hour), report(engine.AttemptCanceled), report(engine.AttemptPaid)}, "incomplete_expired standard_monthly; credit 3900; void 0 of 3900; paid"},
		"the same page is offered":                            {commands{buy(0, pageSource), send(engine.AttemptOpen), pay(pageSource)}, "incomplete standard_monthly; credit 0; open 0 of 3900; open"},
		"another method cancels the page":                     {commands{buy(0, pageSource), send(engine.AttemptOpen), pay(methodSource("card"))}, "incomplete standard_monthly; credit 0; open 0 of 3900; canceling/stored"},
		"another method is charged when the page is canceled": {commands{buy(0, pageSource), send(engine.AttemptOpen), pay(methodSource("card")), reportFirst(engine.AttemptCanceled), send(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; canceled/paid"},
		"another method is not charged if the page was paid":  {commands{buy(0, pageSource), send(engine.AttemptOpen), pay(methodSource("card")), reportFirst(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; paid/canceled"},

		"a renewal is charged":                             {afterRenewal(send(engine.AttemptPaid)), "active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/paid"},
		"a renewal that is not sent waits":                 {afterRenewal(advance(400 * day)), "active standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/stored"},
		"a declined renewal is past due":                   {afterRenewal(declined), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed"},
		"a declined renewal is charged again after 3 days": {afterRenewal(declined, advance(3*day)), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/stored"},
		"the last declined retry ends the plan":            {afterRenewal(declined, advance(3*day), declined, advance(5*day), declined, advance(7*day), declined), "canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed/failed/failed/failed"},
		"a canceled authentication at the last retry ends the plan": {
			afterRenewal(declined, advance(3*day), declined, advance(5*day), declined, advance(7*day), send(engine.AttemptOpen), report(engine.AttemptCanceled)),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed/failed/failed/canceled",
		},
		"a method is not charged after a hard decline": {afterRenewal(hardDecline, advance(14*day)), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed"},
		"a plan without retries ends after 15 days":    {afterRenewal(hardDecline, advance(15*day)), "canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed"},
		"a retry charges the new default method":       {afterRenewal(hardDecline, makeDebitDefault, advance(3*day), send(engine.AttemptPaid)), "active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid"},
		"only the customer can authenticate":           {afterRenewal(needsCustomer, advance(3*day), pay(methodSource("card")), send(engine.AttemptPaid)), "active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid"},
		"a bank account is charged again once": {
			afterPurchase(makeDebitDefault, advanceToRenewal, declined, advance(3*day), declined, advance(11*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/failed",
		},
		"a renewal without a method is past due": {
			afterPurchase(func(a *engine.Account) error { return a.RemoveMethod("card") }, advanceToRenewal), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid",
		},
		"a renewal is not charged off session": {
			afterPurchase(func(a *engine.Account) error { a.Terms.Charging.OffSession = false; return nil }, advanceToRenewal), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid",
		},
		"a renewal waits for a debit that takes long": {
			afterPurchase(makeDebitDefault, advanceToRenewal, send(engine.AttemptProcessing), advance(35*day), report(engine.AttemptPaid)),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; open 0 of 3900; paid/paid/stored",
		},

		"a trial needs no attempt for a saved method":  {commands{buy(7, methodSource("card"))}, "trialing standard_monthly; credit 0; paid 0 of 0; "},
		"a trial saves a method":                       {commands{buy(7, tokenSource)}, "trialing standard_monthly; credit 0; paid 0 of 0; stored"},
		"a trial continues if the method is not saved": {commands{buy(7, tokenSource), declined, advance(6 * day)}, "trialing standard_monthly; credit 0; paid 0 of 0; failed"},
		"a trial starts without a method":              {commands{buy(7, pageSource)}, "trialing standard_monthly; credit 0; paid 0 of 0; "},
		"the end of a trial is charged":                {commands{buy(7, methodSource("debit")), advance(7 * day), send(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 0 of 0; paid 3900 of 3900; paid"},
		"a pending mandate delays the charge":          {slices.Concat(trialWithMandate, commands{advance(30 * day)}), "active standard_monthly; credit 0; paid 0 of 0; open 0 of 3900; processing/stored"},
		"a mandate that becomes active is charged":     {slices.Concat(trialWithMandate, commands{advance(9 * day), reportAllOfFirst(engine.Report{State: engine.AttemptPaid, Method: &activeMandate}), send(engine.AttemptPaid)}), "active standard_monthly; credit 0; paid 0 of 0; paid 3900 of 3900; paid/paid"},
		"a refused mandate makes the plan past due":    {slices.Concat(trialWithMandate, commands{advance(9 * day), reportFirst(engine.AttemptFailed)}), "past_due standard_monthly; credit 0; paid 0 of 0; open 0 of 3900; failed/failed"},

		"a change waits for its payment":                 {afterPurchase(changeNow(dearMonthly, methodSource("card"))), "active standard_monthly pending professional_monthly; credit 0; paid 3900 of 3900; open 0 of 3700; paid/stored"},
		"a paid change is made":                          {afterPurchase(changeNow(dearMonthly, methodSource("card")), send(engine.AttemptPaid)), "active professional_monthly; credit 0; paid 3900 of 3900; paid 3700 of 3700; paid/paid"},
		"a declined change is dropped":                   {afterPurchase(changeNow(dearMonthly, methodSource("card")), declined, advance(23*time.Hour)), "active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; paid/failed"},
		"a cheaper price makes credit":                   {afterPurchase(changeNow(yearly, methodSource("card")), send(engine.AttemptPaid), changeNow(monthly, pageSource)), "active standard_monthly; credit 38100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid/paid"},
		"credit pays a change":                           {afterPurchase(addCredit(9000), changeNow(dearMonthly, pageSource)), "active professional_monthly; credit 5300; paid 3900 of 3900; paid 0 of 0; paid"},
		"a new card is saved though nothing is due":      {commands{addCredit(9000), buy(0, engine.Source{Token: "token"})}, "active standard_monthly; credit 5100; paid 0 of 0; stored"},
		"a small amount is carried over":                 {afterPurchase(addCredit(3660), changeNow(dearMonthly, pageSource)), "active professional_monthly; credit -40; paid 3900 of 3900; paid 0 of 0; paid"},
		"a change with a page is dropped":                {afterPurchase(changeNow(dearMonthly, pageSource), send(engine.AttemptOpen), dropPendingChange, report(engine.AttemptCanceled)), "active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; paid/canceled"},
		"a dropped change is made if its page was paid":  {afterPurchase(changeNow(dearMonthly, pageSource), send(engine.AttemptOpen), dropPendingChange, report(engine.AttemptPaid)), "active professional_monthly; credit 0; paid 3900 of 3900; paid 3700 of 3700; paid/paid"},
		"a renewal waits for a change":                   {afterPurchase(changeNow(dearMonthly, methodSource("debit")), send(engine.AttemptProcessing), advance(40*day)), "active standard_monthly pending professional_monthly; credit 0; paid 3900 of 3900; open 0 of 3700; paid/processing"},
		"a renewal follows the late failure of a change": {afterPurchase(changeNow(dearMonthly, methodSource("debit")), send(engine.AttemptProcessing), advance(40*day), report(engine.AttemptFailed)), "active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; open 0 of 3900; paid/failed/stored"},

		"an order is withdrawn":                        {commands{buy(0, methodSource("card")), endNow(false)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled"},
		"an open order is canceled first":              {commands{buy(0, pageSource), send(engine.AttemptOpen), endNow(false)}, "incomplete standard_monthly; credit 0; open 0 of 3900; canceling"},
		"an order ends when its page is canceled":      {commands{buy(0, pageSource), send(engine.AttemptOpen), endNow(false), report(engine.AttemptCanceled)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled"},
		"an order that is paid meanwhile does not end": {commands{buy(0, pageSource), send(engine.AttemptOpen), endNow(false), report(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; paid"},
		"a renewal on its way stays owed":              {afterPurchase(makeDebitDefault, advanceToRenewal, send(engine.AttemptProcessing), endNow(false)), "canceled standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/processing"},
		"a renewal on its way is paid after the end":   {afterPurchase(makeDebitDefault, advanceToRenewal, send(engine.AttemptProcessing), endNow(false), report(engine.AttemptPaid)), "canceled standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/paid"},
		"an overdue plan ends and stays owed":          {afterRenewal(declined, endNow(false)), "canceled standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed"},
		"an owed invoice is paid after the end":        {afterRenewal(declined, endNow(false), pay(methodSource("card")), send(engine.AttemptPaid)), "canceled standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid"},
		"an overdue plan ends and its invoice is void": {afterRenewal(declined, endNow(true)), "canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed"},

		"a returned debit is past due":                          {commands{buy(0, methodSource("debit")), send(engine.AttemptPaid), advance(10 * day), report(engine.AttemptReturned)}, "past_due standard_monthly; credit 0; open 0 of 3900; returned"},
		"a returned debit is not charged again":                 {commands{buy(0, methodSource("debit")), send(engine.AttemptPaid), advance(10 * day), report(engine.AttemptReturned), advance(14 * day)}, "past_due standard_monthly; credit 0; open 0 of 3900; returned"},
		"a returned debit ends the plan after 15 days":          {commands{buy(0, methodSource("debit")), send(engine.AttemptPaid), advance(10 * day), report(engine.AttemptReturned), advance(15 * day)}, "canceled standard_monthly; credit 0; void 0 of 3900; returned"},
		"the customer pays a returned debit again":              {commands{buy(0, methodSource("debit")), send(engine.AttemptPaid), advance(10 * day), report(engine.AttemptReturned), pay(methodSource("card")), send(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; returned/paid"},
		"a chargeback puts the account on hold":                 {afterPurchase(addCredit(1000), report(engine.AttemptReturned)), "active standard_monthly; credit 0; paid 3900 of 3900; disputed 0; returned"},
		"a chargeback sets credit aside":                        {afterPurchase(addCredit(9000), report(engine.AttemptReturned)), "active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; returned"},
		"a return of an older payment puts the account on hold": {afterPurchase(makeDebitDefault, advanceToRenewal, send(engine.AttemptPaid), reportFirst(engine.AttemptReturned)), "active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; disputed 0; returned/paid"},
		"a hold drops a change":                                 {afterPurchase(changeNow(yearly, methodSource("card")), declined, reportFirst(engine.AttemptReturned)), "active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 38100; disputed 0; returned/failed"},
		"a hold keeps a change whose payment is on its way":     {afterPurchase(changeNow(yearly, methodSource("card")), send(engine.AttemptProcessing), reportFirst(engine.AttemptReturned)), "active standard_monthly pending standard_yearly; credit 0; paid 3900 of 3900; open 0 of 38100; disputed 0; returned/processing"},
		"a lifted hold gives credit back":                       {afterPurchase(addCredit(9000), report(engine.AttemptReturned), func(a *engine.Account) error { a.LiftHold(); return nil }), "active standard_monthly; credit 5100; paid 3900 of 3900; returned"},

		"a refund withdraws credit":     {afterPurchase(addCredit(1000), requestRefund(900)), "active standard_monthly; credit 100; paid 3900 of 3900; paid"},
		"a failed refund gives it back": {afterPurchase(addCredit(1000), requestRefund(900), reportRefund(engine.AttemptFailed)), "active standard_monthly; credit 1000; paid 3900 of 3900; paid"},
		"a cheaper price does not credit what was refunded": {
			afterPurchase(changeNow(yearly, methodSource("card")), send(engine.AttemptPaid), requestRefund(1000), changeNow(monthly, pageSource)),
			"active standard_monthly; credit 37100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid/paid",
		},
		"a refund is deducted from new credit once": {
			afterPurchase(changeNow(yearly, methodSource("card")), send(engine.AttemptPaid), requestRefund(1000), changeNow(monthly, pageSource), addCredit(1000), changeNow(yearly, pageSource), changeNow(monthly, pageSource)),
			"active standard_monthly; credit 38100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid 0 of 0; paid 0 of 0; paid/paid",
		},
		"a cheaper price credits all after a renewal": {
			afterPurchase(requestRefund(1000), advanceToRenewal, send(engine.AttemptPaid), changeNow(yearly, methodSource("card")), send(engine.AttemptPaid), changeNow(monthly, pageSource)),
			"active standard_monthly; credit 38100; paid 3900 of 3900; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid/paid/paid",
		},
		"a manual refund withdraws credit": {
			afterPurchase(addCredit(1000), reportAll(engine.Report{State: engine.AttemptPaid, Refunds: []engine.ReportedRefund{{Ref: "re_1", Amount: 900, State: engine.AttemptPaid}}})),
			"active standard_monthly; credit 100; paid 3900 of 3900; paid",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newChargedAccount()
			for _, command := range tt.do {
				require.NoError(t, command(a))
			}
			assert.Equal(t, tt.want, describeCharges(a))
		})
	}
}

func addCredit(minor int64) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.AddCredit(aud(minor)) }
}

func dropPendingChange(a *engine.Account) error { return a.DropPendingChange("sub", a.Invoices[0].ID) }

func reportRefund(state engine.AttemptState) func(*engine.Account) error {
	return func(a *engine.Account) error {
		return a.ReportRefund(engine.ReportedRefund{Key: "refund", Ref: "re_1", Amount: 900, State: state})
	}
}

func TestCharges_RefusedCommandsChangeNothing(t *testing.T) {
	chargeback := report(engine.AttemptReturned)
	for name, tt := range map[string]struct {
		before commands
		do     func(*engine.Account) error
		want   fault.Code
	}{
		"a purchase with an unknown method":                     {nil, buy(0, methodSource("other")), fault.NotFound},
		"a purchase on hold":                                    {afterPurchase(chargeback), buy(0, methodSource("card")), fault.Conflict},
		"a change on hold":                                      {afterPurchase(chargeback), changeNow(yearly, methodSource("card")), fault.Conflict},
		"credit on hold":                                        {afterPurchase(chargeback), addCredit(1000), fault.Conflict},
		"a change that settles after the period":                {afterPurchase(advance(29 * day)), changeNow(yearly, methodSource("card")), fault.Conflict},
		"another payment while one is not sent":                 {commands{buy(0, methodSource("card"))}, pay(methodSource("debit")), fault.Conflict},
		"another payment while one may be sent":                 {commands{buy(0, methodSource("card")), sendWithoutReport}, pay(methodSource("debit")), fault.Conflict},
		"another payment while one is on its way":               {commands{buy(0, methodSource("card")), send(engine.AttemptProcessing)}, pay(pageSource), fault.Conflict},
		"a payment with the same card after a hard decline":     {commands{buy(0, methodSource("card")), sendAndReport(engine.Report{State: engine.AttemptFailed, Decline: engine.HardDecline})}, pay(methodSource("card")), fault.Conflict},
		"a payment of another amount":                           {commands{buy(0, methodSource("card")), send(engine.AttemptFailed)}, func(a *engine.Account) error { return a.Pay(engine.InvoicePayment{Invoice: "in_1", Amount: 1}) }, fault.Conflict},
		"a payment of an unknown invoice":                       {afterPurchase(), func(a *engine.Account) error { return a.Pay(engine.InvoicePayment{Invoice: "in_9"}) }, fault.NotFound},
		"an end while the first payment may be sent":            {commands{buy(0, methodSource("card")), sendWithoutReport}, endNow(false), fault.Conflict},
		"an end while the first payment is on its way":          {commands{buy(0, methodSource("card")), send(engine.AttemptProcessing)}, endNow(false), fault.Conflict},
		"an end that voids a renewal payment on its way":        {afterRenewal(send(engine.AttemptProcessing)), endNow(true), fault.Conflict},
		"the drop of a change whose payment is on its way":      {afterPurchase(changeNow(yearly, methodSource("card")), send(engine.AttemptProcessing)), dropPendingChange, fault.Conflict},
		"the voiding of an invoice whose payment is on its way": {commands{buy(0, methodSource("card")), send(engine.AttemptProcessing)}, func(a *engine.Account) error { return a.Void("in_1") }, fault.Conflict},
		"a refund of more than was paid":                        {afterPurchase(), requestRefund(3901), fault.Conflict},
		"a refund of a payment that was charged back":           {afterPurchase(chargeback), requestRefund(1), fault.Conflict},
		"a refund of an invoice that credit has paid":           {commands{addCredit(9000), buy(0, pageSource)}, requestRefund(1), fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			a := newChargedAccount()
			for _, command := range tt.before {
				require.NoError(t, command(a))
			}
			before := describeCharges(a)
			assert.Equal(t, tt.want, fault.CodeOf(tt.do(a)))
			assert.Equal(t, before, describeCharges(a))
		})
	}
}
