package stripeserver

import (
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

// itemOf is the id of the one item a subscription has.
func itemOf(subscriptionID string) string {
	return "si_" + strings.TrimPrefix(subscriptionID, "sub_")
}

// some is those of the subscriptions that are wanted.
func (v view) some(ids []string, wanted func(fakepayment.SubscriptionRecord) bool) []object {
	var found []object
	for _, id := range ids {
		if s, known := v.Subscription(id); known && wanted(s) {
			found = append(found, v.subscriptionOf(s))
		}
	}
	return found
}

func (v view) subscription(id string) object {
	s, found := v.Subscription(id)
	if !found {
		return nil
	}
	return v.subscriptionOf(s)
}

func (v view) subscriptionOf(s fakepayment.SubscriptionRecord) object {
	return object{
		"id": s.ID, "object": "subscription", "livemode": false, "status": string(s.Status), "customer": s.Customer,
		"created": s.Created.Unix(), "start_date": s.Created.Unix(), "billing_cycle_anchor": s.Anchor.Unix(),
		"billing_mode": object{"type": "classic"}, "collection_method": "charge_automatically", "currency": small(s.Price.Currency),
		"trial_start": unix(trialStart(s)), "trial_end": unix(s.TrialEnd), "cancel_at_period_end": false,
		"default_payment_method": nil, "default_source": nil, "latest_invoice": orNull(s.Invoice),
		"pending_setup_intent": orNull(s.Setup), "metadata": v.notes.metadataOf(s.ID),
		"items":          listed("/v1/subscription_items?subscription="+s.ID, []object{v.itemOf(s, s.Price)}),
		"pending_update": v.pendingUpdate(s),
	}
}

// pendingUpdate is a change that waits for the latest invoice to be paid.
func (v view) pendingUpdate(s fakepayment.SubscriptionRecord) any {
	to := s.Pending
	if to.Invoice == "" {
		return nil
	}
	out := object{
		"expires_at": to.Expires.Unix(), "subscription_items": []object{v.itemOf(s, to.Price)},
		"billing_cycle_anchor": nil, "trial_end": nil, "trial_from_plan": nil,
	}
	if to.EndTrial {
		out["trial_end"] = to.At.Unix()
	}
	if to.EndTrial || to.Price.Interval != s.Price.Interval {
		out["billing_cycle_anchor"] = to.At.Unix()
	}
	return out
}

func trialStart(s fakepayment.SubscriptionRecord) time.Time {
	if s.TrialEnd.IsZero() {
		return time.Time{}
	}
	return s.Created
}

// itemOf is the item, on which the period is since API version 2025-03-31.
func (v view) itemOf(s fakepayment.SubscriptionRecord, ref catalogue.PriceRef) object {
	return object{
		"id": itemOf(s.ID), "object": "subscription_item", "subscription": s.ID, "quantity": 1, "metadata": object{},
		"created": s.Created.Unix(), "current_period_start": s.PeriodStart.Unix(), "current_period_end": s.PeriodEnd.Unix(),
		"price": v.price(v.priceIDOf(s.ID, ref)),
	}
}

// priceIDOf is the price that was named here, else the one that is sold under the plan's key.
func (v view) priceIDOf(subscriptionID string, ref catalogue.PriceRef) string {
	if id, noted := v.notes.prices[soldPrice{subscriptionID, ref}]; noted {
		return id
	}
	return v.shelf.underKey(ref.PriceID())
}
