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

// newChargedAccount returns an account whose invoices are charged, with a saved card, which is the default method, and a
// saved bank account. Its attempts are key_1, key_2 and so on.
func newChargedAccount() *engine.Account {
	a := newAccount()
	n := 0
	a.NewKey = func() string { n++; return fmt.Sprintf("key_%d", n) }
	a.Terms = engine.Terms{Prefix: "INV-", Charging: &engine.Charging{
		Minimum: engine.MinimumCharge, Settlement: 3 * day, OffSession: true, Retries: map[billing.MethodKind]int{billing.BankDebitMethod: 1},
		KeyRetention: day, LongestRequest: time.Minute,
	}}
	a.Methods = []engine.AccountMethod{savedCard, savedDebit}
	a.DefaultMethod = savedCard.Ref
	return a
}

var (
	savedCard  = engine.AccountMethod{Ref: "card", Details: billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242"}}}
	savedDebit = engine.AccountMethod{Ref: "debit", Details: billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819"}}
	page       = engine.Source{ReturnTo: "https://example.com/pay"}
	withToken  = engine.Source{Token: "token"}
)

type commands = []func(*engine.Account) error

// order buys the subscription sub.
func order(trialDays int, src engine.Source) func(*engine.Account) error {
	return func(a *engine.Account) error {
		return a.Subscribe(engine.Order{ID: "sub", Price: monthly, Amount: prices[monthly], TrialDays: trialDays, Source: src})
	}
}

func withMethod(ref string) engine.Source { return engine.Source{Method: ref} }

// sent sends what is due, and reports the state of all of it.
func sent(state engine.AttemptState) func(*engine.Account) error {
	return sentWith(engine.Report{State: state})
}

func sentWith(r engine.Report) func(*engine.Account) error {
	return func(a *engine.Account) error {
		due := a.Due().Send
		if len(due) == 0 {
			return fault.New(fault.Internal, "Nothing is due.")
		}
		for _, at := range due {
			if _, err := a.Claim(at.Key, a.Now, a.Now.Add(15*time.Second)); err != nil {
				return err
			}
			if r.State == "" {
				continue
			}
			if err := a.Report(at.Key, r); err != nil {
				return err
			}
		}
		return nil
	}
}

// claimed sends what is due, and the outcome is not known.
func claimed(a *engine.Account) error { return sentWith(engine.Report{})(a) }

// reported reports the state of the latest attempt.
func reported(state engine.AttemptState) func(*engine.Account) error {
	return reportedWith(engine.Report{State: state})
}

func reportedWith(r engine.Report) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.Report(a.Attempts[0].Key, r) }
}

// firstReported reports the state of the first attempt.
func firstReported(state engine.AttemptState) func(*engine.Account) error {
	return firstReportedWith(engine.Report{State: state})
}

func firstReportedWith(r engine.Report) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.Report("key_1", r) }
}

func wait(d time.Duration) func(*engine.Account) error {
	return func(a *engine.Account) error { a.Advance(a.Now.Add(d)); return nil }
}

func toRenewal(a *engine.Account) error { a.Advance(a.Subscriptions[0].PeriodEnd); return nil }

