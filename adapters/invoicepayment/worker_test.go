package invoicepayment

import (
	"context"
	"crypto/rand"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/ports/payment"
)

func ignoreEvent(context.Context, payment.Event) error { return nil }

// reportedCustomers returns the customers that Tick reports.
func (e *env) reportedCustomers(t *testing.T) (customers []string) {
	t.Helper()
	_, err := e.Tick(t.Context(), func(_ context.Context, event payment.Event) error {
		customers = append(customers, event.CustomerID)
		return nil
	})
	require.NoError(t, err)
	return customers
}

func TestTick_ReportsDueChangesAndChangesByOperators(t *testing.T) {
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		e := newEnv(t, store)
		s, otherSub := e.mustSubscribe(t, 0), e.mustSubscribe(t, 0)
		assert.Empty(t, e.reportedCustomers(t))
		e.payInvoice(t, s.LatestInvoice.ID)
		_, err := e.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: rand.Text(), SubscriptionID: s.ID})
		require.NoError(t, err)
		assert.Equal(t, []string{s.CustomerID}, e.reportedCustomers(t), "the operator's payment is reported although the customer made a request after it")
		assert.Empty(t, e.reportedCustomers(t))

		e.advance(t, 15*day)
		assert.Equal(t, []string{otherSub.CustomerID}, e.reportedCustomers(t), "the subscription has become past due")
		assert.Empty(t, e.reportedCustomers(t))
		e.advanceAndReadSubscription(t, otherSub.ID, 22*day) // the read ends the subscription
		assert.Equal(t, []string{otherSub.CustomerID}, e.reportedCustomers(t), "the subscription has ended")
		assert.Empty(t, e.reportedCustomers(t))
	})
}

func TestTick_NamesTheInvoicesThatOperatorsChanged(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.payInvoice(t, s.LatestInvoice.ID)
	reportedInvoices := func(reportErr error) (invoiceIDs []string) {
		_, err := e.Tick(t.Context(), func(_ context.Context, event payment.Event) error {
			invoiceIDs = append(invoiceIDs, event.InvoiceIDs...)
			return reportErr
		})
		if reportErr == nil {
			require.NoError(t, err)
		}
		return invoiceIDs
	}
	assert.Equal(t, []string{s.LatestInvoice.ID}, reportedInvoices(errors.New("not stored")))
	e.advance(t, time.Hour)
	assert.Equal(t, []string{s.LatestInvoice.ID}, reportedInvoices(nil))
	e.advance(t, 15*day)
	assert.Empty(t, reportedInvoices(nil), "the application has stored the change")
}

// Goexit ends the worker during a report, as a crash of the process does.
func TestTick_RepeatsTheReportAfterACrash(t *testing.T) {
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		e := newEnv(t, store)
		s := e.mustSubscribe(t, 0)
		e.payInvoice(t, s.LatestInvoice.ID)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, _ = e.Tick(t.Context(), func(context.Context, payment.Event) error { runtime.Goexit(); return nil })
		})
		wg.Wait()

		e = newEnv(t, store)
		assert.Equal(t, []string{s.CustomerID}, e.reportedCustomers(t))
		assert.Empty(t, e.reportedCustomers(t))
	})
}

func TestTick_ReportsAChangeThatIsMadeDuringTheReport(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	number := e.invoiceNumber(t, s.LatestInvoice.ID)
	pay := func(amount string) {
		_, err := e.RecordPayment(t.Context(), payment.Transfer{InvoiceNumber: number, Amount: aud(t, amount), Reference: amount})
		require.NoError(t, err)
	}
	pay("10")
	_, err := e.Tick(t.Context(), func(context.Context, payment.Event) error { pay("12"); return nil })
	require.NoError(t, err)
	assert.Equal(t, []string{s.CustomerID}, e.reportedCustomers(t))
	assert.Empty(t, e.reportedCustomers(t))
}

func TestTick_RepeatsAFailedReportAfterTenSeconds(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.payInvoice(t, s.LatestInvoice.ID)
	_, err := e.Tick(t.Context(), func(context.Context, payment.Event) error { return errors.New("no response") })
	require.ErrorContains(t, err, "customer "+s.CustomerID+": no response")
	assert.Empty(t, e.reportedCustomers(t))
	e.advance(t, 10*time.Second)
	assert.Equal(t, []string{s.CustomerID}, e.reportedCustomers(t))
	assert.Empty(t, e.reportedCustomers(t))
}
