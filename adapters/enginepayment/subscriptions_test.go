package enginepayment

import (
	"crypto/rand"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestSubscribe_ReturnsTheReasonIfTheGatewayRefusesTheCustomer(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	g := &failingGateway{Gateway: e.Gateway, saveCustomerErr: fault.New(fault.Invalid, "The address is incomplete.")}
	e.Gateway = g

	s := e.subscribeWithOpenPage(t)

	assert.Equal(t, billing.Redirect, s.Next.Kind)
	assert.Equal(t, "The address is incomplete.", s.Next.Reason)
	g.saveCustomerErr = nil
	assert.NotEmpty(t, e.openPage(t, s).Next.URL, "the payment can be made after the details were corrected")
}

func TestSubscription_DebitThatFailsAfterDaysCanBePaidOnAnotherPage(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	s := e.subscribe(t, fakegateway.FailsLate)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
	assert.Equal(t, noon.Add(3*day), s.Next.Until)
	assert.Equal(t, "Bank account •••• 4206", s.Next.Method.Label)

	e.advance(t, 3*day)

	s = e.readSubscription(t, s.ID)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Redirect, s.Next.Kind)
	assert.NotEmpty(t, s.Next.Reason)
	e.completePageAndRunWorker(t, e.openPage(t, s).Next.URL, fakegateway.Pays)
	e.advance(t, 3*day)
	assert.Equal(t, billing.Active, e.readSubscription(t, s.ID).Status)
}

func TestSubscription_ReturnedDebitIsOwedAgain(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	s := e.subscribe(t, fakegateway.ReturnsLate)
	e.advance(t, 3*day)
	require.Equal(t, billing.Active, e.readSubscription(t, s.ID).Status)

	e.advance(t, 7*day)

	s = e.readSubscription(t, s.ID)
	assert.Equal(t, billing.PastDue, s.Status)
	assert.Equal(t, s.LatestInvoice.AmountDue, s.LatestInvoice.Returned)
	list, err := e.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: s.CustomerID, Limit: 1})
	require.NoError(t, err)
	assert.Equal(t, s.LatestInvoice.AmountDue, list.Invoices[0].Returned)
	assert.Equal(t, billing.Redirect, s.Next.Kind)
	assert.Zero(t, s.LatestInvoice.NextAttemptAt, "the invoice is not charged again without the customer")
	e.completePageAndRunWorker(t, e.openPage(t, s).Next.URL, fakegateway.Pays)
	e.advance(t, 3*day)
	assert.Equal(t, billing.Active, e.readSubscription(t, s.ID).Status)
}

// The payment has failed and the customer needs another page, so a request has work to do at the gateway.
func TestReads_SendNoRequestToTheGateway(t *testing.T) {
	t.Parallel()
	requestCount := 0
	e := newEnv(t, newSQLite(t), slowSettlement, func(fakegateway.Call) error {
		requestCount++
		return nil
	})
	s := e.subscribe(t, fakegateway.FailsLate)
	e.moveClock(t, 3*day)
	deliveries := e.fake.Deliveries()
	_, err := e.ParseEvents(t.Context(), deliveries[len(deliveries)-1])
	require.NoError(t, err)
	e.moveClock(t, time.Hour)
	requestCount = 0

	s = e.readSubscription(t, s.ID)

	require.Equal(t, billing.Redirect, s.Next.Kind)
	assert.NotEmpty(t, s.Next.Reason)
	inv, customerID := s.LatestInvoice, s.CustomerID
	for name, read := range map[string]func() error{
		"ListSubscriptions": func() error { _, err := e.ListSubscriptions(t.Context(), customerID); return err },
		"Customer":          func() error { _, err := e.Customer(t.Context(), customerID); return err },
		"Cards":             func() error { _, err := e.Cards(t.Context(), customerID); return err },
		"ListInvoices": func() error {
			_, err := e.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: customerID, Limit: 1})
			return err
		},
		"InvoicePDF": func() error { _, err := e.InvoicePDF(t.Context(), customerID, inv.ID); return err },
		"QuoteSubscription": func() error {
			_, err := e.QuoteSubscription(t.Context(), payment.NewSubscription{CustomerID: e.createCustomer(t).ID, Price: standard})
			return err
		},
	} {
		require.NoError(t, read(), name)
	}
	assert.Zero(t, requestCount)

	assert.NotEmpty(t, e.openPage(t, s).Next.URL)
	assert.NotZero(t, requestCount)
}

func TestSubscription_IsReadableWhileNoPageCanBeOpened(t *testing.T) {
	t.Parallel()
	isDown := false
	e := newEnv(t, newSQLite(t), slowSettlement, func(fakegateway.Call) error {
		if isDown {
			return fault.New(fault.Unavailable, "The gateway is down.")
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.FailsLate)
	e.advance(t, 3*day)
	isDown = true
	_, err := e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: "pay", InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue,
	})
	require.NoError(t, err)

	s = e.readSubscription(t, s.ID)

	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
}

func TestCancelSubscription_KeepsThePlanIfThePaymentThatIsBeingSentSucceeds(t *testing.T) {
	t.Parallel()
	var shouldBlock atomic.Bool
	sendStarted, unblock := make(chan struct{}), make(chan struct{})
	e := newEnv(t, newSQLite(t), immediateSettlement, func(c fakegateway.Call) error {
		if c.Method == "Start" && !c.HasActed && shouldBlock.CompareAndSwap(true, false) {
			close(sendStarted)
			<-unblock
		}
		return nil
	})
	endedSub := e.subscribe(t, fakegateway.Pays)
	_, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: endedSub.ID})
	require.NoError(t, err)
	customer, err := e.Customer(t.Context(), endedSub.CustomerID)
	require.NoError(t, err)
	shouldBlock.Store(true)
	newSubs := make(chan billing.Subscription)
	go func() {
		s, err := e.Subscribe(t.Context(), payment.NewSubscription{
			Key: rand.Text(), CustomerID: customer.ID, Price: standard, MethodID: customer.Default.ID,
		})
		assert.NoError(t, err)
		newSubs <- s
	}()
	<-sendStarted
	incompleteSubs, err := e.ListSubscriptions(t.Context(), customer.ID, billing.Incomplete)
	require.NoError(t, err)
	require.Len(t, incompleteSubs, 1)
	go close(unblock)

	s, err := e.CancelSubscription(t.Context(), payment.Cancellation{
		Key: rand.Text(), SubscriptionID: incompleteSubs[0].ID, IfUnpaid: true,
	})

	require.NoError(t, err)
	assert.Equal(t, billing.Active, s.Status)
	assert.Equal(t, billing.Active, (<-newSubs).Status)
}
