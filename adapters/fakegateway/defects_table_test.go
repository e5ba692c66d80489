package fakegateway_test

import (
	"context"
	"crypto/rand"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
	"github.com/vc-admin/diy/ports/payment"
)

// suiteDefect is a defect of a gateway, and the behaviour of the suite that must fail.
type suiteDefect struct {
	failingBehaviour string
	corrupt          func(*defectiveGateway, *gatewaytest.Harness)
	settlesAtOnce    bool // the payments settle immediately, instead of after three days
	hasNoKeys        bool // the provider ignores keys, instead of remembering them for 30 days
	hasCardField     bool // the entry is a card field, instead of a page
	lacksSaveOnly    bool
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
	if d.lacksSaveOnly {
		c.Missing = map[gateway.Capability]string{gateway.SaveOnly: "for the test"}
	}
	return c
}

func newAmount(minor int64, currency string) money.Amount {
	amount, err := money.New(minor, currency)
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

// declareKeys declares keys that the provider ignores.
func declareKeys(c gateway.Capabilities) gateway.Capabilities { c.KeyRetention = 30 * day; return c }

// defects contains the defects by name.
var defects = map[string]suiteDefect{
	// Amounts
	"every payment is made in AUD": {
		failingBehaviour: "currencies/an_order_is_charged_and_refunded_in_USD",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changeOrders(func(o gateway.Order) gateway.Order { o.Amount = newAmount(o.Amount.Minor(), "AUD"); return o })
		},
	},
	"JPY has two decimals": {
		failingBehaviour: "currencies/an_order_is_charged_and_refunded_in_JPY",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changeOrders(func(o gateway.Order) gateway.Order {
				if o.Amount.Currency().Code == "JPY" {
					o.Amount = newAmount(100*o.Amount.Minor(), "JPY")
				}
				return o
			})
		},
	},
	"refunds are reported in AUD": {
		failingBehaviour: "currencies/an_order_is_charged_and_refunded_in_USD",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				for i, r := range p.Refunds {
					p.Refunds[i].Amount = newAmount(r.Amount.Minor(), "AUD")
				}
				return p
			})
		},
	},
	"the declared minimum is too low": {
		failingBehaviour: "currencies/the_minimum_can_be_charged",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.capabilities = func(c gateway.Capabilities) gateway.Capabilities {
				c.Minimum = func(string) int64 { return 1 }
				return c
			}
		},
	},

	// Keys and lost responses
	"repeated orders are charged again": {
		failingBehaviour: "keys/concurrent_orders_with_one_key_charge_once", hasNoKeys: true,
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) { g.capabilities = declareKeys },
	},
	"repeated refunds are made again": {
		failingBehaviour: "refunds/a_repeated_refund_is_made_once,_and_a_different_refund_with_the_same_key_returns_Conflict",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.refund = func(ctx context.Context, o gateway.RefundOrder) (gateway.Refund, error) {
				key := o.Key
				o.Key += rand.Text()
				r, err := g.Gateway.Refund(ctx, o)
				r.Key = key
				return r, err
			}
		},
	},
	"a repeated order returns the first response": {
		failingBehaviour: "keys/a_repeated_order_returns_the_current_state_of_the_payment_and_charges_nothing",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			var mu sync.Mutex
			responses := map[gateway.Order]gateway.Payment{}
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				mu.Lock()
				defer mu.Unlock()
				if p, isRepeat := responses[o]; isRepeat {
					return p, nil
				}
				p, err := g.Gateway.Start(ctx, o)
				if err == nil {
					responses[o] = p
				}
				return p, err
			}
		},
	},
	"a different order with the same key returns the payment": {
		failingBehaviour: "keys/a_different_order_with_the_same_key_returns_Conflict",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				p, err := g.Gateway.Start(ctx, o)
				if fault.Is(err, fault.Conflict) {
					return g.Gateway.Find(ctx, gateway.Reference{Key: o.Key})
				}
				return p, err
			}
		},
	},
	"an order of another method with the same key returns the payment": {
		failingBehaviour: "keys/an_order_of_another_method_with_the_same_key_returns_Conflict",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				p, err := g.Gateway.Start(ctx, o)
				if fault.Is(err, fault.Conflict) {
					if p, err := g.Gateway.Find(ctx, gateway.Reference{Key: o.Key}); err == nil && p.Amount == o.Amount {
						return p, nil
					}
				}
				return p, err
			}
		},
	},
	"the key is not stored with the payment": {
		failingBehaviour: "lost_responses/an_order_is_charged_once_if_the_response_is_lost",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.find = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				return g.Gateway.Find(ctx, gateway.Reference{Ref: r.Ref})
			}
		},
	},
	"the key is not stored with the refund": {
		failingBehaviour: "lost_responses/a_refund_is_made_once_if_the_response_is_lost",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				for i := range p.Refunds {
					p.Refunds[i].Key = ""
				}
				return p
			})
		},
	},
	"only the first page of payments is searched": {
		failingBehaviour: "orders/Find_finds_each_of_many_payments_by_its_key",
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
				isOnFirstPage := slices.Contains(keys[max(0, len(keys)-100):], r.Key)
				mu.Unlock()
				if r.Ref == "" && !isOnFirstPage {
					return gateway.Payment{}, fault.New(fault.NotFound, "unknown")
				}
				return g.Gateway.Find(ctx, r)
			}
		},
	},

	// Customers and methods
	"a repeated creation makes another customer": {
		failingBehaviour: "customers/a_repeated_creation_returns_the_same_customer_for_an_hour",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.saveCustomer = func(ctx context.Context, c gateway.Customer) (string, error) {
				c.ID += rand.Text()
				return g.Gateway.SaveCustomer(ctx, c)
			}
		},
	},
	"an update makes another customer": {
		failingBehaviour: "customers/an_updated_customer_keeps_its_reference",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.saveCustomer = func(ctx context.Context, c gateway.Customer) (string, error) {
				c.ID += c.Email
				return g.Gateway.SaveCustomer(ctx, c)
			}
		},
	},
	"the newest method is charged, also of another customer": {
		failingBehaviour: "saved_methods/an_order_charges_the_method_that_it_names,_also_if_the_customer_or_others_have_newer_ones",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			var mu sync.Mutex
			newest := ""
			g.find = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				p, err := g.Gateway.Find(ctx, r)
				mu.Lock()
				defer mu.Unlock()
				if p.Method != nil {
					newest = p.Method.Ref
				}
				return p, err
			}
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				mu.Lock()
				if o.MethodRef != "" && o.MethodRef != "unknown" && newest != "" {
					o.MethodRef = newest
				}
				mu.Unlock()
				return g.Gateway.Start(ctx, o)
			}
		},
	},
	"a forgotten method can be charged": {
		failingBehaviour: "saved_methods/a_forgotten_method_can't_be_charged",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.forget = func(ctx context.Context, _ string) error { return g.Gateway.Forget(ctx, "unknown") }
		},
	},
	"an account that is saved twice has two fingerprints": {
		failingBehaviour: "saved_methods/a_method_has_details,_and_equal_accounts_have_equal_fingerprints",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				if p.Method != nil {
					p.Method.Details.Fingerprint = p.Method.Ref
				}
				return p
			})
		},
	},
	"a saved card is charged without authentication": {
		failingBehaviour: "saved_methods/a_payment_with_a_saved_method_is_open_until_it_is_authenticated", lacksSaveOnly: true,
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changeOrders(func(o gateway.Order) gateway.Order {
				o.CustomerPresent = o.CustomerPresent && o.MethodRef == ""
				return o
			})
		},
	},

	// Declines and failed requests
	"declines are errors": {
		failingBehaviour: "declines/a_renewal_fails_in_the_scenario_declines",
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
		failingBehaviour: "declines/a_renewal_fails_in_the_scenario_declines_hard", lacksSaveOnly: true,
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				if p.Decline == gateway.HardDecline {
					p.Decline = gateway.SoftDecline
				}
				return p
			})
		},
	},
	"a revoked mandate is a soft decline": {
		failingBehaviour: "declines/a_renewal_fails_in_the_scenario_revoked",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				if p.Decline == gateway.MethodGone {
					p.Decline = gateway.SoftDecline
				}
				return p
			})
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

	// Pages, tokens and cancellations
	"a card is charged although its authentication fails": {
		failingBehaviour: "token/a_failed_authentication_charges_nothing", hasCardField: true,
		corrupt: func(_ *defectiveGateway, h *gatewaytest.Harness) {
			authenticate := h.Authenticate
			h.Authenticate = func(t *testing.T, secret string, _ bool) { authenticate(t, secret, true) }
		},
	},
	"a canceled payment can be paid": {
		failingBehaviour: "page/the_page_of_a_canceled_payment_charges_nothing",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.cancel = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				p, err := g.Gateway.Find(ctx, r)
				p.State, p.URL = gateway.Canceled, ""
				return p, err
			}
		},
	},
	"a page charges a paid payment again": {
		failingBehaviour: "page/a_page_that_is_completed_several_times_charges_once", settlesAtOnce: true,
		corrupt: chargePaidPageAgain,
	},
	"a page has another URL in each response": {
		failingBehaviour: "orders/Find_finds_a_payment_by_its_key_or_its_reference",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				if p.URL != "" {
					p.URL = strings.Replace(p.URL, "https://", "https://"+rand.Text()+"@", 1)
				}
				return p
			})
		},
	},
	"the page does not lead back": {
		failingBehaviour: "page/a_completed_page_charges_and_saves_the_method",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changeOrders(func(o gateway.Order) gateway.Order { o.ReturnTo = ""; return o })
		},
	},
	"a refused cancellation is reported as Canceled": {
		failingBehaviour: "cancel/a_cancellation_of_a_processing_payment_succeeds_or_returns_Conflict",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.cancel = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				p, err := g.Gateway.Cancel(ctx, r)
				if fault.Is(err, fault.Conflict) {
					p, err = g.Gateway.Find(ctx, r)
					p.State = gateway.Canceled
				}
				return p, err
			}
		},
	},
	"a refused cancellation of a renewal is reported as Canceled": {
		failingBehaviour: "cancel/a_cancellation_of_a_renewal_that_the_bank_has_received_succeeds_or_returns_Conflict",
		corrupt: func(g *defectiveGateway, h *gatewaytest.Harness) {
			acceptedAt := map[string]time.Time{} // renewals
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				if o.MethodRef != "" {
					acceptedAt[o.Key] = h.Now()
				}
				return g.Gateway.Start(ctx, o)
			}
			g.cancel = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				p, err := g.Gateway.Cancel(ctx, r)
				if at := acceptedAt[r.Key]; !at.IsZero() && h.Now().After(at) && fault.Is(err, fault.Conflict) {
					p, err = g.Gateway.Find(ctx, r)
					p.State = gateway.Canceled
				}
				return p, err
			}
		},
	},
	"a paid payment is canceled": {
		failingBehaviour: "cancel/Cancel_returns_a_paid_payment_unchanged",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.cancel = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				p, err := g.Gateway.Cancel(ctx, r)
				if p.State == gateway.Paid {
					p.State = gateway.Canceled
				}
				return p, err
			}
		},
	},

	// Settlement, returns and refunds
	"the declared settlement is too short": {
		failingBehaviour: "settlement/a_payment_is_paid_within_the_settlement_time",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.capabilities = func(c gateway.Capabilities) gateway.Capabilities { c.Settlement = day; return c }
		},
	},
	"an accepted payment is reported as paid": {
		failingBehaviour: "settlement/a_processing_payment_that_the_bank_refuses_fails_with_a_reason",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				if p.State == gateway.Processing {
					p.State, p.ExpectedBy = gateway.Paid, time.Time{}
				}
				return p
			})
		},
	},
	"a returned payment stays paid": {
		failingBehaviour: "settlement/a_payment_that_the_bank_returns_is_Returned_and_can't_be_refunded",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				if p.State == gateway.Returned {
					p.State = gateway.Paid
				}
				return p
			})
		},
	},
	"a payment of which a part is charged back is Returned": {
		failingBehaviour: "settlement/a_payment_of_which_the_bank_returns_a_part_stays_paid,_and_the_part_is_a_refund",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				isByHand := func(r gateway.Refund) bool { return r.Key == "" && r.State == gateway.Paid }
				if slices.ContainsFunc(p.Refunds, isByHand) {
					p.State, p.Refunds = gateway.Returned, nil
				}
				return p
			})
		},
	},
	"only the first refund by hand is reported": {
		failingBehaviour: "refunds/each_refund_by_hand_has_a_reference_of_its_own,_whose_amount_does_not_change",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				if len(p.Refunds) > 1 && p.Refunds[0].Key == "" {
					p.Refunds = p.Refunds[:1]
				}
				return p
			})
		},
	},
	"refunds by hand are merged": {
		failingBehaviour: "refunds/each_refund_by_hand_has_a_reference_of_its_own,_whose_amount_does_not_change",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				if len(p.Refunds) > 1 && p.Refunds[0].Key == "" {
					merged := p.Refunds[0]
					for _, r := range p.Refunds[1:] {
						merged.Amount = newAmount(merged.Amount.Minor()+r.Amount.Minor(), merged.Amount.Currency().Code)
					}
					p.Refunds = []gateway.Refund{merged}
				}
				return p
			})
		},
	},
	"only the first page of refunds is reported": {
		failingBehaviour: "refunds/Find_returns_each_of_many_refunds",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				p.Refunds = p.Refunds[:min(100, len(p.Refunds))]
				return p
			})
		},
	},
	"a failed refund is reported as paid": {
		failingBehaviour: "refunds/a_payment_can_be_refunded_again_after_a_refund_has_failed",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			g.changePayments(func(p gateway.Payment) gateway.Payment {
				for i, r := range p.Refunds {
					if r.State == gateway.Failed {
						p.Refunds[i].State = gateway.Paid
					}
				}
				return p
			})
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

// chargePaidPageAgain lets the page of a paid payment charge the method once more.
func chargePaidPageAgain(g *defectiveGateway, h *gatewaytest.Harness) {
	customerRef := "" // of the last order
	g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
		customerRef = o.CustomerRef
		return g.Gateway.Start(ctx, o)
	}
	completePage := h.CompletePage
	h.CompletePage = func(t *testing.T, url string, s gatewaytest.Scenario) string {
		p, err := g.Find(t.Context(), gateway.Reference{Ref: path.Base(url)})
		require.NoError(t, err)
		if p.State == gateway.Paid && p.Amount.Minor() > 0 {
			_, err = g.Start(t.Context(), gateway.Order{
				Key: rand.Text(), CustomerRef: customerRef, Amount: p.Amount, MethodRef: p.Method.Ref, CustomerPresent: true,
			})
			require.NoError(t, err)
		}
		return completePage(t, url, s)
	}
}
