package stripepayment

import (
	"context"
	"slices"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	// metaHold holds the customer's hold: "disputed", or "lifted" after an operator has lifted it. Earlier versions
	// wrote it to the subscription, followed by the ids of the charges: "disputed ch_1". Those holds are adopted, see
	// migrateHolds; the customer's value then names their charges, too.
	metaHold = "hold"
	// metaHeldCredit holds the customer's credit that was set aside, in Stripe's units. Stripe uses the whole balance for
	// the next invoice, so credit that must not be used is not in the balance.
	metaHeldCredit = "held_credit"
)

const (
	holdDisputed = string(billing.HoldDisputed)
	holdLifted   = "lifted"
)

// maxAdoptedCharges limits the customer's value of metaHold to Stripe's 500 characters.
const maxAdoptedCharges = 12

// parseHold splits a value of metaHold into the state of the hold and its charges.
func parseHold(value string) (state string, charges []string) {
	state, ids, _ := strings.Cut(value, " ")
	return state, strings.Fields(ids)
}

// holdOfCustomer returns the customer's hold, also one that an earlier version wrote to a subscription.
func holdOfCustomer(c *stripe.Customer) billing.Hold {
	state, _ := parseHold(c.Metadata[metaHold])
	if state == holdDisputed || c.Subscriptions != nil && len(formerHolds(c, c.Subscriptions.Data)) > 0 {
		return billing.HoldDisputed
	}
	return billing.NoHold
}

// holdOf returns the hold of the subscription's customer, which must be expanded.
func holdOf(s *stripe.Subscription) billing.Hold {
	if s.Customer == nil {
		return billing.NoHold
	}
	state, _ := parseHold(s.Customer.Metadata[metaHold])
	if state == holdDisputed || len(formerHolds(s.Customer, []*stripe.Subscription{s})) > 0 {
		return billing.HoldDisputed
	}
	return billing.NoHold
}

// formerHolds returns the disputed charges for which an earlier version has put the subscriptions on hold, and that
// the customer's hold does not account for yet.
func formerHolds(c *stripe.Customer, subs []*stripe.Subscription) (charges []string) {
	_, known := parseHold(c.Metadata[metaHold])
	for _, s := range subs {
		if state, ids := parseHold(s.Metadata[metaHold]); state == holdDisputed {
			charges = append(charges, ids...)
		}
	}
	return slices.DeleteFunc(charges, func(id string) bool { return slices.Contains(known, id) })
}

// migrateHolds puts the customer of the subscriptions on hold if an earlier version has put one of them on hold because
// of a dispute. It replaces their customer.
func (p *Provider) migrateHolds(ctx context.Context, subs []*stripe.Subscription) error {
	if len(subs) == 0 || subs[0].Customer == nil {
		return nil
	}
	ids := formerHolds(subs[0].Customer, subs)
	if len(ids) == 0 {
		return nil
	}
	a, err := p.openCredit(ctx, subs[0].Customer.ID)
	if err != nil {
		return err
	}
	if err := a.putOnHold(ctx, ids...); err != nil {
		return err
	}
	for _, charge := range a.charges {
		if slices.Contains(ids, charge.ID) {
			if err := a.settle(ctx, charge); err != nil {
				return err
			}
		}
	}
	for _, s := range subs {
		s.Customer = a.customer
	}
	return nil
}

// isLifted reports whether an operator has lifted the hold of the charge in an earlier version.
func isLifted(s *stripe.Subscription, chargeID string) bool {
	state, ids := parseHold(s.Metadata[metaHold])
	return state == holdLifted && slices.Contains(ids, chargeID)
}

