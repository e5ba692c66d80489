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

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
)

// requestDefects contains defects in how a gateway handles orders, keys, customers, methods and pages, by name.
var requestDefects = map[string]suiteDefect{
	// Amounts
	"every payment is made in AUD": {
		failingBehaviour: "currencies/an_order_is_charged_and_refunded_in_USD",
		changeOrder:      func(o gateway.Order) gateway.Order { o.Amount = newAmount(o.Amount.Minor(), "AUD"); return o },
	},
	"JPY has two decimals": {
		failingBehaviour: "currencies/an_order_is_charged_and_refunded_in_JPY",
		changeOrder: func(o gateway.Order) gateway.Order {
			if o.Amount.Currency().Code == "JPY" {
				o.Amount = newAmount(100*o.Amount.Minor(), "JPY")
			}
			return o
		},
	},
	"refunds are reported in AUD": {
		failingBehaviour: "currencies/an_order_is_charged_and_refunded_in_USD",
		changePayment: func(p gateway.Payment) gateway.Payment {
			for i, r := range p.Refunds {
				p.Refunds[i].Amount = newAmount(r.Amount.Minor(), "AUD")
			}
			return p
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
		changePayment: func(p gateway.Payment) gateway.Payment {
			for i := range p.Refunds {
				p.Refunds[i].Key = ""
			}
			return p
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
		changePayment: func(p gateway.Payment) gateway.Payment {
			if p.Method != nil {
				p.Method.Details.Fingerprint = p.Method.Ref
			}
			return p
		},
	},
	"a saved card is charged without authentication": {
		failingBehaviour: "saved_methods/a_payment_with_a_saved_method_is_open_until_it_is_authenticated", lacksSaveOnly: true,
		changeOrder: func(o gateway.Order) gateway.Order {
			o.CustomerPresent = o.CustomerPresent && o.MethodRef == ""
			return o
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
		failingBehaviour: "page/a_page_that_is_completed_after_the_payment_was_canceled_charges_nothing",
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
	"each of several look-ups at once charges the mandate of a page": {
		failingBehaviour: "page/a_completed_page_that_is_looked_up_several_times_at_once_charges_once",
		corrupt: func(g *defectiveGateway, _ *gatewaytest.Harness) {
			meeting := make(chan struct{})
			chargeAgainIf(g, func() bool {
				select {
				case meeting <- struct{}{}:
					return false
				case <-meeting: // another look-up is running
					return true
				case <-time.After(20 * time.Millisecond):
					return false
				}
			})
		},
	},
	"a mandate of a page is charged again after its key was forgotten": {
		failingBehaviour: "page/a_payment_of_a_page_that_is_looked_up_after_KeyRetention_is_not_charged_again",
		corrupt: func(g *defectiveGateway, h *gatewaytest.Harness) {
			start := h.Now()
			chargeAgainIf(g, func() bool { return h.Now().Sub(start) > g.Capabilities().KeyRetention })
		},
	},
	"a page has another URL in each response": {
		failingBehaviour: "orders/Find_finds_a_payment_by_its_key_or_its_reference",
		changePayment: func(p gateway.Payment) gateway.Payment {
			if p.URL != "" {
				p.URL = strings.Replace(p.URL, "https://", "https://"+rand.Text()+"@", 1)
			}
			return p
		},
	},
	"the page does not lead back": {
		failingBehaviour: "page/a_completed_page_charges_and_saves_the_method",
		changeOrder:      func(o gateway.Order) gateway.Order { o.ReturnTo = ""; return o },
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
			var acceptedAt sync.Map // renewals: key to time.Time
			g.start = func(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
				if o.MethodRef != "" {
					acceptedAt.Store(o.Key, h.Now())
				}
				return g.Gateway.Start(ctx, o)
			}
			g.cancel = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
				p, err := g.Gateway.Cancel(ctx, r)
				at, isRenewal := acceptedAt.Load(r.Key)
				if isRenewal && h.Now().After(at.(time.Time)) && fault.Is(err, fault.Conflict) {
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
}

// declareKeys declares keys that the provider ignores.
func declareKeys(c gateway.Capabilities) gateway.Capabilities { c.KeyRetention = 30 * day; return c }

// chargeAgainIf lets Find charge the method of an accepted payment once more if the condition is true.
func chargeAgainIf(g *defectiveGateway, condition func() bool) {
	customerRef := "" // of the last customer
	g.saveCustomer = func(ctx context.Context, c gateway.Customer) (ref string, err error) {
		customerRef, err = g.Gateway.SaveCustomer(ctx, c)
		return customerRef, err
	}
	g.find = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
		p, err := g.Gateway.Find(ctx, r)
		if err == nil && p.Method != nil && p.Amount.Minor() > 0 && condition() {
			_, err = g.Gateway.Start(ctx, gateway.Order{
				Key: rand.Text(), CustomerRef: customerRef, Amount: p.Amount, MethodRef: p.Method.Ref, CustomerPresent: true,
			})
		}
		return p, err
	}
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
