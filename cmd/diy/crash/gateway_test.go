package crash

import (
	"cmp"
	"context"
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// withGateway makes the servers bill with the fake gateway.
func (h *harness) withGateway() *harness {
	h.usesGateway = true
	h.launcher.env = append(h.launcher.env, "DIY_PAYMENTS=fakegateway")
	return h
}

// openGateway opens the provider that bills with the fake gateway and returns a function that closes the gateway.
func (c *comparison) openGateway() (closeGateway func()) {
	config := fakegateway.CardsAndDebits()
	config.Clock = c.clock
	var err error
	c.gateway, err = fakegateway.Open(config, c.devFile("gateway"))
	require.NoError(c.t, err)
	c.provider, err = enginepayment.New(enginepayment.Config{
		Gateway: c.gateway.Gateway(nil), Database: c.store.Database(), Clock: c.clock, Catalogue: catalogue.Default(),
		NumberPrefix: "FG-",
	})
	require.NoError(c.t, err)
	return func() { assert.NoError(c.t, c.gateway.Close()) }
}

// settleAtGateway sends what the outboxes contain, and reports the changes, as a server does in the background.
func (c *comparison) settleAtGateway() {
	worker, ok := c.provider.(payment.Worker)
	if !ok {
		return
	}
	for count := 1; count > 0; {
		var err error
		count, err = worker.Tick(c.t.Context(), c.app.ReceiveEvent.Apply)
		require.NoError(c.t, err)
	}
}

// gatewayCustomerIDs returns the ids of all customers that enginepayment has stored.
func (c *comparison) gatewayCustomerIDs() (ids []string) {
	require.NoError(c.t, c.store.Database().Read(c.t.Context(), func(tx plugin.Tx) error {
		return tx.List(c.t.Context(), &ids, "SELECT id FROM gateway_customers")
	}))
	return ids
}

// compareCharges requires that each charge at the gateway is one payment of an invoice, either received or processing.
func (c *comparison) compareCharges(r *record, customerID string, subs []billing.Subscription, invoices []billing.Invoice) {
	ref, err := c.gateway.Gateway(nil).SaveCustomer(context.WithoutCancel(c.t.Context()), gateway.Customer{ID: customerID})
	require.NoError(c.t, err)
	charges, payments := c.gateway.ChargedAmounts(ref), []money.Amount{}
	for _, inv := range invoices {
		for _, p := range inv.ReceivedPayments {
			payments = append(payments, p.Amount)
		}
	}
	for _, sub := range subs {
		if inv := sub.LatestInvoice; inv != nil && inv.Payment != nil && inv.Payment.Status == billing.Processing {
			payments = append(payments, inv.AmountRemaining())
		}
	}
	byAmount := func(x, y money.Amount) int { return cmp.Compare(x.Minor(), y.Minor()) }
	slices.SortFunc(charges, byAmount)
	slices.SortFunc(payments, byAmount)
	if !slices.Equal(charges, payments) {
		c.report.addDuplicate("user %d: charges at the gateway %v, payments of invoices %v", r.userNumber, charges, payments)
	}
}
