package fakegateway_test

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
	"github.com/vc-admin/diy/ports/payment"
)

// reportDefects contains defects in what a gateway reports about payments, refunds and events, by name.
var reportDefects = map[string]suiteDefect{
	// Declines and failed requests
	"declines are errors": {
		failingBehaviour: "declines/a_renewal_in_the_scenario_declines_fails_with_the_decline_of_the_scenario",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				p, err := g.Gateway.Start(ctx, o)
				if p.State == gateway.Failed {
					return gateway.Payment{}, fault.New(fault.Declined, p.Reason)
				}
				return p, err
			}
		},
	},
	"hard declines are soft, without SaveOnly": {
		failingBehaviour: "declines/a_renewal_in_the_scenario_declines_hard_fails_with_the_decline_of_the_scenario", lacksSaveOnly: true,
		changePayment: func(p gateway.Payment) gateway.Payment {
			if p.Decline == gateway.HardDecline {
				p.Decline = gateway.SoftDecline
			}
			return p
		},
	},
	"a revoked mandate is a soft decline": {
		failingBehaviour: "declines/a_renewal_in_the_scenario_revoked_fails_with_the_decline_of_the_scenario",
		changePayment: func(p gateway.Payment) gateway.Payment {
			if p.Decline == gateway.MethodGone {
				p.Decline = gateway.SoftDecline
			}
			return p
		},
	},
	"every failed request is a decline": {
		failingBehaviour: "failed_requests/a_renewal_returns_Unavailable_after_a_status_401,_403,_429_or_5xx,_and_charges_nothing",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				p, err := g.Gateway.Start(ctx, o)
				if fault.Is(err, fault.Unavailable) {
					return gateway.Payment{Reference: gateway.Reference{Key: o.Key}, State: gateway.Failed, Amount: o.Amount}, nil
				}
				return p, err
			}
		},
	},
	"a status 401 of a refund is Invalid": {
		failingBehaviour: "failed_requests/a_refund_returns_Unavailable_after_a_status_401,_403,_429_or_5xx,_and_is_not_made",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.refund = func(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
				r, err := g.Gateway.Refund(ctx, o)
				if err != nil && strings.Contains(err.Error(), "401") {
					return r, fault.Wrap(err, fault.Invalid, "The refund was refused.")
				}
				return r, err
			}
		},
	},
	"a payment is unknown after a failed request": {
		failingBehaviour: "failed_requests/Find,_Cancel_and_Forget_return_Unavailable_after_a_status_401,_403,_429_or_5xx",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.find = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				p, err := g.Gateway.Find(ctx, r)
				if err != nil {
					return p, fault.Wrap(err, fault.NotFound, "There is no such payment.")
				}
				return p, nil
			}
		},
	},
	"contexts are ignored": {
		failingBehaviour: "canceled_contexts/a_request_with_a_canceled_context_returns_Unavailable",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				return g.Gateway.Start(context.WithoutCancel(ctx), o)
			}
		},
	},

	// Settlement, returns and refunds
	"the declared settlement of the kind of method is too short": {
		failingBehaviour: "settlement/a_payment_is_paid_within_the_settlement_time",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.capabilities = func(c gateway.Capabilities) gateway.Capabilities {
				c.SettlementByKind = map[billing.MethodKind]time.Duration{billing.CardMethod: day}
				return c
			}
		},
	},
	"the declared settlement is too short": {
		failingBehaviour: "settlement/a_payment_is_paid_within_the_settlement_time",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.capabilities = func(c gateway.Capabilities) gateway.Capabilities { c.Settlement = day; return c }
		},
	},
	"an accepted payment is reported as paid": {
		failingBehaviour: "settlement/a_processing_payment_that_the_bank_refuses_fails_with_a_reason",
		changePayment: func(p gateway.Payment) gateway.Payment {
			if p.State == gateway.Processing {
				p.State, p.ExpectedBy = gateway.Paid, time.Time{}
			}
			return p
		},
	},
	"a returned payment stays paid": {
		failingBehaviour: "settlement/a_payment_that_the_bank_returns_is_Returned_and_can't_be_refunded",
		changePayment: func(p gateway.Payment) gateway.Payment {
			if p.State == gateway.Returned {
				p.State = gateway.Paid
			}
			return p
		},
	},
	"a payment of which a part is charged back is Returned": {
		failingBehaviour: "settlement/a_payment_of_which_the_bank_returns_a_part_stays_paid,_and_the_part_is_a_refund",
		changePayment: func(p gateway.Payment) gateway.Payment {
			isByHand := func(r gateway.Refund) bool { return r.Key == "" && r.State == gateway.Paid }
			if slices.ContainsFunc(p.Refunds, isByHand) {
				p.State, p.Refunds = gateway.Returned, nil
			}
			return p
		},
	},
	"only the first refund by hand is reported": {
		failingBehaviour: "refunds/each_refund_by_hand_has_a_reference_of_its_own,_whose_amount_does_not_change",
		changePayment: func(p gateway.Payment) gateway.Payment {
			if len(p.Refunds) > 1 && p.Refunds[0].Key == "" {
				p.Refunds = p.Refunds[:1]
			}
			return p
		},
	},
	"refunds by hand are merged": {
		failingBehaviour: "refunds/each_refund_by_hand_has_a_reference_of_its_own,_whose_amount_does_not_change",
		changePayment: func(p gateway.Payment) gateway.Payment {
			if len(p.Refunds) > 1 && p.Refunds[0].Key == "" {
				merged := p.Refunds[0]
				for _, r := range p.Refunds[1:] {
					merged.Amount = newAmount(merged.Amount.Minor()+r.Amount.Minor(), merged.Amount.Currency().Code)
				}
				p.Refunds = []gateway.Refund{merged}
			}
			return p
		},
	},
	"only the first page of refunds is reported": {
		failingBehaviour: "refunds/Find_returns_each_of_many_refunds",
		changePayment: func(p gateway.Payment) gateway.Payment {
			p.Refunds = p.Refunds[:min(100, len(p.Refunds))]
			return p
		},
	},
	"a failed refund is reported as paid": {
		failingBehaviour: "refunds/a_payment_can_be_refunded_again_after_a_refund_has_failed",
		changePayment: func(p gateway.Payment) gateway.Payment {
			for i, r := range p.Refunds {
				if r.State == gateway.Failed {
					p.Refunds[i].State = gateway.Paid
				}
			}
			return p
		},
	},

	// Disputes
	"a disputed payment is Returned": {
		failingBehaviour: "disputes/a_payment_of_which_a_part_is_disputed_stays_paid",
		changePayment: func(p gateway.Payment) gateway.Payment {
			if len(p.Disputes) > 0 {
				p.State, p.Disputes = gateway.Returned, nil
			}
			return p
		},
	},
	"a partial dispute has the amount of the payment": {
		failingBehaviour: "disputes/a_payment_of_which_a_part_is_disputed_stays_paid",
		changePayment: func(p gateway.Payment) gateway.Payment {
			for i := range p.Disputes {
				p.Disputes[i].Amount = p.Amount
			}
			return p
		},
	},
	"a dispute is also reported as a refund": {
		failingBehaviour: "disputes/a_payment_of_which_a_part_is_disputed_stays_paid",
		changePayment: func(p gateway.Payment) gateway.Payment {
			for _, d := range p.Disputes {
				p.Refunds = append(p.Refunds, gateway.Refund{Ref: d.Ref, Amount: d.Amount, State: gateway.Paid})
			}
			return p
		},
	},
	"a dispute that was won is reported as lost": {
		failingBehaviour: "disputes/a_decided_dispute_keeps_its_reference_and_amount",
		changePayment: func(p gateway.Payment) gateway.Payment {
			for i := range p.Disputes {
				if p.Disputes[i].Status == billing.DisputeWon {
					p.Disputes[i].Status = billing.DisputeLost
				}
			}
			return p
		},
	},
	"the decision of a dispute has a reference of its own": {
		failingBehaviour: "disputes/a_decided_dispute_keeps_its_reference_and_amount",
		changePayment: func(p gateway.Payment) gateway.Payment {
			for i := range p.Disputes {
				p.Disputes[i].Ref += string(p.Disputes[i].Status)
			}
			return p
		},
	},
	"decided disputes are not reported": {
		failingBehaviour: "disputes/a_decided_dispute_keeps_its_reference_and_amount",
		changePayment: func(p gateway.Payment) gateway.Payment {
			p.Disputes = slices.DeleteFunc(p.Disputes, func(d gateway.Dispute) bool { return d.Status != billing.DisputeOpen })
			return p
		},
	},
	"a second chargeback reopens the first dispute": {
		failingBehaviour: "disputes/another_dispute_of_a_payment_has_a_reference_of_its_own",
		changePayment: func(p gateway.Payment) gateway.Payment {
			if n := len(p.Disputes); n > 1 {
				first := p.Disputes[0]
				first.Status, first.DecidedAt = p.Disputes[n-1].Status, time.Time{}
				p.Disputes = []gateway.Dispute{first}
			}
			return p
		},
	},
	"disputed money is refunded": {
		failingBehaviour: "disputes/a_refund_of_a_disputed_amount_returns_Conflict",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.refund = func(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
				r, err := g.Gateway.Refund(ctx, o)
				if p, _ := g.Gateway.Find(ctx, gateway.Reference{Ref: o.PaymentRef}); len(p.Disputes) > 0 && fault.Is(err, fault.Conflict) {
					return gateway.Refund{Key: o.Key, Ref: "refund", Amount: o.Amount, State: gateway.Processing}, nil
				}
				return r, err
			}
		},
	},
	"disputes are no changes": {
		failingBehaviour: "disputes/ListChanges_returns_a_payment_whose_dispute_is_opened_or_decided",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.listChanges = func(ctx context.Context, cursor string) ([]gateway.Reference, string, error) {
				refs, next, err := g.Gateway.ListChanges(ctx, cursor)
				return slices.DeleteFunc(refs, func(ref gateway.Reference) bool {
					p, _ := g.Gateway.Find(ctx, ref)
					return len(p.Disputes) > 0
				}), next, err
			}
		},
	},
	"the webhook ignores decisions of disputes": {
		failingBehaviour: "disputes/a_dispute_and_its_decision_are_delivered",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.parse = func(ctx context.Context, d payment.Delivery) ([]gateway.Reference, error) {
				refs, err := g.Gateway.ParseEvents(ctx, d)
				return slices.DeleteFunc(refs, func(ref gateway.Reference) bool {
					p, _ := g.Gateway.Find(ctx, ref)
					return len(p.Disputes) > 0 && p.Disputes[0].Status != billing.DisputeOpen
				}), err
			}
		},
	},

	// Events
	"signatures are not verified": {
		failingBehaviour: "webhooks/a_delivery_whose_body_was_changed_is_Forbidden",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.parse = func(ctx context.Context, d payment.Delivery) ([]gateway.Reference, error) {
				return g.Gateway.ParseEvents(ctx, fakegateway.Sign(d.Body))
			}
		},
	},
	"the events of refunds name no payment": {
		failingBehaviour: "webhooks/each_change_of_a_payment_is_delivered",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			refundedRef := ""
			g.refund = func(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
				refundedRef = o.PaymentRef
				return g.Gateway.Refund(ctx, o)
			}
			g.parse = func(ctx context.Context, d payment.Delivery) ([]gateway.Reference, error) {
				refs, err := g.Gateway.ParseEvents(ctx, d)
				return slices.DeleteFunc(refs, func(r gateway.Reference) bool { return r.Ref == refundedRef }), err
			}
		},
	},
	"a body without events is accepted": {
		failingBehaviour: "webhooks/a_body_without_events_is_Invalid",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.parse = func(ctx context.Context, d payment.Delivery) ([]gateway.Reference, error) {
				refs, err := g.Gateway.ParseEvents(ctx, d)
				if fault.Is(err, fault.Invalid) {
					err = nil
				}
				return refs, err
			}
		},
	},
	"refunds by hand are no changes": {
		failingBehaviour: "polling/ListChanges_returns_payments_that_settle_or_are_refunded_by_hand",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.listChanges = func(ctx context.Context, cursor string) ([]gateway.Reference, string, error) {
				refs, next, err := g.Gateway.ListChanges(ctx, cursor)
				return slices.DeleteFunc(refs, func(ref gateway.Reference) bool {
					p, _ := g.Gateway.Find(ctx, ref)
					return len(p.Refunds) > 0
				}), next, err
			}
		},
	},
	"polling loses changes": {
		failingBehaviour: "polling/ListChanges_returns_all_changes,_or_those_after_a_cursor",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.listChanges = func(ctx context.Context, cursor string) ([]gateway.Reference, string, error) {
				refs, next, err := g.Gateway.ListChanges(ctx, cursor)
				return refs[:max(len(refs)-1, 0)], next, err
			}
		},
	},
}
