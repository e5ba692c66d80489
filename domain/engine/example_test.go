package engine_test

import (
	"fmt"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
)

// A customer pays the first invoice, changes to a yearly price, and does not pay for it.
func ExampleAccount() {
	n := 0
	account := &engine.Account{
		Terms: engine.Terms{DueDays: 14, GraceDays: 7}, Approved: true, Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		NewInvoiceID: func() string { n++; return fmt.Sprintf("in_%d", n) },
	}
	monthly := catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	yearly := catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"}
	show := func(err error) {
		s, inv := account.Subscriptions[0], account.Invoices[0]
		fmt.Println(s.Status, s.Price.PriceID(), "invoice:", inv.Status, inv.AmountRemaining(), err)
	}

	show(account.Subscribe(engine.SubscribeRequest{ID: "sub_1", Price: monthly, Amount: 3900}))
	account.RecordPayment("in_1", 3900)
	show(account.ChangePrice(engine.ChangeRequest{Subscription: "sub_1", From: monthly, To: yearly, Amount: 42000}))
	account.Advance(account.NextWorkAt())
	show(nil)
	// Output:
	// active standard_monthly invoice: open 3900 <nil>
	// active standard_monthly invoice: open 38100 <nil>
	// active standard_monthly invoice: void 38100 <nil>
}

// A customer buys a plan on the provider's page and pays with a bank account. The money arrives after three days.
func ExampleAccount_Outbox() {
	account := &engine.Account{
		Terms:        engine.Terms{ChargeTerms: &engine.ChargeTerms{SettlementTime: 3 * 24 * time.Hour, OffSession: true}},
		Now:          time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		NewInvoiceID: func() string { return "in_1" }, NewKey: func() string { return "key_1" },
	}
	monthly := catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	report := func(r engine.PaymentReport) {
		err := account.ReportPayment("key_1", r)
		fmt.Println(r.State, account.Subscriptions[0].Status, account.Invoices[0].Status, account.DefaultMethod, err)
	}

	page := engine.Source{ReturnTo: "https://example.com/billing"}
	_ = account.Subscribe(engine.SubscribeRequest{ID: "sub_1", Price: monthly, Amount: 3900, Source: page})
	for _, attempt := range account.Outbox().Send {
		attempt, err := account.Claim(attempt.Key, account.Now, account.Now.Add(15*time.Second))
		fmt.Println("send", attempt.Key, attempt.Amount, attempt.Currency, err) // outside of a transaction
	}
	report(engine.PaymentReport{State: engine.AttemptOpen})
	debit := &engine.AccountMethod{Ref: "mandate_1"}
	report(engine.PaymentReport{State: engine.AttemptProcessing, Method: debit, ExpectedBy: account.Now.AddDate(0, 0, 3)})
	account.Advance(account.NextWorkAt())
	report(engine.PaymentReport{State: engine.AttemptPaid, Method: debit})
	// Output:
	// send key_1 3900 AUD <nil>
	// open incomplete open  <nil>
	// processing incomplete open mandate_1 <nil>
	// paid active paid mandate_1 <nil>
}

// A server stops after it has sent a payment. Another server sends the same request again, and the customer pays once.
func ExampleAttempt() {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	attempt := engine.Attempt{Key: "key_1", Invoice: "in_1", Method: "mandate_1", Amount: 3900, State: engine.AttemptStored}

	attempt, err := attempt.Claim(now, now.Add(20*time.Second)) // then the server sends it, and stops
	fmt.Println(attempt.State, err)
	fmt.Println("another payment:", attempt.CheckNextAttempt("mandate_1", true) == nil)

	attempt, err = attempt.Claim(now.Add(time.Minute), now.Add(80*time.Second)) // another server sends it with the same key
	fmt.Println(attempt.State, err)
	attempt = attempt.AdvanceTo(engine.AttemptProcessing)
	fmt.Println(attempt.State, "retries wait:", attempt.DelaysNextStep())
	attempt = attempt.AdvanceTo(engine.AttemptFailed).AdvanceTo(engine.AttemptProcessing) // the second report is late
	fmt.Println(attempt.State, "another payment:", attempt.CheckNextAttempt("mandate_1", true) == nil)
	// Output:
	// claimed <nil>
	// another payment: false
	// claimed <nil>
	// processing retries wait: true
	// failed another payment: true
}

// A trial ends and the renewal is charged. The invoice of a change to a yearly price deducts the unused time of the
// month.
func Example() {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	monthly := catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	yearly := catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"}

	s := engine.StartSubscription(monthly, 3900, 7*24*time.Hour, now)
	step, now := s.NextStep()
	fmt.Println(s.Status, step == engine.StepRenew, now.Format(time.DateOnly))

	s = s.Renew()
	fmt.Println("charge", engine.Total(s.PeriodLines()))
	s = s.PaymentSucceeded("in_2", now)
	fmt.Println(s.Status, s.PeriodEnd.Format(time.DateOnly))

	change := engine.PriceChange{Price: yearly, Amount: 42000, At: now.AddDate(0, 0, 10)}
	for _, line := range s.ChangeLines(change) {
		fmt.Println(line.Price.PriceID(), line.Amount)
	}
	// Output:
	// trialing true 2026-03-08
	// charge 3900
	// active 2026-04-08
	// standard_monthly -2642
	// standard_yearly 42000
}
