package invoicepayment

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/invoicepayment/internal/former"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var writeRecording = flag.Bool("former.record", false, "write "+previousVersion)

// recorder makes customers in all states with the former implementation.
type recorder struct {
	*testing.T
	*former.Provider
	clock     *devclock.Clock
	customers map[string]string // by organisation
	key       int
}

func TestFormer_Record(t *testing.T) {
	if !*writeRecording {
		t.Skip("-former.record is not set")
	}
	database := openStore(t, newSQLite(t)).Database()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	p, err := former.Open(plugin.Settings{Values: map[string]string{"APPROVAL": "required"}}, plugin.Dependencies{
		Database: database, Clock: clock, Catalogue: catalogue.Default(),
	})
	require.NoError(t, err)
	r := &recorder{T: t, Provider: p, clock: clock, customers: map[string]string{}}
	r.makeStates()

	out := recording{Now: clock.Now()}
	require.NoError(t, database.Read(t.Context(), func(tx plugin.Tx) error {
		for _, c := range []struct {
			rows  any
			query string
		}{
			{&out.Rows.Customers, "SELECT * FROM invoice_customers ORDER BY created_at, organisation_id"},
			{&out.Rows.Subscriptions, "SELECT * FROM invoice_subscriptions ORDER BY customer_id, position"},
			{&out.Rows.Invoices, "SELECT * FROM invoice_invoices ORDER BY number"},
			{&out.Rows.Transfers, "SELECT * FROM invoice_transfers ORDER BY recorded_at, reference"},
			{&out.Rows.Approvals, "SELECT * FROM invoice_approvals ORDER BY organisation_id"},
		} {
			require.NoError(t, tx.List(t.Context(), c.rows, c.query))
		}
		return nil
	}))
	out.Want = out.Rows.summary(t, p)
	_, err = clock.Advance(laterBy)
	require.NoError(t, err)
	out.Later = out.Rows.summary(t, p)
	text, err := json.MarshalIndent(out, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	require.NoError(t, os.WriteFile(previousVersion, append(text, '\n'), 0o600))
}

func (r *recorder) next() string {
	r.key++
	return "key-" + string(rune('a'+r.key/26)) + string(rune('a'+r.key%26))
}

func (r *recorder) wait(days int) {
	_, err := r.clock.Advance(time.Duration(days) * day)
	require.NoError(r, err)
}

// subscribe makes a customer of an approved organisation with a subscription.
func (r *recorder) subscribe(organisation string, price catalogue.PriceRef, trialDays int) billing.Subscription {
	_, err := r.Allow(r.Context(), organisation)
	require.NoError(r, err)
	return r.order(organisation, price, trialDays)
}

func (r *recorder) order(organisation string, price catalogue.PriceRef, trialDays int) billing.Subscription {
	if r.customers[organisation] == "" {
		c, err := r.CreateCustomer(r.Context(), payment.NewCustomer{
			Key: r.next(), OrganisationID: organisation, Name: organisation + " Clinic", Email: "billing@example.com",
			Address: account.Address{Line1: "1 Road", City: "Perth", State: "WA", PostalCode: "6000", Country: "AU"},
		})
		require.NoError(r, err)
		r.customers[organisation] = c.ID
	}
	s, err := r.Subscribe(r.Context(), payment.NewSubscription{
		Key: r.next(), CustomerID: r.customers[organisation], Price: price, TrialDays: trialDays, Sole: true,
	})
	require.NoError(r, err)
	return s
}

func (r *recorder) latest(organisation string) (billing.Subscription, billing.Invoice) {
	all, err := r.ListSubscriptions(r.Context(), r.customers[organisation])
	require.NoError(r, err)
	list, err := r.ListInvoices(r.Context(), payment.InvoicePage{CustomerID: r.customers[organisation], Limit: 1})
	require.NoError(r, err)
	return all[0], list.Invoices[0]
}

// pay records a payment of the organisation's newest invoice, of all that is due if the amount is 0.
func (r *recorder) pay(organisation string, minor int64) string {
	_, inv := r.latest(organisation)
	if minor == 0 {
		minor = inv.AmountDue.Minor() - inv.AmountPaid.Minor()
	}
	reference := "payment " + r.next()
	_, err := r.MarkPaid(r.Context(), former.Transfer{Number: inv.Number, Amount: amountOf(minor, "AUD"), Reference: reference})
	require.NoError(r, err)
	return reference
}

func (r *recorder) change(organisation string, to catalogue.PriceRef, when payment.When) {
	s, _ := r.latest(organisation)
	_, err := r.ChangePlan(r.Context(), payment.PriceChange{
		Key: r.next(), SubscriptionID: s.ID, From: s.Price, To: to, When: when, EndTrial: when == payment.Now && s.Status == billing.Trialing,
	})
	require.NoError(r, err, organisation)
}

func (r *recorder) end(organisation string) {
	s, _ := r.latest(organisation)
	_, err := r.SetEndAtPeriodEnd(r.Context(), payment.EndRequest{Key: r.next(), SubscriptionID: s.ID, End: true})
	require.NoError(r, err)
}

func (r *recorder) cancel(organisation string, void bool) {
	s, _ := r.latest(organisation)
	_, err := r.CancelSubscription(r.Context(), payment.Cancellation{Key: r.next(), SubscriptionID: s.ID, VoidInvoices: void})
	require.NoError(r, err)
}

// makeStates makes a customer in each state, over forty days.
func (r *recorder) makeStates() {
	yearly := catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"}
	r.order("order-expired", standard, 0)
	r.subscribe("ended-unpaid", standard, 0)
	r.subscribe("ended-paid-later", standard, 0)
	r.subscribe("renewed", standard, 0)
	r.pay("renewed", 0)
	r.subscribe("renewed-with-credit", standard, 0)
	r.pay("renewed-with-credit", 5000)
	r.subscribe("void", standard, 0)
	r.subscribe("canceled-void", standard, 0)
	r.pay("canceled-void", 100)
	r.wait(16) // the first ones are past due
	r.cancel("canceled-void", true)
	_, inv := r.latest("void")
	_, err := r.Void(r.Context(), inv.Number)
	require.NoError(r, err)
	r.subscribe("void", professional, 0) // again
	r.pay("void", 0)
	r.wait(6) // and have ended
	r.pay("ended-paid-later", 0)
	r.subscribe("past-due", standard, 0)
	r.pay("past-due", 1000)
	r.subscribe("refunded", professional, 0)
	r.pay("refunded", 12000)
	r.wait(10)
	r.subscribe("waiting-deleted", standard, 0)
	require.NoError(r, r.delete("waiting-deleted"))
	r.order("order-waiting", standard, 7)
	r.subscribe("trial", standard, 30)
	r.subscribe("trial-paid", standard, 30)
	r.pay("trial-paid", 0)
	r.subscribe("trial-paid-scheduled", professional, 30)
	r.pay("trial-paid-scheduled", 0)
	r.change("trial-paid-scheduled", standard, payment.AtRenewal)
	r.subscribe("trial-ending", standard, 30)
	r.pay("trial-ending", 1500)
	r.end("trial-ending")
	r.subscribe("trial-change-pending", standard, 30)
	r.pay("trial-change-pending", 0)
	r.change("trial-change-pending", yearly, payment.Now)
	r.subscribe("open", standard, 0)
	r.subscribe("partly-paid", standard, 0)
	r.pay("partly-paid", 1000)
	r.subscribe("change-pending", standard, 0)
	r.pay("change-pending", 4900)
	r.change("change-pending", professional, payment.Now)
	r.subscribe("change-pending-and-scheduled", professional, 0)
	r.pay("change-pending-and-scheduled", 0)
	r.change("change-pending-and-scheduled", standard, payment.AtRenewal)
	r.change("change-pending-and-scheduled", yearly, payment.Now)
	r.subscribe("changed", standard, 0)
	r.pay("changed", 0)
	r.change("changed", yearly, payment.Now)
	r.pay("changed", 0)
	r.subscribe("change-dropped", standard, 0)
	r.pay("change-dropped", 0)
	r.change("change-dropped", professional, payment.Now)
	s, _ := r.latest("change-dropped")
	_, err = r.CancelPendingChange(r.Context(), payment.PendingCancellation{Key: r.next(), SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID})
	require.NoError(r, err)
	r.subscribe("ending", standard, 0)
	r.pay("ending", 0)
	r.end("ending")
	r.subscribe("canceled", standard, 0)
	r.cancel("canceled", false)
	r.subscribe("payment-reversed", standard, 0)
	_, err = r.Reverse(r.Context(), r.pay("payment-reversed", 0))
	require.NoError(r, err)
	_, inv = r.latest("refunded")
	for _, minor := range []int64{3000, 4000} {
		_, err = r.Provider.Refund(r.Context(), payment.Refund{Key: r.next(), InvoiceID: inv.ID, Amount: amountOf(minor, "AUD")})
		require.NoError(r, err)
	}
	r.wait(7)
	_, err = r.Tick(r.Context(), func(context.Context, payment.Event) error { return nil })
	require.NoError(r, err)
	r.wait(1) // something is due
}

// delete removes a customer's personal data, as deleteCustomer does.
func (r *recorder) delete(organisation string) error {
	r.cancel(organisation, false)
	text, err := json.Marshal(customer{ID: r.customers[organisation], Organisation: organisation, Created: r.clock.Now(), Deleted: true})
	if err != nil {
		return err
	}
	return r.Database.Write(r.Context(), func(tx plugin.Tx) error {
		return exec(r.Context(), tx, "UPDATE invoice_customers SET document = ? WHERE id = ?", string(text), r.customers[organisation])
	})
}

func exec(ctx context.Context, tx plugin.Tx, statement string, args ...any) error {
	_, err := tx.Exec(ctx, statement, args...)
	return err
}
