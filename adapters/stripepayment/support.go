package stripepayment

import (
	"context"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// AddCredit adds to the customer's balance, in which Stripe counts credit as a negative amount.
func (p *Provider) AddCredit(ctx context.Context, req payment.CreditGrant) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	customer, err := p.readCustomer(ctx, req.CustomerID, expandSubscriptions)
	if err != nil {
		return billing.Customer{}, err
	}
	units, err := creditUnits(customer, req)
	if err != nil {
		return billing.Customer{}, err
	}
	params := &stripe.CustomerBalanceTransactionCreateParams{
		Customer: &req.CustomerID, Amount: new(-units),
		Currency: stripe.String(strings.ToLower(req.Amount.Currency().Code)), Description: optionalString(req.Reason),
	}
	params.SetIdempotencyKey(req.Key)
	if _, err := p.stripe.V1CustomerBalanceTransactions.Create(ctx, params); err != nil {
		return billing.Customer{}, p.logKeyFault(ctx, "add credit", req.CustomerID, req.Key, err)
	}
	if customer, err = p.readCustomer(ctx, req.CustomerID); err != nil {
		return billing.Customer{}, err
	}
	return customerOf(customer), nil
}

// creditUnits returns the credit in Stripe's units. It returns Invalid unless the credit is positive and in the
// customer's currency, and HoldConflict for a customer on hold. A customer without a currency can get credit in any
// currency. The credit sets the customer's currency.
func creditUnits(c *stripe.Customer, req payment.CreditGrant) (int64, error) {
	switch {
	case req.Amount.Minor() <= 0:
		return 0, fault.New(fault.Invalid, "The credit must be positive.")
	case c.Currency != "" && req.Amount.Currency().Code != currencyCode(c.Currency):
		return 0, fault.New(fault.Invalid, "The credit must be in the customer's currency.")
	case holdOfCustomer(c) != billing.NoHold:
		return 0, billing.HoldConflict()
	}
	return toStripeUnits(req.Amount)
}

// metaTrialExtensionKey holds the key of the last request that extended the trial. It identifies a repeated request.
const metaTrialExtensionKey = "trial_extension"

// ExtendTrial moves the end of the trial. The end of the period and the billing cycle move with it.
func (p *Provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	sub, err := p.readSubscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if sub.Metadata[metaTrialExtensionKey] == req.Key && sub.TrialEnd == req.Until.Unix() {
		return p.subscriptionOf(ctx, sub)
	}
	if err := checkTrialExtension(sub, req); err != nil {
		return billing.Subscription{}, err
	}
	if err := p.releaseFinishedSchedule(ctx, req.Key, sub); err != nil {
		return billing.Subscription{}, err
	}
	params := &stripe.SubscriptionUpdateParams{
		TrialEnd: new(req.Until.Unix()), ProrationBehavior: new("none"),
		Metadata: newMetadata(metaTrialExtensionKey, req.Key), Expand: subscriptionExpand(""),
	}
	params.SetIdempotencyKey(req.Key)
	updatedSub, err := p.stripe.V1Subscriptions.Update(ctx, sub.ID, params)
	if err != nil {
		return billing.Subscription{}, p.logKeyFault(ctx, "extend trial", sub.Customer.ID, req.Key, err)
	}
	return p.subscriptionOf(ctx, updatedSub)
}

func checkTrialExtension(s *stripe.Subscription, req payment.TrialExtension) error {
	switch {
	case s.Status != stripe.SubscriptionStatusTrialing:
		return fault.New(fault.Conflict, "The subscription is not in a trial.")
	case s.PendingUpdate != nil:
		return errChangePending()
	case hasScheduledChange(s):
		return errChangeScheduled()
	case !endsAt(s).IsZero():
		return errSubscriptionEnding()
	case req.Until.Unix() <= s.TrialEnd:
		return fault.New(fault.Invalid, "A trial can only be extended.")
	}
	return nil
}

// Refund issues a credit note of an invoice, which refunds a part of its payment, and records the refund, see recordReturns.
// The credit note and the refund are one request, so neither exists without the other.
func (p *Provider) Refund(ctx context.Context, req payment.RefundRequest) (billing.Invoice, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Invoice{}, err
	}
	inv, err := p.readInvoice(ctx, req.InvoiceID, "payments")
	if err != nil {
		return billing.Invoice{}, err
	}
	units, err := refundUnits(inv, req)
	if err != nil {
		return billing.Invoice{}, err
	}
	params := &stripe.CreditNoteCreateParams{
		Invoice: &inv.ID, Amount: &units, RefundAmount: &units,
		EmailType: new("none"), // our own email about the refund has the credit note
	}
	params.SetIdempotencyKey(req.Key)
	if _, err := p.stripe.V1CreditNotes.Create(ctx, params); err != nil {
		keyErr := p.logKeyFault(ctx, "refund", inv.Customer.ID, req.Key, err)
		if failureOf(err).isRefused() {
			keyErr = fault.Wrap(keyErr, fault.Conflict, "Only what was paid and not returned can be refunded.")
		}
		return billing.Invoice{}, keyErr
	}
	if inv, err = p.readInvoice(ctx, inv.ID, "payments"); err != nil { // it contains the sum of its credit notes
		return billing.Invoice{}, err
	}
	if subscriptionOfInvoice(inv) != nil {
		if err := p.recordReturnsOfInvoice(ctx, inv, currentPayment(inv).Payment.PaymentIntent.ID); err != nil {
			return billing.Invoice{}, err
		}
	}
	return p.fullInvoiceOf(ctx, inv)
}

// refundUnits returns the refund in Stripe's units, or an error if the invoice can't be refunded.
func refundUnits(inv *stripe.Invoice, req payment.RefundRequest) (int64, error) {
	switch {
	case req.Amount.Minor() <= 0:
		return 0, fault.New(fault.Invalid, "The refund must be positive.")
	case req.Amount.Currency().Code != currencyCode(inv.Currency):
		return 0, fault.New(fault.Invalid, "The refund must be in the currency of the invoice.")
	case inv.Status != stripe.InvoiceStatusPaid, currentPayment(inv) == nil:
		return 0, fault.New(fault.Conflict, "Nothing was charged for this invoice.")
	}
	return toStripeUnits(req.Amount)
}
