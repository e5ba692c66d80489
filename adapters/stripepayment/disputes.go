package stripepayment

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	// metaHold holds the state of the customer's hold: "disputed", or "lifted" after the hold has ended.
	metaHold = "hold"
	// metaHoldNumber contains the number of the customer's holds, including the current one.
	metaHoldNumber = "hold_number"
	// metaHeldCredit contains the held credit of a customer on hold, in Stripe's units. Stripe uses the whole balance for
	// the next invoice, so credit that must not be used is taken out of the balance.
	metaHeldCredit = "held_credit"
)

const (
	holdDisputed = string(billing.HoldDisputed)
	holdLifted   = "lifted"
)

// holdOfCustomer returns the customer's hold.
func holdOfCustomer(c *stripe.Customer) billing.Hold {
	if c.Metadata[metaHold] == holdDisputed {
		return billing.HoldDisputed
	}
	return billing.NoHold
}

// holdOfSubscription returns the hold of the subscription's customer, which must be expanded.
func holdOfSubscription(s *stripe.Subscription) billing.Hold {
	if s.Customer == nil {
		return billing.NoHold
	}
	return holdOfCustomer(s.Customer)
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
		disputes, err := p.listDisputes(ctx, charge)
		if err == nil && slices.ContainsFunc(disputes, func(d *stripe.Dispute) bool { return !isRecorded(charge, d) }) {
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

// isOnHold reports whether the customer is on hold.
func (a *creditAccount) isOnHold() bool { return holdOfCustomer(a.customer) != billing.NoHold }

// holdNumber returns the number of the customer's holds, including the current one.
func (a *creditAccount) holdNumber() int {
	n, _ := strconv.Atoi(a.customer.Metadata[metaHoldNumber]) // 0 if there is no value
	return n
}

// parseDisputes returns the recorded disputes of the charge, each with the number of its hold; see metaDisputes.
func parseDisputes(charge *stripe.Charge) map[string]int {
	holds := map[string]int{}
	for entry := range strings.FieldsSeq(charge.Metadata[metaDisputes]) {
		id, number, _ := strings.Cut(entry, ":")
		holds[id], _ = strconv.Atoi(number)
	}
	return holds
}

// recordOfDisputes returns the metadata of the charge that records its disputes. It is empty without disputes.
func (a *creditAccount) recordOfDisputes(charge *stripe.Charge, disputes []*stripe.Dispute) map[string]string {
	if len(disputes) == 0 {
		return map[string]string{}
	}
	holds := parseDisputes(charge)
	entries := make([]string, len(disputes))
	for i, d := range disputes {
		hold, isRecorded := holds[d.ID]
		if !isRecorded {
			hold = a.holdNumber()
		}
		entries[i] = fmt.Sprintf("%s:%d", d.ID, hold)
	}
	return map[string]string{metaDisputes: strings.Join(entries, " ")}
}

// isRecorded reports whether the dispute of the charge is recorded.
func isRecorded(charge *stripe.Charge, d *stripe.Dispute) bool {
	_, ok := parseDisputes(charge)[d.ID]
	return ok
}

// isWon reports whether the dispute was won.
func isWon(d *stripe.Dispute) bool {
	status, _ := disputeStatusOf(d)
	return status == billing.DisputeWon
}

// putOnHold puts the customer on hold because of a dispute, cancels unpaid purchases and plan changes, and holds the credit.
func (a *creditAccount) putOnHold(ctx context.Context) error {
	entries := map[string]string{metaHold: holdDisputed}
	if !a.isOnHold() {
		entries[metaHoldNumber] = strconv.Itoa(a.holdNumber() + 1)
	}
	if err := a.updateCustomerMetadata(ctx, newKey(), entries); err != nil {
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

// liftHoldIfWon ends the hold if all its disputes were won, and all disputes that are not recorded yet.
func (a *creditAccount) liftHoldIfWon(ctx context.Context) error {
	for _, charge := range a.charges {
		disputes, err := a.provider.listDisputes(ctx, charge)
		if err != nil {
			return err
		}
		holds := parseDisputes(charge)
		isReason := func(d *stripe.Dispute) bool {
			hold, isRecorded := holds[d.ID]
			return !isWon(d) && (!isRecorded || hold == a.holdNumber())
		}
		if slices.ContainsFunc(disputes, isReason) {
			return nil
		}
	}
	return a.liftHold(ctx, newKey())
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

// LiftHold ends the hold of a customer and returns the held credit to the balance.
func (p *Provider) LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	a, err := p.loadCreditAccount(ctx, req.CustomerID)
	if err != nil || !a.isOnHold() {
		return a.billingCustomer(), err
	}
	if err := a.liftHold(ctx, req.Key); err != nil {
		return billing.Customer{}, err
	}
	return a.billingCustomer(), nil
}

// liftHold ends the hold of the customer and returns the held credit to the balance.
func (a *creditAccount) liftHold(ctx context.Context, key string) error {
	entries := map[string]string{metaHold: holdLifted, metaHeldCredit: ""}
	if credit := a.heldCredit(); credit > 0 {
		entries[metaCreditChange] = creditChange{amount: -credit, key: stepKey(key, "credit")}.String()
	}
	if err := a.updateCustomerMetadata(ctx, key, entries); err != nil {
		return err
	}
	return a.applyRecordedChanges(ctx)
}
