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

var endOfMarch = time.Date(2026, 3, 31, 23, 59, 59, 0, time.UTC)

func (fixedClock) Now() time.Time { return endOfMarch }

// oneDollarPrice returns one dollar as the price of every plan.
type oneDollarPrice struct{}

func (oneDollarPrice) Price(catalogue.PriceRef) (money.Amount, error) { return money.New(100, "AUD") }

func openProvider(path string) (*Provider, error) {
	return Open(Config{Path: path, Clock: fixedClock{}, Prices: oneDollarPrice{}})
}

func TestOpen_RestoresRecordsAndResponsesAfterRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "payments 100%.db")
	p, err := openProvider(path)
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

	restarted, err := openProvider(path)
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
	p, err := openProvider(filepath.Join(folder, "payments"))
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

func TestOpen_RefusesFileInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	p, err := openProvider(path)
	require.NoError(t, err)

	_, err = openProvider(path)
	assert.ErrorContains(t, err, path+" is in use by another process")

	require.NoError(t, p.Stop(t.Context()))
	p, err = openProvider(path)
	require.NoError(t, err)
	require.NoError(t, p.Stop(t.Context()))
}

func TestOpen_RefusesUnknownFilesAndLeavesThemUnchanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	require.NoError(t, os.WriteFile(path, []byte("hello, this is some text"), 0o600))

	_, err := openProvider(path)

	assert.ErrorContains(t, err, path+": file is not a database")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "hello, this is some text", string(content))
}

func TestOpen_RefusesUnknownVersionsAndRecords(t *testing.T) {
	for statement, want := range map[string]string{
		"PRAGMA user_version = 1": "was written by another version, which this version can't read (schema 1 instead of 2): " +
			"delete it together with the application's development database, or move both away",
		"INSERT INTO records VALUES ('unknown', '1', '{}')":  `unknown kind of record "unknown"`,
		"INSERT INTO records VALUES ('customer', 'c1', '7')": "customer c1",
	} {
		t.Run(want, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "payments")
			p, err := openProvider(path)
			require.NoError(t, err)
			_, err = p.database.db.ExecContext(t.Context(), statement)
			require.NoError(t, err)
			require.NoError(t, p.Stop(t.Context()))
			_, err = openProvider(path)
			assert.ErrorContains(t, err, want)
		})
	}
}

func TestTransact_FullDiskUndoesTheChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	p, err := openProvider(path)
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
	p, err = openProvider(path)
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
	p, err := openProvider("")
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
