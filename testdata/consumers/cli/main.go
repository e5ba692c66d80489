// Command cli is a front end for the command line. It lists the plans and subscribes a clinic. It imports neither
// Stripe nor the web app.
//
//	cli plans AUD
//	cli subscribe sqlite:clinics.db payments.db "Harbour Clinic" ann@clinic.example standard_monthly 4242424242424242
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "plans":
		return printPlans(args[1])
	case len(args) == 7 && args[0] == "subscribe":
		return subscribe(ctx, args[1], args[2], args[3], args[4], args[5], args[6])
	}
	return fmt.Errorf("usage: cli plans CURRENCY | cli subscribe DATABASE PAYMENTS ORGANISATION EMAIL PRICE CARD")
}

// printPlans prints every price that is sold in the currency.
func printPlans(currency string) error {
	prices := catalogue.Default()
	for _, plan := range prices.Plans() {
		for _, interval := range catalogue.Intervals() {
			price := catalogue.PriceRef{Product: plan.ID, Interval: interval, Currency: currency}
			if prices.CheckEnabled(price) != nil {
				continue // sold by the sales team
			}
			amount, err := prices.Price(price)
			if err != nil {
				return err
			}
			fmt.Printf("%-22s %s\n", price.PriceID(), amount.FormatWithSymbol())
		}
	}
	return nil
}

// subscribe registers a clinic and starts its subscription.
func subscribe(ctx context.Context, databaseURL, paymentsPath, organisation, email, priceID, cardNumber string) error {
	store, err := sqlstorage.Open(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	clock := systemclock.New()
	provider, err := fakepayment.Open(fakepayment.Config{Path: paymentsPath, Clock: clock, Prices: catalogue.Default()})
	if err != nil {
		return err
	}
	defer provider.Stop(ctx)
	diy := app.New(app.Ports{Store: store, Provider: provider, Clock: clock, Passwords: sessionidentity.NewPasswords()})

	password := "Aa1" + rand.Text() // the clinic chooses its own with "Forgot password?"
	user, err := diy.SignUp.Do(ctx, account.Registration{
		FirstName: "Clinic", LastName: "Owner", Org: organisation, Email: email,
		Password: password, Phone: "+61 2 9000 0000", Currency: "AUD",
		Address: account.Address{Line1: "1 Long Road", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
	}, nil)
	if err != nil {
		return err
	}
	clinic := identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID, Role: account.Owner}
	if _, err := diy.CreateCustomer.Do(ctx, clinic); err != nil {
		return err
	}
	entry := fakepayment.CardEntry{Number: cardNumber, ExpMonth: 12, ExpYear: 2040, CVC: "123"}
	method, err := provider.CreatePaymentMethod(ctx, entry)
	if err != nil {
		return err
	}
	_, interval, err := catalogue.ParsePriceID(priceID)
	if err != nil {
		return err
	}
	sub, err := diy.Subscribe.Do(ctx, clinic, app.SubscribeRequest{
		MethodID: method.ID, Price: app.PriceChoice{PriceID: priceID, Interval: string(interval), Currency: "AUD"},
	})
	if err != nil {
		return err
	}
	fmt.Printf("%s is %s until %s\n", organisation, sub.Status, sub.CurrentPeriodEnd.Format(time.DateOnly))
	return nil
}
