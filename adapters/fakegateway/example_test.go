package fakegateway_test

import (
	"context"
	"fmt"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
)

// A payment is started once per key. The customer completes it on the provider's page, and Find reports the outcome.
func Example() {
	ctx := context.Background()
	clock, err := devclock.Open("", time.Now)
	check(err)
	provider := fakegateway.New(fakegateway.Config{Clock: clock, KeyRetention: 24 * time.Hour})
	var g gateway.Gateway = provider.Gateway(nil)

	customerRef, err := g.SaveCustomer(ctx, gateway.Customer{ID: "cus_1", Name: "Example Ltd", Email: "ann@example.com"})
	check(err)
	amount, err := money.New(3900, "AUD")
	check(err)
	order := gateway.Order{
		Key: "order-1", CustomerRef: customerRef, Amount: amount, Description: "Standard", ReturnTo: "https://diy.example/pay",
	}
	payment, err := g.Start(ctx, order)
	check(err)
	repeated, err := g.Start(ctx, order)
	check(err)
	fmt.Println(payment.State, repeated.Ref == payment.Ref)

	_, err = provider.CompletePage(payment.URL, fakegateway.Pays)
	check(err)
	payment, err = g.Find(ctx, payment.Reference)
	check(err)
	fmt.Println(payment.State, payment.Amount)
	// Output:
	// open true
	// paid AUD 39.00
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
