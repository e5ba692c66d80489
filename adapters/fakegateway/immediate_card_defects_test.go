package fakegateway_test

import (
	"context"
	"slices"
	"sync"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
)

// immediateCardDefects contains defects of a gateway that lacks gateway.Authentication, by name. None of its payments is open.
var immediateCardDefects = map[string]suiteDefect{
	"only the first page of a list is read": {
		failingBehaviour: "orders/Find_finds_each_of_many_payments_by_its_key", cannotAuthenticate: true,
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			var mu sync.Mutex
			var keys []string
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				mu.Lock()
				keys = append(keys, o.Key)
				mu.Unlock()
				return g.Gateway.Start(ctx, o)
			}
			g.find = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				mu.Lock()
				defer mu.Unlock()
				if firstPage := keys[max(0, len(keys)-100):]; r.Ref == "" && !slices.Contains(firstPage, r.Key) {
					return gateway.Payment{}, fault.New(fault.NotFound, "There is no such payment.")
				}
				return g.Gateway.Find(ctx, r)
			}
		},
	},
	"a card that was only saved is not found by its key": {
		failingBehaviour: "orders/Find_finds_an_order_that_only_saves_a_method_by_its_key", cannotAuthenticate: true,
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.find = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				p, err := g.Gateway.Find(ctx, r)
				if err == nil && r.Ref == "" && p.Amount.Minor() == 0 {
					return gateway.Payment{}, fault.New(fault.NotFound, "There is no such payment.")
				}
				return p, err
			}
		},
	},
	"ListChanges drops the changes after the tenth": {
		failingBehaviour: "polling/ListChanges_returns_all_changes,_or_those_after_a_cursor", cannotAuthenticate: true,
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.listChanges = func(ctx context.Context, cursor string) ([]gateway.Reference, string, error) {
				refs, next, err := g.Gateway.ListChanges(ctx, cursor)
				return refs[:min(len(refs), 10)], next, err
			}
		},
	},
	"a payment that needs the customer is declined softly": {
		failingBehaviour: "declines/a_renewal_in_the_scenario_authenticates_fails_with_the_decline_of_the_scenario", cannotAuthenticate: true,
		changePayment: func(p gateway.Payment) gateway.Payment {
			if p.Decline == gateway.CustomerNeeded {
				p.Decline = gateway.SoftDecline
			}
			return p
		},
	},
	"a refused payment has no reference": {
		failingBehaviour: "declines/a_renewal_in_the_scenario_declines_fails_with_the_decline_of_the_scenario", cannotAuthenticate: true,
		changePayment: func(p gateway.Payment) gateway.Payment {
			if p.State == gateway.Failed {
				p.Ref = ""
			}
			return p
		},
	},
	"a refund that can still fail is reported as Paid": {
		failingBehaviour: "refunds/a_payment_can_be_refunded_again_after_a_refund_has_failed", cannotAuthenticate: true,
		changePayment: func(p gateway.Payment) gateway.Payment {
			for i, r := range p.Refunds {
				if r.State == gateway.Processing {
					p.Refunds[i].State = gateway.Paid
				}
			}
			return p
		},
	},
	"a refund of a payment that is not paid is Invalid": {
		failingBehaviour: "refunds/a_refund_of_a_payment_that_is_not_paid_returns_Conflict", cannotAuthenticate: true,
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.refund = func(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
				r, err := g.Gateway.Refund(ctx, o)
				if p, findErr := g.Gateway.Find(ctx, gateway.Reference{Ref: o.PaymentRef}); findErr == nil && p.State != gateway.Paid && err != nil {
					return r, fault.Wrap(err, fault.Invalid, "The payment can't be refunded.")
				}
				return r, err
			}
		},
	},
	"a forgotten card is accepted by an order of 0": {
		failingBehaviour: "token/an_order_of_0_with_a_forgotten_method_is_refused", cannotAuthenticate: true,
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				if o.MethodRef != "" && o.Amount.Minor() == 0 {
					return gateway.Payment{
						Reference: gateway.Reference{Key: o.Key, Ref: o.Key}, State: gateway.Paid, Amount: o.Amount,
						Method: &gateway.Method{Ref: o.MethodRef},
					}, nil
				}
				return g.Gateway.Start(ctx, o)
			}
		},
	},
}
