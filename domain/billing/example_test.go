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
