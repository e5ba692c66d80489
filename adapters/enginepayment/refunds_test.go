package enginepayment

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// mergingGateway reports all refunds of a payment as one refund, whose amount is the sum.
type mergingGateway struct{ gateway.Gateway }

func (g mergingGateway) Find(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	p, err := g.Gateway.Find(ctx, r)
	if len(p.Refunds) > 1 {
		merged := p.Refunds[0]
		for _, refund := range p.Refunds[1:] {
			merged.Amount = ledger.Amount(merged.Amount.Minor()+refund.Amount.Minor(), merged.Amount.Currency().Code)
		}
		p.Refunds = []gateway.Refund{merged}
	}
	return p, err
}

func TestProcessOutbox_LogsARefundThatIsReportedAgainWithAnotherAmount(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), immediateSettlement, nil)
	config, log := e.Config, &bytes.Buffer{}
	config.Gateway, config.Log = mergingGateway{config.Gateway}, slog.New(slog.NewTextHandler(log, nil))
	var err error
	e.Provider, err = New(config)
	require.NoError(t, err)
	s := e.subscribe(t, fakegateway.Pays)
	debits := e.debitedPayments(t, s.CustomerID)
	require.Len(t, debits, 1)
	refundByHand := func(minor int64) {
		amount, err := money.New(minor, "AUD")
		require.NoError(t, err)
		require.NoError(t, e.fake.RefundByHand(debits[0], amount))
		e.runWorker(t)
	}

	refundByHand(10_00)
	assert.Empty(t, log.String())
	refundByHand(5_00)

	assert.Contains(t, log.String(), "the gateway has changed the amount of a refund")
	assert.Contains(t, log.String(), "AUD 10.00")
	assert.Contains(t, log.String(), "AUD 15.00")
	e.lookUpPayment(t, s.CustomerID, debits[0])
	assert.Equal(t, 1, strings.Count(log.String(), "\n"), "the repeated report is not logged")
	assert.EqualValues(t, 10_00, e.listInvoices(t, s.CustomerID)[0].Refunded.Minor())
}

// lateFailureGateway reports all paid payments as failed.
type lateFailureGateway struct{ gateway.Gateway }

func (g lateFailureGateway) Find(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	p, err := g.Gateway.Find(ctx, r)
	if p.State == gateway.Paid {
		p.State = gateway.Failed
	}
	return p, err
}

func TestProcessOutbox_LogsAPaidPaymentThatIsReportedAsFailed(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), immediateSettlement, nil)
	s := e.subscribe(t, fakegateway.Pays)
	debits := e.debitedPayments(t, s.CustomerID)
	require.Len(t, debits, 1)
	config, log := e.Config, &bytes.Buffer{}
	config.Gateway, config.Log = lateFailureGateway{config.Gateway}, slog.New(slog.NewTextHandler(log, nil))
	var err error
	e.Provider, err = New(config)
	require.NoError(t, err)

	e.lookUpPayment(t, s.CustomerID, debits[0])

	assert.Contains(t, log.String(), "the gateway reports a paid payment as failed")
	assert.Contains(t, log.String(), debits[0])
	assert.Equal(t, billing.InvoicePaid, e.listInvoices(t, s.CustomerID)[0].Status)
}

// lookUpPayment reads the payment with the reference at the gateway, as after a webhook.
func (e *env) lookUpPayment(t *testing.T, customerID, ref string) {
	t.Helper()
	_, err := e.markForLookup(t.Context(), gateway.Reference{Ref: ref})
	require.NoError(t, err)
	e.lookUpUnsettledPayments(t.Context(), customerID)
}

// debitedPayments returns the gateway's references of the customer's payments.
func (e *env) debitedPayments(t *testing.T, customerID string) []string {
	t.Helper()
	var refs []string
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		return tx.List(t.Context(), &refs, "SELECT ref FROM gateway_attempts WHERE customer_id = ?", customerID)
	}))
	return refs
}
