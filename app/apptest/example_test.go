package apptest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/vc-admin/diy/app/apptest"
)

// exampleT stands in for the *testing.T of a test.
type exampleT struct{ cleanups []func() }

func (t *exampleT) Helper()                   {}
func (t *exampleT) Context() context.Context  { return context.Background() }
func (t *exampleT) Cleanup(fn func())         { t.cleanups = append(t.cleanups, fn) }
func (t *exampleT) Errorf(f string, a ...any) { fmt.Printf(f, a...) }
func (t *exampleT) FailNow()                  { panic("failed") }

func Example() {
	t := &exampleT{}
	defer func() {
		for _, cleanup := range t.cleanups {
			cleanup()
		}
	}()

	env := apptest.New(t)
	user := env.SignUp("ann")

	sub := user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	fmt.Println(sub.Status, "until", sub.TrialEnd.Format(time.DateOnly), "charges:", len(user.Charges()))

	env.Advance(7 * 24 * time.Hour) // the trial ends
	env.DeliverEvents()
	for _, charge := range user.Charges() {
		fmt.Println(user.LicenseStatus(), "paid:", charge.Amount, charge.Currency, "on", charge.InvoicedAt.Format(time.DateOnly))
	}

	// Output:
	// trialing until 2026-03-08 charges: 0
	// active paid: 3900 AUD on 2026-03-08
}
