package fakegateway_test

import (
	"context"
	"flag"
	"maps"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
	"github.com/vc-admin/diy/ports/payment"
)

// defect names the defect that a child process of TestSuite_FindsDefects adds to the gateway.
var defect = flag.String("defect", "", "the defect of the gateway")

// TestSuite_FindsDefects runs the suite in child processes, each with one defect, and requires that the suite fails there
// in the behaviour that the table names.
func TestSuite_FindsDefects(t *testing.T) {
	t.Parallel()
	if *defect != "" {
		d := allDefects()[*defect]
		gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
			h := newHarness(t, d.config())
			g := &defectiveGateway{Gateway: h.Gateway}
			h.Gateway, h.DeliveryTimeout = g, time.Second // the fake gateway delivers immediately
			g.add(d, &h)
			return h
		})
		return
	}
	for name, d := range allDefects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			executable, err := os.Executable()
			require.NoError(t, err)
			child := exec.CommandContext(t.Context(), executable, "-test.run=^TestSuite_FindsDefects$", "-defect="+name)
			out, err := child.CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(out), "--- FAIL: TestSuite_FindsDefects/"+d.failingBehaviour)
		})
	}
}

// suiteDefect is a defect of a gateway, and the behaviour of the suite that must fail.
type suiteDefect struct {
	failingBehaviour string

	// What is defective: the orders, the payments of all responses, or the gateway or its harness in another way.
	changeOrder   func(gateway.Order) gateway.Order
	changePayment func(gateway.Payment) gateway.Payment
	corrupt       func(*defectiveGateway, *gatewaytest.Harness)

	settlesAtOnce bool // the payments settle immediately, instead of after three days
	hasNoKeys     bool // the provider ignores keys, instead of remembering them for 30 days
	hasCardField  bool // the entry is a card field, instead of a page
	lacksSaveOnly bool
	// cannotAuthenticate is set if no payment is open: cards are authenticated before they are entered in a field.
	cannotAuthenticate bool
}

func (d suiteDefect) config() fakegateway.Config {
	c := fakegateway.Config{Settlement: 3 * day, ReturnWindow: 56 * day, KeyRetention: 30 * day}
	if d.settlesAtOnce {
		c.Settlement = 0
	}
	if d.hasNoKeys {
		c.KeyRetention = 0
	}
	if d.hasCardField {
		c.Entry = payment.EntryCardField
	}
	if d.cannotAuthenticate {
		c.Entry, c.Settlement = payment.EntryCardField, time.Hour
		c.Missing = map[gateway.Capability]string{gateway.Authentication: "for the test"}
	}
	if d.lacksSaveOnly {
		c.Missing = map[gateway.Capability]string{gateway.SaveOnly: "for the test"}
	}
	return c
}

// allDefects returns the defects of all tables.
func allDefects() map[string]suiteDefect {
	all := maps.Clone(requestDefects)
	maps.Copy(all, reportDefects)
	maps.Copy(all, immediateCardDefects)
	return all
}

func newAmount(minor int64, currency string) money.Amount {
	amount, err := money.New(minor, currency)
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

// defectiveGateway is a gateway whose methods a defect can replace. A nil function is the method of the correct Gateway.
type defectiveGateway struct {
	gateway.Gateway
	capabilities func(gateway.Capabilities) gateway.Capabilities
	saveCustomer func(context.Context, gateway.Customer) (string, error)
	start        func(context.Context, gateway.Order) (gateway.Payment, error)
	find, cancel func(context.Context, gateway.Reference) (gateway.Payment, error)
	refund       func(context.Context, gateway.RefundOrder) (gateway.Refund, error)
	forget       func(context.Context, string) error
	parse        func(context.Context, payment.Delivery) ([]gateway.Reference, error)
	listChanges  func(context.Context, string) ([]gateway.Reference, string, error)
}

// add adds the defect to the gateway, or to the harness.
func (g *defectiveGateway) add(d suiteDefect, h *gatewaytest.Harness) {
	switch {
	case d.changeOrder != nil:
		g.changeOrders(d.changeOrder)
	case d.changePayment != nil:
		g.changePayments(d.changePayment)
	default:
		d.corrupt(g, h)
	}
}

func (g *defectiveGateway) Capabilities() gateway.Capabilities {
	if g.capabilities != nil {
		return g.capabilities(g.Gateway.Capabilities())
	}
	return g.Gateway.Capabilities()
}

func (g *defectiveGateway) SaveCustomer(ctx context.Context, c gateway.Customer) (string, error) {
	if g.saveCustomer != nil {
		return g.saveCustomer(ctx, c)
	}
	return g.Gateway.SaveCustomer(ctx, c)
}

func (g *defectiveGateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	if g.start != nil {
		return g.start(ctx, o)
	}
	return g.Gateway.Start(ctx, o)
}

func (g *defectiveGateway) Find(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	if g.find != nil {
		return g.find(ctx, r)
	}
	return g.Gateway.Find(ctx, r)
}

func (g *defectiveGateway) Cancel(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	if g.cancel != nil {
		return g.cancel(ctx, r)
	}
	return g.Gateway.Cancel(ctx, r)
}

func (g *defectiveGateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
	if g.refund != nil {
		return g.refund(ctx, o)
	}
	return g.Gateway.Refund(ctx, o)
}

func (g *defectiveGateway) Forget(ctx context.Context, methodRef string) error {
	if g.forget != nil {
		return g.forget(ctx, methodRef)
	}
	return g.Gateway.Forget(ctx, methodRef)
}

func (g *defectiveGateway) ParseEvents(ctx context.Context, d payment.Delivery) ([]gateway.Reference, error) {
	if g.parse != nil {
		return g.parse(ctx, d)
	}
	return g.Gateway.ParseEvents(ctx, d)
}

func (g *defectiveGateway) ListChanges(ctx context.Context, cursor string) ([]gateway.Reference, string, error) {
	if g.listChanges != nil {
		return g.listChanges(ctx, cursor)
	}
	return g.Gateway.ListChanges(ctx, cursor)
}

// changePayments passes the payments of all responses through change.
func (g *defectiveGateway) changePayments(change func(gateway.Payment) gateway.Payment) {
	changed := func(p gateway.Payment, err error) (gateway.Payment, error) {
		if err != nil {
			return p, err
		}
		return change(p), nil
	}
	g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
		return changed(g.Gateway.Start(ctx, o))
	}
	g.find = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
		return changed(g.Gateway.Find(ctx, r))
	}
	g.cancel = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
		return changed(g.Gateway.Cancel(ctx, r))
	}
}

// changeOrders passes the orders through change. The responses contain the amount of the original order.
func (g *defectiveGateway) changeOrders(change func(gateway.Order) gateway.Order) {
	g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
		p, err := g.Gateway.Start(ctx, change(o))
		p.Key, p.Amount = o.Key, o.Amount
		return p, err
	}
}
