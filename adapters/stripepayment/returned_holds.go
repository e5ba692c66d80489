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
	// metaHold holds the state of the customer's hold: "disputed", or "lifted" after an operator has lifted it. Earlier
	// versions wrote the hold to the subscription, followed by the ids of the disputed charges: "disputed ch_1".
	// migrateLegacyHolds adds the ids of such a legacy hold to the customer's value.
	metaHold = "hold"
	// metaHeldCredit contains the held credit of a customer on hold, in Stripe's units. Stripe uses the whole balance for
	// the next invoice, so credit that must not be used is taken out of the balance.
	metaHeldCredit = "held_credit"
)

const (
	holdDisputed = string(billing.HoldDisputed)
	holdLifted   = "lifted"
)

// maxMigratedCharges limits the ids of charges in the customer's metaHold, because Stripe limits a value to 500
// characters.
const maxMigratedCharges = 12

// parseHold splits a value of metaHold into the state of the hold and the ids of its charges.
func parseHold(value string) (state string, chargeIDs []string) {
	state, ids, _ := strings.Cut(value, " ")
	return state, strings.Fields(ids)
}

// holdOfCustomer returns the customer's hold, including a legacy hold of its subscriptions if they are expanded.
func holdOfCustomer(c *stripe.Customer) billing.Hold {
	state, _ := parseHold(c.Metadata[metaHold])
	if state == holdDisputed || c.Subscriptions != nil && len(legacyHoldChargeIDs(c, c.Subscriptions.Data)) > 0 {
		return billing.HoldDisputed
	}
	return billing.NoHold
}

// holdOfSubscription returns the hold of the subscription's customer, which must be expanded.
func holdOfSubscription(s *stripe.Subscription) billing.Hold {
	if s.Customer == nil {
		return billing.NoHold
	}
	state, _ := parseHold(s.Customer.Metadata[metaHold])
	if state == holdDisputed || len(legacyHoldChargeIDs(s.Customer, []*stripe.Subscription{s})) > 0 {
		return billing.HoldDisputed
	}
	return billing.NoHold
}

// legacyHoldChargeIDs returns the ids of disputed charges in legacy holds of the subscriptions. It omits ids that are
// already migrated to the customer's hold.
func legacyHoldChargeIDs(c *stripe.Customer, subs []*stripe.Subscription) (chargeIDs []string) {
	_, migratedIDs := parseHold(c.Metadata[metaHold])
	for _, s := range subs {
		if state, ids := parseHold(s.Metadata[metaHold]); state == holdDisputed {
			chargeIDs = append(chargeIDs, ids...)
		}
	}
	return slices.DeleteFunc(chargeIDs, func(id string) bool { return slices.Contains(migratedIDs, id) })
}

// migrateLegacyHolds puts the customer of the subscriptions on hold if one of them has a legacy hold, and updates the
// customer in each of them.
func (p *Provider) migrateLegacyHolds(ctx context.Context, subs []*stripe.Subscription) error {
	if len(subs) == 0 || subs[0].Customer == nil {
		return nil
	}
	ids := legacyHoldChargeIDs(subs[0].Customer, subs)
	if len(ids) == 0 {
		return nil
	}
	a, err := p.loadCreditAccount(ctx, subs[0].Customer.ID)
	if err != nil {
		return err
	}
	if err := a.putOnHold(ctx, ids...); err != nil {
		return err
	}
	for _, charge := range a.charges {
		if slices.Contains(ids, charge.ID) {
			if err := a.recordReturns(ctx, charge); err != nil {
				return err
			}
		}
	}
	for _, s := range subs {
		s.Customer = a.customer
	}
	return nil
}

// isLegacyHoldLifted reports whether an operator has lifted the legacy hold that the charge had caused.
func isLegacyHoldLifted(s *stripe.Subscription, chargeID string) bool {
	state, ids := parseHold(s.Metadata[metaHold])
	return state == holdLifted && slices.Contains(ids, chargeID)
}