func payWith(src engine.Source) func(*engine.Account) error {
	return func(a *engine.Account) error {
		inv := a.Invoices[0]
		s, err := a.Subscription(inv.Subscription)
		if err != nil {
			return err
		}
		return a.Pay(engine.InvoicePayment{Invoice: inv.ID, Amount: inv.Balance(), Ended: s.Status.Ended(), Source: src})
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

func debitIsDefault(a *engine.Account) error { return a.SetDefaultMethod(savedDebit.Ref) }

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

// describeCharges returns what describe does, with the hold and the states of the attempts, oldest first.
func describeCharges(a *engine.Account) string {
	text := describe(a)
	if a.Hold != "" {
		text += fmt.Sprintf("; %s %d", a.Hold, a.HeldCredit)
	}
	var states []string
	for _, at := range slices.Backward(a.Attempts) {
		states = append(states, string(at.State))
	}
	return text + "; " + strings.Join(states, "/")
}

// bought is a paid subscription, and more commands.
func bought(more ...func(*engine.Account) error) commands {
	return slices.Concat(commands{order(0, withMethod("card")), sent(engine.AttemptPaid)}, more)
}

// renewed is a subscription whose renewal is due, and more commands.
func renewed(more ...func(*engine.Account) error) commands {
	return bought(slices.Concat(commands{toRenewal}, more)...)
}

func TestCharges_Commands(t *testing.T) {
	declined := sent(engine.AttemptFailed)
	hardDecline := sentWith(engine.Report{State: engine.AttemptFailed, Decline: engine.HardDecline})
	needsCustomer := sentWith(engine.Report{State: engine.AttemptFailed, Decline: engine.CustomerNeeded})
	pendingMandate := engine.AccountMethod{Ref: "mandate", Details: savedDebit.Details, Pending: true}
	activeMandate := engine.AccountMethod{Ref: "mandate", Details: savedDebit.Details}
	trialWithMandate := commands{order(7, withToken), sent(engine.AttemptOpen), reportedWith(engine.Report{State: engine.AttemptPaid, Method: &pendingMandate})}
	for name, tt := range map[string]struct {
		do   commands
		want string
	}{
		"a paid purchase is active":                           {bought(), "active standard_monthly; credit 0; paid 3900 of 3900; paid"},
		"a declined purchase waits":                           {commands{order(0, withMethod("card")), declined}, "incomplete standard_monthly; credit 0; open 0 of 3900; failed"},
		"a declined purchase expires":                         {commands{order(0, withMethod("card")), declined, wait(23 * time.Hour)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; failed"},
		"another card pays it":                                {commands{order(0, withMethod("card")), hardDecline, payWith(withMethod("debit")), sent(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; failed/paid"},
		"what is not sent does not end":                       {commands{order(0, withMethod("card")), wait(5 * day)}, "incomplete standard_monthly; credit 0; open 0 of 3900; stored"},
		"what may be sent does not end":                       {commands{order(0, withMethod("card")), claimed, wait(5 * day)}, "incomplete standard_monthly; credit 0; open 0 of 3900; claimed"},
		"a debit is paid after days":                          {commands{order(0, withMethod("debit")), sent(engine.AttemptProcessing), wait(3 * day), reported(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; paid"},
		"a late failure leaves 23 hours":                      {commands{order(0, withMethod("debit")), sent(engine.AttemptProcessing), wait(3 * day), reported(engine.AttemptFailed), wait(22 * time.Hour)}, "incomplete standard_monthly; credit 0; open 0 of 3900; failed"},
		"a purchase expires 23 hours after a late failure":    {commands{order(0, withMethod("debit")), sent(engine.AttemptProcessing), wait(3 * day), reported(engine.AttemptFailed), wait(23 * time.Hour)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; failed"},
		"an expired page is canceled":                         {commands{order(0, page), sent(engine.AttemptOpen), wait(23 * time.Hour)}, "incomplete standard_monthly; credit 0; open 0 of 3900; canceling"},
		"a purchase expires when its page is canceled":        {commands{order(0, page), sent(engine.AttemptOpen), wait(23 * time.Hour), reported(engine.AttemptCanceled)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled"},
		"a page that is paid before it is canceled":           {commands{order(0, page), sent(engine.AttemptOpen), wait(23 * time.Hour), reported(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; paid"},
		"money that comes late is credit":                     {commands{order(0, page), sent(engine.AttemptOpen), wait(23 * time.Hour), reported(engine.AttemptCanceled), reported(engine.AttemptPaid)}, "incomplete_expired standard_monthly; credit 3900; void 0 of 3900; paid"},
		"the same page is offered":                            {commands{order(0, page), sent(engine.AttemptOpen), payWith(page)}, "incomplete standard_monthly; credit 0; open 0 of 3900; open"},
		"another method cancels the page":                     {commands{order(0, page), sent(engine.AttemptOpen), payWith(withMethod("card"))}, "incomplete standard_monthly; credit 0; open 0 of 3900; canceling/stored"},
		"another method is charged when the page is canceled": {commands{order(0, page), sent(engine.AttemptOpen), payWith(withMethod("card")), firstReported(engine.AttemptCanceled), sent(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; canceled/paid"},
		"another method is not charged if the page was paid":  {commands{order(0, page), sent(engine.AttemptOpen), payWith(withMethod("card")), firstReported(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; paid/canceled"},

		"a renewal is charged":                             {renewed(sent(engine.AttemptPaid)), "active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/paid"},
		"a renewal that is not sent waits":                 {renewed(wait(400 * day)), "active standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/stored"},
		"a declined renewal is past due":                   {renewed(declined), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed"},
		"a declined renewal is charged again after 3 days": {renewed(declined, wait(3*day)), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/stored"},
		"the last declined retry ends the plan":            {renewed(declined, wait(3*day), declined, wait(5*day), declined, wait(7*day), declined), "canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed/failed/failed/failed"},
		"an authentication at the last retry ends the plan": {
			renewed(declined, wait(3*day), declined, wait(5*day), declined, wait(7*day), sent(engine.AttemptOpen), reported(engine.AttemptCanceled)),
			"canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed/failed/failed/canceled",
		},
		"a method is not charged after a hard decline": {renewed(hardDecline, wait(14*day)), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed"},
		"the plan ends when the retries would":         {renewed(hardDecline, wait(15*day)), "canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed"},
		"a retry charges the new default method":       {renewed(hardDecline, debitIsDefault, wait(3*day), sent(engine.AttemptPaid)), "active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid"},
		"only the customer can authenticate":           {renewed(needsCustomer, wait(3*day), payWith(withMethod("card")), sent(engine.AttemptPaid)), "active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid"},
		"a bank account is charged again once": {
			bought(debitIsDefault, toRenewal, declined, wait(3*day), declined, wait(11*day)),
			"past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed/failed",
		},
		"a renewal without a method is past due": {
			bought(func(a *engine.Account) error { return a.RemoveMethod("card") }, toRenewal), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid",
		},
		"a renewal is not charged off session": {
			bought(func(a *engine.Account) error { a.Terms.Charging.OffSession = false; return nil }, toRenewal), "past_due standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid",
		},
		"a renewal waits for a debit that takes long": {
			bought(debitIsDefault, toRenewal, sent(engine.AttemptProcessing), wait(35*day), reported(engine.AttemptPaid)),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; open 0 of 3900; paid/paid/stored",
		},

		"a trial with a saved method":               {commands{order(7, withMethod("card"))}, "trialing standard_monthly; credit 0; paid 0 of 0; "},
		"a trial saves a method":                    {commands{order(7, withToken)}, "trialing standard_monthly; credit 0; paid 0 of 0; stored"},
		"a trial continues if that fails":           {commands{order(7, withToken), declined, wait(6 * day)}, "trialing standard_monthly; credit 0; paid 0 of 0; failed"},
		"a trial without a method":                  {commands{order(7, page)}, "trialing standard_monthly; credit 0; paid 0 of 0; "},
		"the end of a trial is charged":             {commands{order(7, withMethod("debit")), wait(7 * day), sent(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 0 of 0; paid 3900 of 3900; paid"},
		"a pending mandate delays the charge":       {slices.Concat(trialWithMandate, commands{wait(30 * day)}), "active standard_monthly; credit 0; paid 0 of 0; open 0 of 3900; processing/stored"},
		"a mandate that becomes active is charged":  {slices.Concat(trialWithMandate, commands{wait(9 * day), firstReportedWith(engine.Report{State: engine.AttemptPaid, Method: &activeMandate}), sent(engine.AttemptPaid)}), "active standard_monthly; credit 0; paid 0 of 0; paid 3900 of 3900; paid/paid"},
		"a refused mandate makes the plan past due": {slices.Concat(trialWithMandate, commands{wait(9 * day), firstReported(engine.AttemptFailed)}), "past_due standard_monthly; credit 0; paid 0 of 0; open 0 of 3900; failed/failed"},

		"a change waits for its payment":                 {bought(changeNow(dearMonthly, withMethod("card"))), "active standard_monthly pending professional_monthly; credit 0; paid 3900 of 3900; open 0 of 3700; paid/stored"},
		"a paid change":                                  {bought(changeNow(dearMonthly, withMethod("card")), sent(engine.AttemptPaid)), "active professional_monthly; credit 0; paid 3900 of 3900; paid 3700 of 3700; paid/paid"},
		"a declined change is dropped":                   {bought(changeNow(dearMonthly, withMethod("card")), declined, wait(23*time.Hour)), "active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; paid/failed"},
		"a cheaper price makes credit":                   {bought(changeNow(yearly, withMethod("card")), sent(engine.AttemptPaid), changeNow(monthly, page)), "active standard_monthly; credit 38100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid/paid"},
		"credit pays a change":                           {bought(credited(9000), changeNow(dearMonthly, page)), "active professional_monthly; credit 5300; paid 3900 of 3900; paid 0 of 0; paid"},
		"a new card is saved though nothing is due":      {commands{credited(9000), order(0, engine.Source{Token: "token"})}, "active standard_monthly; credit 5100; paid 0 of 0; stored"},
		"a small amount is carried over":                 {bought(credited(3660), changeNow(dearMonthly, page)), "active professional_monthly; credit -40; paid 3900 of 3900; paid 0 of 0; paid"},
		"a change with a page is dropped":                {bought(changeNow(dearMonthly, page), sent(engine.AttemptOpen), dropPending, reported(engine.AttemptCanceled)), "active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; paid/canceled"},
		"a dropped change is made if its page was paid":  {bought(changeNow(dearMonthly, page), sent(engine.AttemptOpen), dropPending, reported(engine.AttemptPaid)), "active professional_monthly; credit 0; paid 3900 of 3900; paid 3700 of 3700; paid/paid"},
		"a renewal waits for a change":                   {bought(changeNow(dearMonthly, withMethod("debit")), sent(engine.AttemptProcessing), wait(40*day)), "active standard_monthly pending professional_monthly; credit 0; paid 3900 of 3900; open 0 of 3700; paid/processing"},
		"a renewal follows the late failure of a change": {bought(changeNow(dearMonthly, withMethod("debit")), sent(engine.AttemptProcessing), wait(40*day), reported(engine.AttemptFailed)), "active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3700; open 0 of 3900; paid/failed/stored"},

		"an order is withdrawn":                        {commands{order(0, withMethod("card")), endNow(false)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled"},
		"an open order is canceled first":              {commands{order(0, page), sent(engine.AttemptOpen), endNow(false)}, "incomplete standard_monthly; credit 0; open 0 of 3900; canceling"},
		"an order ends when its page is canceled":      {commands{order(0, page), sent(engine.AttemptOpen), endNow(false), reported(engine.AttemptCanceled)}, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; canceled"},
		"an order that is paid meanwhile does not end": {commands{order(0, page), sent(engine.AttemptOpen), endNow(false), reported(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; paid"},
		"a renewal on its way stays owed":              {bought(debitIsDefault, toRenewal, sent(engine.AttemptProcessing), endNow(false)), "canceled standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/processing"},
		"a renewal on its way is paid after the end":   {bought(debitIsDefault, toRenewal, sent(engine.AttemptProcessing), endNow(false), reported(engine.AttemptPaid)), "canceled standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/paid"},
		"an overdue plan ends and stays owed":          {renewed(declined, endNow(false)), "canceled standard_monthly; credit 0; paid 3900 of 3900; open 0 of 3900; paid/failed"},
		"what is owed is paid after the end":           {renewed(declined, endNow(false), payWith(withMethod("card")), sent(engine.AttemptPaid)), "canceled standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; paid/failed/paid"},
		"an overdue plan ends and is not owed":         {renewed(declined, endNow(true)), "canceled standard_monthly; credit 0; paid 3900 of 3900; void 0 of 3900; paid/failed"},

		"a returned debit is past due":                      {commands{order(0, withMethod("debit")), sent(engine.AttemptPaid), wait(10 * day), reported(engine.AttemptReturned)}, "past_due standard_monthly; credit 0; open 0 of 3900; returned"},
		"a returned debit is not charged again":             {commands{order(0, withMethod("debit")), sent(engine.AttemptPaid), wait(10 * day), reported(engine.AttemptReturned), wait(14 * day)}, "past_due standard_monthly; credit 0; open 0 of 3900; returned"},
		"a returned debit ends the plan after 15 days":      {commands{order(0, withMethod("debit")), sent(engine.AttemptPaid), wait(10 * day), reported(engine.AttemptReturned), wait(15 * day)}, "canceled standard_monthly; credit 0; void 0 of 3900; returned"},
		"the customer pays a returned debit again":          {commands{order(0, withMethod("debit")), sent(engine.AttemptPaid), wait(10 * day), reported(engine.AttemptReturned), payWith(withMethod("card")), sent(engine.AttemptPaid)}, "active standard_monthly; credit 0; paid 3900 of 3900; returned/paid"},
		"a chargeback is a hold":                            {bought(credited(1000), reported(engine.AttemptReturned)), "active standard_monthly; credit 0; paid 3900 of 3900; disputed 0; returned"},
		"credit is set aside":                               {bought(credited(9000), reported(engine.AttemptReturned)), "active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; returned"},
		"a return of an older period":                       {bought(debitIsDefault, toRenewal, sent(engine.AttemptPaid), firstReported(engine.AttemptReturned)), "active standard_monthly; credit 0; paid 3900 of 3900; paid 3900 of 3900; disputed 0; returned/paid"},
		"a hold drops a change":                             {bought(changeNow(yearly, withMethod("card")), declined, firstReported(engine.AttemptReturned)), "active standard_monthly; credit 0; paid 3900 of 3900; void 0 of 38100; disputed 0; returned/failed"},
		"a hold keeps a change whose payment is on its way": {bought(changeNow(yearly, withMethod("card")), sent(engine.AttemptProcessing), firstReported(engine.AttemptReturned)), "active standard_monthly pending standard_yearly; credit 0; paid 3900 of 3900; open 0 of 38100; disputed 0; returned/processing"},
		"a lifted hold gives credit back":                   {bought(credited(9000), reported(engine.AttemptReturned), func(a *engine.Account) error { a.LiftHold(); return nil }), "active standard_monthly; credit 5100; paid 3900 of 3900; returned"},

		"a refund withdraws credit":     {bought(credited(1000), requestRefund(900)), "active standard_monthly; credit 100; paid 3900 of 3900; paid"},
		"a failed refund gives it back": {bought(credited(1000), requestRefund(900), refundReported(engine.AttemptFailed)), "active standard_monthly; credit 1000; paid 3900 of 3900; paid"},
		"a cheaper price does not credit what was refunded": {
			bought(changeNow(yearly, withMethod("card")), sent(engine.AttemptPaid), requestRefund(1000), changeNow(monthly, page)),
			"active standard_monthly; credit 37100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid/paid",
		},
		"what was refunded is deducted once": {
			bought(changeNow(yearly, withMethod("card")), sent(engine.AttemptPaid), requestRefund(1000), changeNow(monthly, page), credited(1000), changeNow(yearly, page), changeNow(monthly, page)),
			"active standard_monthly; credit 38100; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid 0 of 0; paid 0 of 0; paid/paid",
		},
		"a cheaper price credits all after a renewal": {
			bought(requestRefund(1000), toRenewal, sent(engine.AttemptPaid), changeNow(yearly, withMethod("card")), sent(engine.AttemptPaid), changeNow(monthly, page)),
			"active standard_monthly; credit 38100; paid 3900 of 3900; paid 3900 of 3900; paid 38100 of 38100; paid 0 of 0; paid/paid/paid",
		},
		"a refund by hand": {
			bought(credited(1000), reportedWith(engine.Report{State: engine.AttemptPaid, Refunds: []engine.ReportedRefund{{Ref: "re_1", Amount: 900, State: engine.AttemptPaid}}})),
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

func credited(minor int64) func(*engine.Account) error {
	return func(a *engine.Account) error { return a.AddCredit(aud(minor)) }
}

func dropPending(a *engine.Account) error { return a.DropPendingChange("sub", a.Invoices[0].ID) }

func refundReported(state engine.AttemptState) func(*engine.Account) error {
	return func(a *engine.Account) error {
		return a.ReportRefund(engine.ReportedRefund{Key: "refund", Ref: "re_1", Amount: 900, State: state})
	}
}

func TestCharges_Refuses(t *testing.T) {
	chargeback := reported(engine.AttemptReturned)
	for name, tt := range map[string]struct {
		before commands
		do     func(*engine.Account) error
		want   fault.Code
	}{
		"an unknown method":                            {nil, order(0, withMethod("other")), fault.NotFound},
		"a purchase on hold":                           {bought(chargeback), order(0, withMethod("card")), fault.Conflict},
		"a change on hold":                             {bought(chargeback), changeNow(yearly, withMethod("card")), fault.Conflict},
		"credit on hold":                               {bought(chargeback), credited(1000), fault.Conflict},
		"a change that settles after the period":       {bought(wait(29 * day)), changeNow(yearly, withMethod("card")), fault.Conflict},
		"another payment while one is not sent":        {commands{order(0, withMethod("card"))}, payWith(withMethod("debit")), fault.Conflict},
		"another payment while one may be sent":        {commands{order(0, withMethod("card")), claimed}, payWith(withMethod("debit")), fault.Conflict},
		"another payment while one is on its way":      {commands{order(0, withMethod("card")), sent(engine.AttemptProcessing)}, payWith(page), fault.Conflict},
		"the same card after a hard decline":           {commands{order(0, withMethod("card")), sentWith(engine.Report{State: engine.AttemptFailed, Decline: engine.HardDecline})}, payWith(withMethod("card")), fault.Conflict},
		"another amount":                               {commands{order(0, withMethod("card")), sent(engine.AttemptFailed)}, func(a *engine.Account) error { return a.Pay(engine.InvoicePayment{Invoice: "in_1", Amount: 1}) }, fault.Conflict},
		"an unknown invoice":                           {bought(), func(a *engine.Account) error { return a.Pay(engine.InvoicePayment{Invoice: "in_9"}) }, fault.NotFound},
		"an end while the first payment may be sent":   {commands{order(0, withMethod("card")), claimed}, endNow(false), fault.Conflict},
		"an end while the first payment is on its way": {commands{order(0, withMethod("card")), sent(engine.AttemptProcessing)}, endNow(false), fault.Conflict},
		"to void a renewal that is on its way":         {renewed(sent(engine.AttemptProcessing)), endNow(true), fault.Conflict},
		"to drop a change that is on its way":          {bought(changeNow(yearly, withMethod("card")), sent(engine.AttemptProcessing)), dropPending, fault.Conflict},
		"to void what is on its way":                   {commands{order(0, withMethod("card")), sent(engine.AttemptProcessing)}, func(a *engine.Account) error { return a.Void("in_1") }, fault.Conflict},
		"a refund of more than was paid":               {bought(), requestRefund(3901), fault.Conflict},
		"a refund of what a bank has returned":         {bought(chargeback), requestRefund(1), fault.Conflict},
		"a refund of what credit has paid":             {commands{credited(9000), order(0, page)}, requestRefund(1), fault.Conflict},
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
