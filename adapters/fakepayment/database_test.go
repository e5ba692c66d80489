package fakepayment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

type fixedClock struct{}

func (fixedClock) Now() time.Time { return endOfMarch }

// oneDollarPrice sets the price of every plan to one dollar.
type oneDollarPrice struct{}

func (oneDollarPrice) Price(catalogue.PriceRef) (money.Amount, error) { return money.New(100, "AUD") }

func openFile(path string) (*Provider, error) {
	return Open(Config{Path: path, Clock: fixedClock{}, Prices: oneDollarPrice{}})
}

func TestOpen_RestoresRecordsAndResponsesAfterRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "payments 100%.db")
	p, err := openFile(path)
	require.NoError(t, err)
	method, err := p.CreatePaymentMethod(t.Context(), CardEntry{Number: "4000002500003155", ExpMonth: 12, ExpYear: 2034, CVC: "123"})
	require.NoError(t, err)
	c, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "1", OrganisationID: "org_1"})
	require.NoError(t, err)
	_, err = p.AddCard(t.Context(), payment.NewCard{Key: "2", CustomerID: c.ID, MethodID: method.ID})
	require.NoError(t, err)
	req := payment.NewSubscription{
		Key: "3", CustomerID: c.ID, TrialDays: 7,
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
	}
	s, err := p.Subscribe(t.Context(), req)
	require.NoError(t, err)
	cancellation := payment.Cancellation{Key: "4", SubscriptionID: "sub_unknown"}
	_, cancelErr := p.CancelSubscription(t.Context(), cancellation)
	require.Error(t, cancelErr)
	require.NoError(t, p.Stop(t.Context()))

	restarted, err := openFile(path)
	require.NoError(t, err)

	assert.Equal(t, p.state.customers.rows, restarted.state.customers.rows)
	assert.Equal(t, p.state.outbox, restarted.state.outbox)
	repeatedSub, err := restarted.Subscribe(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, s, repeatedSub, "the stored response is repeated")
	_, err = restarted.CancelSubscription(t.Context(), cancellation)
	assert.Equal(t, fault.CodeOf(cancelErr), fault.CodeOf(err))
	assert.Equal(t, fault.MessageOf(cancelErr), fault.MessageOf(err))
	req.TrialDays = 8
	_, err = restarted.Subscribe(t.Context(), req)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "a different request with a stored key is refused")
	intent, err := restarted.Confirm(t.Context(), Confirmation{ClientSecret: s.PendingSetup.ClientSecret, Outcome: OutcomeComplete})
	require.NoError(t, err)
	assert.Equal(t, billing.Succeeded, intent.Status)
	require.NoError(t, restarted.Stop(t.Context()))
}

func TestDatabase_IsPrivateAndHoldsNoCardNumberOrPersonalData(t *testing.T) {
	folder := t.TempDir()
	p, err := openFile(filepath.Join(folder, "payments"))
	require.NoError(t, err)
	method, err := p.CreatePaymentMethod(t.Context(), CardEntry{Number: "378282246310005", ExpMonth: 12, ExpYear: 2034, CVC: "9753"})
	require.NoError(t, err)
	assert.NotEmpty(t, method.Card.Fingerprint)
	method.Card.Fingerprint = ""
	assert.Equal(t, billing.Card{Brand: "amex", Last4: "0005", ExpMonth: 12, ExpYear: 2034}, method.Card)
	_, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "1", Name: "Northside", Email: "ann@example.com", Phone: "+61 2 5550"})
	require.NoError(t, err)

	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	content := ""
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		require.NoError(t, err)
		content += string(text)
		info, err := file.Info()
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), file.Name())
	}
	assert.Contains(t, content, "amex")
	for _, secret := range []string{"378282246310005", "37828224", "9753", "ann@example.com", "5550"} {
		assert.NotContains(t, content, secret)
	}
	require.NoError(t, p.Stop(t.Context()))
}

// version1Records are records of version 1, when invoices had no lines.
var version1Records = map[string]map[string]string{
	"customer": {"cus_OLDCUSTOMER": `{"id":"cus_OLDCUSTOMER","organisation":"org_1","currency":"AUD","default":"pm_1","cards":["pm_1"],
		"subscriptions":["sub_1"],"credit":100,"created":"2026-03-01T12:00:00Z"}`},
	"card": {"pm_1": `{"id":"pm_1","customer":"cus_OLDCUSTOMER","card":{"Brand":"visa","Last4":"4242","ExpMonth":12,"ExpYear":2050},"behaviour":"pays"}`},
	"subscription": {"sub_1": `{"id":"sub_1","customer":"cus_OLDCUSTOMER","status":"active","price":{"Product":"standard","Interval":"monthly",
		"Currency":"AUD"},"amount":100,"created":"2026-03-01T12:00:00Z","anchor":"2026-03-01T12:00:00Z","period_start":"2026-03-01T12:00:00Z",
		"period_end":"2026-04-01T12:00:00Z","invoice":"in_1"}`},
	"invoice": {"in_1": `{"id":"in_1","customer":"cus_OLDCUSTOMER","subscription":"sub_1","status":"paid","amount":90,"credit":10,
		"currency":"AUD","payment":"pi_1","created":"2026-03-01T12:00:00Z"}`},
}

func TestOpen_ReadsRecordsOfEarlierVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	p, err := openFile(path)
	require.NoError(t, err)
	for kind, records := range version1Records {
		for id, document := range records {
			_, err := p.database.db.ExecContext(t.Context(), "INSERT INTO records VALUES (?, ?, ?)", kind, id, document)
			require.NoError(t, err)
		}
	}
	require.NoError(t, p.Stop(t.Context()))

	clock := &manualClock{endOfMarch}
	restarted, err := Open(Config{Path: path, Clock: clock, Prices: oneDollarPrice{}})
	require.NoError(t, err)

	list, err := restarted.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_OLDCUSTOMER", Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Invoices, 1)
	inv := list.Invoices[0]
	assert.Equal(t, []int64{100, 90, 90}, []int64{inv.Total.Minor(), inv.AmountDue.Minor(), inv.AmountPaid.Minor()})
	assert.Equal(t, "in_1", inv.Number)
	assert.Equal(t, inv.CreatedAt, inv.PaidAt)
	require.Len(t, inv.Lines, 1)
	assert.Equal(t, inv.Total, inv.Lines[0].Amount)
	_, err = restarted.InvoicePDF(t.Context(), "cus_OLDCUSTOMER", "in_1")
	require.NoError(t, err)
	clock.now = endOfMarch.AddDate(0, 0, 2)
	renewedSub, err := restarted.Subscription(t.Context(), "sub_1")
	require.NoError(t, err)
	assert.Zero(t, renewedSub.LatestInvoice.AmountDue.Minor(), "the credit of 1.00 pays the renewal")
	require.NoError(t, restarted.Stop(t.Context()))
}

func TestOpen_RefusesFileInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	p, err := openFile(path)
	require.NoError(t, err)

	_, err = openFile(path)
	assert.ErrorContains(t, err, path+" is in use by another process")

	require.NoError(t, p.Stop(t.Context()))
	p, err = openFile(path)
	require.NoError(t, err)
	require.NoError(t, p.Stop(t.Context()))
}

func TestOpen_RefusesOtherFilesAndLeavesThemUnchanged(t *testing.T) {
	for name, tt := range map[string]struct{ content, want string }{
		"journal of an earlier version": {`{"journal":"fakepayment","version":1}` + "\n[]\n", "journal of an earlier version"},
		"no database":                   {"hello, this is some text", "not a database"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "payments")
			require.NoError(t, os.WriteFile(path, []byte(tt.content), 0o600))
			_, err := openFile(path)
			assert.ErrorContains(t, err, path)
			assert.ErrorContains(t, err, tt.want)
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, tt.content, string(content))
		})
	}
}

func TestOpen_RefusesUnknownVersionsAndRecords(t *testing.T) {
	for statement, want := range map[string]string{
		"PRAGMA user_version = 2":                            "schema version 2 is not supported",
		"INSERT INTO records VALUES ('unknown', '1', '{}')":  `unknown kind of record "unknown"`,
		"INSERT INTO records VALUES ('customer', 'c1', '7')": "customer c1",
	} {
		t.Run(want, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "payments")
			p, err := openFile(path)
			require.NoError(t, err)
			_, err = p.database.db.ExecContext(t.Context(), statement)
			require.NoError(t, err)
			require.NoError(t, p.Stop(t.Context()))
			_, err = openFile(path)
			assert.ErrorContains(t, err, want)
		})
	}
}

func TestTransact_FullDiskUndoesTheChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	p, err := openFile(path)
	require.NoError(t, err)
	limitPages := func(n int) {
		_, err := p.database.db.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", n))
		require.NoError(t, err)
	}
	firstCustomer, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "before"})
	require.NoError(t, err)
	want := dumpState(t, p.state)
	limitPages(1)
	for i := 0; err == nil; i++ { // until the existing pages are full
		require.Less(t, i, 1000)
		want = dumpState(t, p.state)
		_, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: fmt.Sprint("filler", i)})
	}
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Equal(t, want, dumpState(t, p.state))
	_, err = p.Customer(t.Context(), firstCustomer.ID)
	assert.NoError(t, err, "reads still work")

	limitPages(1000)
	secondCustomer, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "after"})
	require.NoError(t, err)
	require.NoError(t, p.Stop(t.Context()))
	p, err = openFile(path)
	require.NoError(t, err)
	for _, id := range []string{firstCustomer.ID, secondCustomer.ID} {
		_, err = p.Customer(t.Context(), id)
		assert.NoError(t, err)
	}
	require.NoError(t, p.Stop(t.Context()))
}

func TestProcessDue_FailedWriteKeepsScheduleAndEvents(t *testing.T) {
	clock := &manualClock{endOfMarch}
	p, err := Open(Config{Path: filepath.Join(t.TempDir(), "payments"), Clock: clock, Prices: oneDollarPrice{}})
	require.NoError(t, err)
	c, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "1"})
	require.NoError(t, err)
	s, err := p.Subscribe(t.Context(), payment.NewSubscription{
		Key: "2", CustomerID: c.ID, TrialDays: 7, MethodID: newTestCard(t, p),
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
	})
	require.NoError(t, err)
	want, wantEntries := dumpState(t, p.state), slices.Clone(p.state.schedule.entries)
	require.NoError(t, p.database.db.Close())
	clock.now = s.TrialEnd

	assert.Equal(t, fault.Unavailable, fault.CodeOf(p.Tick(t.Context())))

	assert.Equal(t, want, dumpState(t, p.state))
	assert.Equal(t, wantEntries, p.state.schedule.entries)
}

func newTestCard(t *testing.T, p *Provider) string {
	t.Helper()
	method, err := p.CreatePaymentMethod(t.Context(), CardEntry{Number: "4242424242424242", ExpMonth: 12, ExpYear: 2034, CVC: "123"})
	require.NoError(t, err)
	return method.ID
}

func TestTransact_StopsWaitingWhenTheContextEnds(t *testing.T) {
	p, err := openFile("")
	require.NoError(t, err)
	p.lock <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() {
		_, err := p.Customer(ctx, "cus_1")
		result <- err
	}()
	cancel()
	assert.Equal(t, fault.Unavailable, fault.CodeOf(<-result))
}
