package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

type exampleClock struct{}

func (exampleClock) Now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// A front end without sessions and emails sells a subscription on the fake provider.
func ExampleNew() {
	ctx, clock := context.Background(), exampleClock{}
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	store, err := sqlstorage.Open(ctx, "sqlite:"+filepath.Join(dir, "diy.db"))
	if err != nil {
		panic(err)
	}
	defer func() { _ = store.Close() }()
	if err := store.Migrate(ctx); err != nil {
		panic(err)
	}
	provider, err := fakepayment.Open(fakepayment.Config{Clock: clock, Prices: catalogue.Default()})
	if err != nil {
		panic(err)
	}
	useCases := app.New(app.Ports{Store: store, Provider: provider, Clock: clock})

	caller := identity.Identity{UserID: "usr_1", OrganisationID: "org_1", Role: account.Owner}
	err = store.CreateSignUp(ctx, storage.SignUp{ // or useCases.SignUp, with a port for passwords
		Organisation: account.Organisation{
			ID: "org_1", Name: "Example Ltd", ContactEmail: "ann@example.com", CreatedAt: clock.Now(),
		},
		User:         account.User{ID: "usr_1", OrganisationID: "org_1", Email: "ann@example.com", CreatedAt: clock.Now()},
		Verification: account.Verification{TokenHash: "none", UserID: "usr_1", ExpiresAt: clock.Now()},
	})
	if err != nil {
		panic(err)
	}
	if _, err := useCases.CreateCustomer.Do(ctx, caller); err != nil {
		panic(err)
	}
	card, err := provider.CreatePaymentMethod(ctx, fakepayment.CardEntry{ // in production the browser does this
		Number: "4242424242424242", ExpMonth: 12, ExpYear: 2040, CVC: "123",
	})
	if err != nil {
		panic(err)
	}
	subscription, err := useCases.Subscribe.Do(ctx, caller, app.SubscribeRequest{
		MethodID: card.ID, Price: app.PriceChoice{PriceID: "standard_monthly", Interval: "monthly", Currency: "AUD"},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(subscription.Status, subscription.TrialEnd.Format(time.DateOnly))
	// Output: trialing 2026-03-08
}
