package fakegateway_test

import (
	"context"
	"crypto/rand"
	"flag"
	"os"
	"os/exec"
	"path"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
	"github.com/vc-admin/diy/ports/payment"
)

// defect names the defect that a child process of TestSuite_FindsDefects adds to the gateway.
var defect = flag.String("defect", "", "the defect of the gateway")

// defects contains, by name, the behaviour of the suite that must fail, and a function that adds the defect to a gateway.
var defects = map[string]struct {
	failingBehaviour string
	corrupt          func(*defectiveGateway, *gatewaytest.Harness)
}{
	"repeated orders are charged again": {
		failingBehaviour: "keys/concurrent_orders_with_one_key_charge_once",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.capabilities = func(c gateway.Capabilities) gateway.Capabilities { c.KeyRetention = 30 * day; return c }
		},
	},
	"repeated refunds are made again": {
		failingBehaviour: "refunds/a_repeated_refund_is_made_once,_and_a_different_refund_with_the_same_key_returns_Conflict",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.refund = func(o gateway.RefundOrder) gateway.RefundOrder { o.Key += rand.Text(); return o }
			g.capabilities = func(c gateway.Capabilities) gateway.Capabilities { c.KeyRetention = 30 * day; return c }
		},
	},
	"declines are errors": {
		failingBehaviour: "declines/a_renewal_fails_in_the_scenario_declines",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.payment = func(p gateway.Payment) (gateway.Payment, error) {
				if p.State == gateway.Failed {
					return gateway.Payment{}, fault.New(fault.Declined, p.Reason)
				}
				return p, nil
			}
		},
	},
	"a canceled payment can be paid": {
		failingBehaviour: "page/the_page_of_a_canceled_payment_charges_nothing",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.cancel = func(p gateway.Payment) (gateway.Payment, error) { p.State, p.URL = gateway.Canceled, ""; return p, nil }
		},
	},
	"a page charges a paid payment again": {
		failingBehaviour: "page/a_page_that_is_completed_several_times_charges_once",
		corrupt: func(g *defectiveGateway, h *gatewaytest.Harness) {
			completePage := h.CompletePage
			h.CompletePage = func(t *testing.T, url string, s gatewaytest.Scenario) string {
				p, err := g.Find(t.Context(), gateway.Reference{Ref: path.Base(url)})
				require.NoError(t, err)
				if p.State == gateway.Paid {
					_, err = g.Start(t.Context(), gateway.Order{
						Key: rand.Text(), CustomerRef: g.customerRef, Amount: p.Amount, MethodRef: p.Method.Ref, CustomerPresent: true,
					})
					require.NoError(t, err)
				}
				return completePage(t, url, s)
			}
		},
	},
	"signatures are not verified": {
		failingBehaviour: "webhooks/a_delivery_whose_body_was_changed_is_Forbidden",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.delivery = func(d payment.Delivery) payment.Delivery { return fakegateway.Sign(d.Body) }
		},
	},
	"polling loses changes": {
		failingBehaviour: "polling/ListChanges_returns_all_changes,_or_those_after_a_cursor",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changes = func(refs []gateway.Reference) []gateway.Reference { return refs[:max(len(refs)-1, 0)] }
		},
	},
	"contexts are ignored": {
		failingBehaviour: "canceled_contexts/a_request_with_a_canceled_context_returns_Unavailable",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.context = context.WithoutCancel
		},
	},
}

// TestSuite_FindsDefects runs the suite in child processes, each with one defect, and requires that the suite fails there.
func TestSuite_FindsDefects(t *testing.T) {
	t.Parallel()
	if *defect != "" {
		gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
			h := newHarness(t, fakegateway.Config{ReturnWindow: time.Hour})
			g := newDefectiveGateway(h.Gateway)
			h.Gateway = g
			defects[*defect].corrupt(g, &h)
			return h
		})
		return
	}
	for name, d := range defects {
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

// defectiveGateway passes requests and responses of a gateway through its functions.
type defectiveGateway struct {
	gateway.Gateway
	capabilities func(gateway.Capabilities) gateway.Capabilities
	context      func(context.Context) context.Context
	payment      func(gateway.Payment) (gateway.Payment, error) // of Start
	cancel       func(gateway.Payment) (gateway.Payment, error) // replaces Cancel, unless it is nil
	refund       func(gateway.RefundOrder) gateway.RefundOrder
	delivery     func(payment.Delivery) payment.Delivery
	changes      func([]gateway.Reference) []gateway.Reference

	mu          sync.Mutex
	customerRef string // of the last order
}

func newDefectiveGateway(g gateway.Gateway) *defectiveGateway {
	return &defectiveGateway{
		Gateway:      g,
		capabilities: func(c gateway.Capabilities) gateway.Capabilities { return c },
		context:      func(ctx context.Context) context.Context { return ctx },
		payment:      func(p gateway.Payment) (gateway.Payment, error) { return p, nil },
		refund:       func(o gateway.RefundOrder) gateway.RefundOrder { return o },
		delivery:     func(d payment.Delivery) payment.Delivery { return d },
		changes:      func(refs []gateway.Reference) []gateway.Reference { return refs },
	}
}

func (g *defectiveGateway) Capabilities() gateway.Capabilities {
	return g.capabilities(g.Gateway.Capabilities())
}

func (g *defectiveGateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	g.mu.Lock()
	g.customerRef = o.CustomerRef
	g.mu.Unlock()
	p, err := g.Gateway.Start(g.context(ctx), o)
	if err != nil {
		return p, err
	}
	return g.payment(p)
}

func (g *defectiveGateway) Cancel(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	if g.cancel == nil {
		return g.Gateway.Cancel(ctx, r)
	}
	p, err := g.Find(ctx, r)
	if err != nil {
		return p, err
	}
	return g.cancel(p)
}

func (g *defectiveGateway) Refund(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
	r, err := g.Gateway.Refund(ctx, g.refund(o))
	r.Key = o.Key
	return r, err
}

func (g *defectiveGateway) ParseEvents(ctx context.Context, d payment.Delivery) ([]gateway.Reference, error) {
	return g.Gateway.ParseEvents(ctx, g.delivery(d))
}

func (g *defectiveGateway) ListChanges(ctx context.Context, cursor string) ([]gateway.Reference, string, error) {
	refs, next, err := g.Gateway.ListChanges(ctx, cursor)
	return g.changes(refs), next, err
}
