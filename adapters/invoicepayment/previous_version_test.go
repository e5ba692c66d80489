package invoicepayment

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// recordingPath is a file that the last version without engine.Account has written. It contains the records of
// customers with subscriptions and invoices in every state, and the responses of that version.
const recordingPath = "testdata/previous_version.json"

// recording is the content of the file at recordingPath.
type recording struct {
	Now       time.Time `json:"now"`
	Rows      records   `json:"rows"`
	Want      []string  `json:"want"`  // the responses at Now, see records.summarise
	WantLater []string  `json:"later"` // the responses after recordingInterval
}

// recordingInterval is the time between Want and WantLater of a recording.
const recordingInterval = 45 * day

// records are the rows of all tables.
type records struct {
	Customers []struct {
		ID           string `db:"id"`
		Organisation string `db:"organisation_id"`
		Created      int64  `db:"created_at"`
		NextAt       int64  `db:"next_at"`
		Document     string `db:"document"`
		Changes      int64  `db:"changes"`
		Reported     int64  `db:"reported"`
		Failures     int64  `db:"failures"`
	}
	Subscriptions []struct {
		ID       string `db:"id"`
		Customer string `db:"customer_id"`
		Position int64  `db:"position"`
		Document string `db:"document"`
	}
	Invoices []struct {
		ID           string `db:"id"`
		Number       int64  `db:"number"`
		Customer     string `db:"customer_id"`
		Subscription string `db:"subscription_id"`
		RenewalOf    *int64 `db:"renewal_of"`
		Status       string `db:"status"`
		Document     string `db:"document"`
	}
	Transfers []struct {
		Reference  string `db:"reference"`
		Invoice    string `db:"invoice_id"`
		Amount     int64  `db:"amount"`
		Applied    int64  `db:"applied"`
		RecordedAt int64  `db:"recorded_at"`
	}
	Approvals []struct {
		Organisation string `db:"organisation_id"`
		At           int64  `db:"approved_at"`
	}
}

// insert stores the rows in an empty database.
func (r records) insert(ctx context.Context, tx plugin.Tx) (err error) {
	exec := func(statement string, args ...any) {
		if err == nil {
			_, err = tx.Exec(ctx, statement, args...)
		}
	}
	exec("UPDATE invoice_numbers SET last = ?", len(r.Invoices))
	for _, c := range r.Customers {
		exec(`INSERT INTO invoice_customers (id, organisation_id, created_at, next_at, document, changes, reported, failures)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			c.ID, c.Organisation, c.Created, c.NextAt, c.Document, c.Changes, c.Reported, c.Failures)
	}
	for _, s := range r.Subscriptions {
		exec("INSERT INTO invoice_subscriptions (id, customer_id, position, document) VALUES (?, ?, ?, ?)",
			s.ID, s.Customer, s.Position, s.Document)
	}
	for _, inv := range r.Invoices {
		exec(`INSERT INTO invoice_invoices (id, number, customer_id, subscription_id, renewal_of, status, document)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			inv.ID, inv.Number, inv.Customer, inv.Subscription, inv.RenewalOf, inv.Status, inv.Document)
	}
	for _, t := range r.Transfers {
		exec("INSERT INTO invoice_transfers (reference, invoice_id, amount, applied, recorded_at) VALUES (?, ?, ?, ?, ?)",
			t.Reference, t.Invoice, t.Amount, t.Applied, t.RecordedAt)
	}
	for _, a := range r.Approvals {
		exec("INSERT INTO invoice_approvals (organisation_id, approved_at) VALUES (?, ?)", a.Organisation, a.At)
	}
	return err
}

// summarise describes the provider's responses for the customers, with one line for each customer, subscription,
// invoice and returned payment.
func (r records) summarise(t *testing.T, p payment.Provider) (lines []string) {
	t.Helper()
	for _, c := range r.Customers {
		customer, err := p.Customer(t.Context(), c.ID)
		if err != nil {
			lines = append(lines, fmt.Sprintf("%s: %v", c.Organisation, err))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: credit %v", c.Organisation, customer.Credit))
		subscriptions, err := p.ListSubscriptions(t.Context(), c.ID)
		require.NoError(t, err)
		for _, s := range subscriptions {
			lines = append(lines, describeSubscription(s))
		}
		invoices, err := p.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: c.ID, Limit: 100})
		require.NoError(t, err)
		for _, inv := range invoices.Invoices {
			lines = append(lines, describeInvoice(inv))
		}
		returnedPayments, err := p.ReturnedPayments(t.Context(), c.ID)
		require.NoError(t, err)
		for _, r := range returnedPayments {
			lines = append(lines, fmt.Sprintf("  %s: %v returned, %v withdrawn, %v spent", r.Payment, r.Amount, r.Withdrawn, r.Spent))
		}
	}
	return lines
}

func describeInvoice(inv billing.Invoice) string {
	return fmt.Sprintf("  %s %s: %v, %d lines, tax %v, credit used %v, due %v by %s, paid %v at %s, refunded %v, credited %v, "+
		"received %d, %s",
		inv.Number, inv.Status, inv.Total, len(inv.Lines), inv.Tax, inv.CreditUsed, inv.AmountDue, formatTime(inv.DueAt),
		inv.AmountPaid, formatTime(inv.PaidAt), inv.Refunded, inv.Credited, len(inv.ReceivedPayments), inv.TimeZone)
}

func describeSubscription(s billing.Subscription) string {
	line := fmt.Sprintf("  %s: %s at %v, %s to %s, trial to %s, ends %s, unpaid %s, next %q",
		s.Status, s.Price.PriceID(), s.Renewal, formatTime(s.PeriodStart), formatTime(s.CurrentPeriodEnd), formatTime(s.TrialEnd), formatTime(s.EndsAt),
		formatTime(s.PlanEndsAt), s.Next.Kind)
	for _, instruction := range s.Next.Instructions {
		line += ", " + instruction.Value
	}
	if s.Pending != nil {
		line += fmt.Sprintf(", pending %s for %v to %s", s.Pending.To.PriceID(), s.Pending.Amount, formatTime(s.Pending.ExpiresAt))
	}
	if s.Scheduled != nil {
		line += fmt.Sprintf(", scheduled %s at %v", s.Scheduled.To.PriceID(), s.Scheduled.Amount)
	}
	return line
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format("2006-01-02T15:04")
}

func TestProvider_ReadsTheRecordsOfThePreviousVersion(t *testing.T) {
	text, err := os.ReadFile(recordingPath)
	require.NoError(t, err)
	var rec recording
	require.NoError(t, json.Unmarshal(text, &rec))
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		require.NoError(t, store.Database().Write(t.Context(), func(tx plugin.Tx) error {
			return rec.Rows.insert(t.Context(), tx)
		}))
		clock, err := devclock.Open("", func() time.Time { return rec.Now })
		require.NoError(t, err)
		p, err := Open(plugin.Settings{Values: map[string]string{"APPROVAL": "required"}}, plugin.Dependencies{
			Database: store.Database(), Clock: clock, Catalogue: catalogue.Default(),
		})
		require.NoError(t, err)

		assert.Equal(t, rec.Want, rec.Rows.summarise(t, p))
		_, err = clock.Advance(recordingInterval)
		require.NoError(t, err)
		assert.Equal(t, rec.WantLater, rec.Rows.summarise(t, p))
	})
}