// checkDisputes refuses a request of a customer with a dispute that is not recorded yet, and puts the customer on hold.
// The event about the dispute may be late or lost.
func (p *Provider) checkDisputes(ctx context.Context, customerID string) error {
	charges, err := p.listCharges(ctx, customerID)
	if err != nil {
		return err
	}
	for _, charge := range charges {
		if charge.PaymentIntent == nil {
			continue
		}
		_, summary, err := p.readDisputeSummary(ctx, charge)
		if err == nil && summary.count > parseReturnRecord(charge, metaDispute).count {
			err = p.recordDispute(ctx, customerID, charge.PaymentIntent.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// recordDispute records the returned amount of the payment, and returns HoldConflict if the customer is on hold afterwards.
func (p *Provider) recordDispute(ctx context.Context, customerID, paymentID string) error {
	if _, err := p.recordReturnsOfPayment(ctx, paymentID); err != nil {
		return err
	}
	customer, err := p.readCustomer(ctx, customerID)
	if err == nil && holdOfCustomer(customer) != billing.NoHold {
		err = billing.HoldConflict()
	}
	return err
}

// isOnHold reports whether the customer is on hold. Unlike holdOfCustomer it ignores legacy holds.
func (a *creditAccount) isOnHold() bool {
	state, _ := parseHold(a.customer.Metadata[metaHold])
	return state == holdDisputed
}

// putOnHold puts the customer on hold, cancels unpaid purchases and plan changes, and holds the credit. It adds the
// charges of legacy holds to the hold.
func (a *creditAccount) putOnHold(ctx context.Context, legacyChargeIDs ...string) error {
	_, ids := parseHold(a.customer.Metadata[metaHold])
	ids = append(ids, legacyChargeIDs...)
	ids = ids[max(0, len(ids)-maxMigratedCharges):]
	err := a.updateCustomerMetadata(ctx, newKey(),
		map[string]string{metaHold: strings.Join(append([]string{holdDisputed}, ids...), " ")})
	if err != nil {
		return err
	}
	isCanceled, err := a.cancelPurchases(ctx)
	if err == nil && isCanceled {
		err = a.load(ctx, a.customer.ID) // void invoices have given credit back
	}
	if err != nil {
		return err
	}
	return a.holdCredit(ctx)
}

// cancelPurchases cancels the pending and scheduled plan changes of the customer, and ends subscriptions whose first
// payment is open. It reports whether it has canceled or ended anything.
func (a *creditAccount) cancelPurchases(ctx context.Context) (isAnyCanceled bool, err error) {
	if a.customer.Subscriptions == nil {
		return false, nil
	}
	for _, s := range a.customer.Subscriptions.Data {
		isCanceled, err := a.provider.cancelPurchase(ctx, s)
		if fault.Is(err, fault.Conflict) {
			continue // the payment is processing or has just succeeded
		}
		isAnyCanceled = isAnyCanceled || isCanceled
		if err != nil {
			return isAnyCanceled, err
		}
	}
	return isAnyCanceled, nil
}

// cancelPurchase does what cancelPurchases does for one subscription.
func (p *Provider) cancelPurchase(ctx context.Context, s *stripe.Subscription) (isCanceled bool, err error) {
	if s.Status == stripe.SubscriptionStatusIncomplete {
		_, err = p.CancelSubscription(ctx, payment.Cancellation{Key: newKey(), SubscriptionID: s.ID, IfUnpaid: true})
		return true, err
	}
	if s.PendingUpdate != nil && s.LatestInvoice != nil {
		isCanceled = true
		_, err = p.CancelPendingChange(ctx,
			payment.PendingChangeCancellation{Key: newKey(), SubscriptionID: s.ID, InvoiceID: s.LatestInvoice.ID})
	}
	if err == nil && (s.Schedule != nil || s.Metadata[metaReplacedChange] != "") {
		isCanceled = true
		_, err = p.CancelScheduledChange(ctx, payment.ScheduledChangeCancellation{Key: newKey(), SubscriptionID: s.ID})
	}
	return isCanceled, err
}

// LiftHold ends the hold of a customer and returns the held credit to the balance. A legacy hold is migrated first.
func (p *Provider) LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	a, err := p.loadCreditAccount(ctx, req.CustomerID)
	if err == nil && !a.isOnHold() && holdOfCustomer(a.customer) != billing.NoHold {
		err = a.putOnHold(ctx, legacyHoldChargeIDs(a.customer, a.customer.Subscriptions.Data)...)
	}
	if err != nil || !a.isOnHold() {
		return a.billingCustomer(), err
	}
	_, ids := parseHold(a.customer.Metadata[metaHold])
	entries := map[string]string{metaHold: strings.Join(append([]string{holdLifted}, ids...), " "), metaHeldCredit: ""}
	if credit := a.heldCredit(); credit > 0 {
		entries[metaCreditChange] = creditChange{amount: -credit, key: stepKey(req.Key, "credit")}.String()
	}
	if err := a.updateCustomerMetadata(ctx, req.Key, entries); err != nil {
		return billing.Customer{}, err
	}
	err = a.applyRecordedChanges(ctx)
	return a.billingCustomer(), err
}