// checkDisputes refuses a request of a customer with a dispute that is not recorded yet, and puts the customer on hold.
// An event reports the dispute too, but may be late or not delivered at all.
func (p *Provider) checkDisputes(ctx context.Context, customerID string) error {
	charges, err := p.listCharges(ctx, customerID)
	if err != nil {
		return err
	}
	for _, charge := range charges {
		if charge.PaymentIntent == nil {
			continue
		}
		_, found, err := p.disputesOf(ctx, charge)
		if err == nil && found.count > recordOf(charge, metaDispute).count {
			err = p.settleDispute(ctx, customerID, charge.PaymentIntent.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// settleDispute settles the payment and returns ErrHold if its customer is on hold then.
func (p *Provider) settleDispute(ctx context.Context, customerID, paymentID string) error {
	if _, err := p.settlePayment(ctx, paymentID); err != nil {
		return err
	}
	found, err := p.customer(ctx, customerID)
	if err == nil && holdOfCustomer(found) != billing.NoHold {
		err = billing.ErrHold()
	}
	return err
}

// isHeld reports whether the customer is on hold.
func (a *creditAccount) isHeld() bool {
	state, _ := parseHold(a.customer.Metadata[metaHold])
	return state == holdDisputed
}

// putOnHold puts the customer on hold, stops purchases and plan changes, and sets the credit aside. former are charges for
// which an earlier version has put a subscription on hold.
func (a *creditAccount) putOnHold(ctx context.Context, former ...string) error {
	_, ids := parseHold(a.customer.Metadata[metaHold])
	ids = append(ids, former...)
	ids = ids[max(0, len(ids)-maxAdoptedCharges):]
	err := a.updateCustomer(ctx, newKey(),
		map[string]string{metaHold: strings.Join(append([]string{holdDisputed}, ids...), " ")})
	if err != nil {
		return err
	}
	stopped, err := a.stopPurchases(ctx)
	if err == nil && stopped {
		err = a.load(ctx, a.customer.ID) // voided invoices give credit back
	}
	if err != nil {
		return err
	}
	return a.setCreditAside(ctx)
}

// stopPurchases discards the pending and scheduled plan changes of the customer and ends subscriptions whose first payment
// is open. It reports whether there were any.
func (a *creditAccount) stopPurchases(ctx context.Context) (stopped bool, err error) {
	if a.customer.Subscriptions == nil {
		return false, nil
	}
	for _, s := range a.customer.Subscriptions.Data {
		isStopped, err := a.provider.stopPurchaseOf(ctx, s)
		if fault.Is(err, fault.Conflict) {
			continue // its payment is on its way, or has just arrived
		}
		if stopped = stopped || isStopped; err != nil {
			return stopped, err
		}
	}
	return stopped, nil
}

// stopPurchaseOf does what stopPurchases does, for one subscription.
func (p *Provider) stopPurchaseOf(ctx context.Context, s *stripe.Subscription) (stopped bool, err error) {
	if s.Status == stripe.SubscriptionStatusIncomplete {
		_, err = p.CancelSubscription(ctx, payment.Cancellation{Key: newKey(), SubscriptionID: s.ID, IfUnpaid: true})
		return true, err
	}
	if s.PendingUpdate != nil && s.LatestInvoice != nil {
		stopped = true
		_, err = p.CancelPendingChange(ctx,
			payment.PendingCancellation{Key: newKey(), SubscriptionID: s.ID, InvoiceID: s.LatestInvoice.ID})
	}
	if err == nil && (s.Schedule != nil || s.Metadata[metaReplaces] != "") {
		stopped = true
		_, err = p.CancelScheduledChange(ctx, payment.ScheduleCancellation{Key: newKey(), SubscriptionID: s.ID})
	}
	return stopped, err
}

// LiftHold ends the hold of a customer and gives the credit back that was set aside.
func (p *Provider) LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	a, err := p.openCredit(ctx, req.CustomerID)
	if err == nil && !a.isHeld() && holdOfCustomer(a.customer) != billing.NoHold {
		err = a.putOnHold(ctx, formerHolds(a.customer, a.customer.Subscriptions.Data)...)
	}
	if err != nil || !a.isHeld() {
		return a.billingCustomer(), err
	}
	_, ids := parseHold(a.customer.Metadata[metaHold])
	changes := map[string]string{metaHold: strings.Join(append([]string{holdLifted}, ids...), " "), metaHeldCredit: ""}
	if held := a.heldCredit(); held > 0 {
		changes[metaMove] = creditMove{amount: -held, key: *keyFor(req.Key, "credit")}.String()
	}
	if err := a.updateCustomer(ctx, req.Key, changes); err != nil {
		return billing.Customer{}, err
	}
	err = a.completeMoves(ctx)
	return a.billingCustomer(), err
}
