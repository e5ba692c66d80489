package billing_test

import (
	"fmt"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// A purchase is decided as a list of actions, which the application stores and then sends to the
// payment provider.
func ExampleDecidePurchase() {
	account := &billing.Account{CustomerID: "cus_1"}
	actions, err := billing.DecidePurchase(account, billing.Purchase{
		Plan:     catalogue.Plan{ID: "standard", TrialPeriodDays: 7},
		Price:    catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"},
		MethodID: "pm_1",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, action := range billing.AssignKeys("op_1", actions) {
		fmt.Println(action.Key, action.Kind, action.Price.PriceID(), action.TrialDays)
	}
	// Output: op_1-1 start subscription standard_yearly 7
}

// After the provider's response is recorded, DecideOutcome first asks for a confirmation and then reports success.
func ExampleDecideOutcome() {
	response := billing.Subscription{
		ID: "sub_1", Status: billing.Incomplete, CreatedAt: time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC),
		LatestInvoice: &billing.Invoice{ID: "in_1", Status: billing.InvoiceOpen},
		Next:          billing.NextAction{Kind: billing.ConfirmPayment, InvoiceID: "in_1", Secret: "for the browser"},
	}
	account := &billing.Account{CustomerID: "cus_1"}
	account.RecordSubscriptions(response)
	fmt.Println(billing.DecideOutcome(response, false), account.License() == nil)

	response.Status, response.Next = billing.Active, billing.NextAction{}
	account.RecordSubscriptions(response)
	fmt.Println(billing.DecideOutcome(response, false), account.License().Status)
	// Output:
	// confirm_payment true
	// succeeded active
}

// A plan that is paid ends with its period. DecideEnd only decides: nothing is sent.
func ExampleDecideEnd() {
	account := &billing.Account{CustomerID: "cus_1"}
	account.RecordSubscriptions(billing.Subscription{
		ID: "sub_1", CustomerID: "cus_1", Status: billing.Active,
		Price:            catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
		CurrentPeriodEnd: time.Date(2026, 4, 1, 10, 0, 0, 0, time.UTC),
	})
	actions, err := billing.DecideEnd(account, time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC), true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(actions[0].Kind, actions[0].SubscriptionID)
	// Output: end at period end sub_1
}

// A report of the provider replaces the copy. The notices that are not queued yet follow from the new copy alone, so a
// lost or repeated event makes no difference.
func ExampleDueNotices() {
	createdAt := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	account := &billing.Account{CustomerID: "cus_1"}
	account.RecordSubscriptions(billing.Subscription{
		ID: "sub_1", CustomerID: "cus_1", Status: billing.Trialing, CreatedAt: createdAt, PeriodStart: createdAt,
		TrialEnd: createdAt.AddDate(0, 0, 7), CurrentPeriodEnd: createdAt.AddDate(0, 0, 7),
	})
	report := billing.Copy{Account: account}
	var queuedNotices []billing.Notice
	for range 2 {
		for _, due := range billing.DueNotices(report, report, queuedNotices, createdAt.Add(time.Minute)) {
			fmt.Println(due.Kind, due.SubjectID)
			queuedNotices = append(queuedNotices, due.Notice)
		}
	}
	// Output: trial_started sub_1
}

// While a first payment is open, the customer has to finish it before anything else can be bought.
func ExampleAccount_OpenPayment() {
	account := &billing.Account{CustomerID: "cus_1"}
	account.RecordSubscriptions(billing.Subscription{
		ID: "sub_1", CustomerID: "cus_1", Status: billing.Incomplete,
		LatestInvoice: &billing.Invoice{ID: "in_1", Status: billing.InvoiceOpen},
		Next:          billing.NextAction{Kind: billing.NewPaymentMethod, InvoiceID: "in_1"},
	})
	open := account.OpenPayment()
	fmt.Println(open.Kind == billing.FirstPayment, open.InvoiceID)
	// Output: true in_1
}
