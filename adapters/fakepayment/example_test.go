package fakepayment_test

import (
	"context"
	"fmt"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// A customer subscribes with a trial of seven days. When the clock has moved past the trial's end, the first period is
// charged.
func Example() {
	ctx := context.Background()
	clock, err := devclock.Open("", func() time.Time { return noon })
	check(err)
	provider, err := fakepayment.Open(fakepayment.Config{Clock: clock, Prices: catalogue.Default()})
	check(err)

	customer, err := provider.CreateCustomer(ctx, payment.NewCustomer{Key: "key-1", OrganisationID: "org_1"})
	check(err)
	card, err := provider.CreatePaymentMethod(ctx, fakepayment.CardEntry{Number: "4242 4242 4242 4242", ExpMonth: 12, ExpYear: 2034, CVC: "123"})
	check(err)
	subscription, err := provider.Subscribe(ctx, payment.NewSubscription{
		Key: "key-2", CustomerID: customer.ID, MethodID: card.ID, TrialDays: 7,
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"},
	})
	check(err)
	fmt.Println(subscription.Status)

	_, err = clock.Advance(8 * 24 * time.Hour)
	check(err)
	subscription, err = provider.Subscription(ctx, subscription.ID)
	check(err)
	fmt.Println(subscription.Status, subscription.LatestInvoice.Status)
	check(provider.Stop(ctx))
	// Output:
	// trialing
	// active paid
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
