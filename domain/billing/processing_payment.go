package billing

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// ProcessingPayment is a payment that was accepted and is processing, such as a bank debit that takes days. Until the
// payment has arrived or failed, its invoice is not charged again, and the unpaid invoice does not make the plan expire
// or end.
type ProcessingPayment struct {
	OpenPayment                // Amount is the amount that is processing
	Method      *PaymentMethod // the charged method without its fingerprint; nil if unknown
	ExpectedBy  time.Time      // zero when unknown
}

// ProcessingPayment returns the payment that is processing, or nil.
func (a *Account) ProcessingPayment() *ProcessingPayment {
	s, p := a.openOrProcessingPayment()
	if p == nil || !s.Next.isProcessing() {
		return nil
	}
	return &ProcessingPayment{OpenPayment: *p, Method: s.Next.Method, ExpectedBy: s.Next.Until}
}

// PaymentInProgress reports whether the browser or the provider may complete a payment or an
// authentication at any moment.
func (a *Account) PaymentInProgress() bool {
	owingSub := a.OwingSubscription()
	return slices.ContainsFunc(a.Subscriptions, func(s Subscription) bool {
		if s.Status.Ended() && (owingSub == nil || owingSub.ID != s.ID) {
			return false
		}
		return s.Next.isProcessing() || s.PendingSetup.isInProgress() ||
			s.LatestInvoice != nil && s.LatestInvoice.Payment.isInProgress()
	})
}

// StartingSubscription returns the incomplete subscription if its first payment is processing, otherwise nil.
func (a *Account) StartingSubscription() *Subscription {
	if openSub := a.OpenSubscription(); openSub != nil && openSub.Next.isProcessing() {
		return openSub
	}
	return nil
}

// ErrInProgress is wrapped by the Conflict for a request that has to wait until another request or a payment of the
// customer has an outcome. Such a Conflict does not state whether anything was charged.
var ErrInProgress = errors.New("an earlier request or payment is in progress")

// ErrPaymentProcessing returns the Conflict for a request that has to wait for a payment that is processing.
func ErrPaymentProcessing() error {
	return fault.Wrap(ErrInProgress, fault.Conflict, "Your payment is on its way. Please wait until it has arrived, and don't pay a second time.")
}

// checkNotProcessing returns Conflict while a payment is processing, because with another purchase the customer could
// pay twice.
func (a *Account) checkNotProcessing() error {
	p := a.ProcessingPayment()
	if p == nil {
		return nil
	}
	format := "Your payment of %s is on its way, and your plan starts when it has arrived. Please don't pay a second time."
	if p.Kind == OwedPayment {
		format = "Your payment of %s for your former subscription is on its way. You can subscribe again when it has arrived."
	}
	err := fault.Wrap(ErrInProgress, fault.Conflict, fmt.Sprintf(format, p.Amount.FormatWithSymbolAndCode()))
	return obstacleError{err, ProcessingObstacle, p.ExpectedBy}
}

// checkChangeNotProcessing returns Conflict while the payment of the pending change is processing, because such a
// payment can't be stopped.
func (s *Subscription) checkChangeNotProcessing() error {
	if s.Pending == nil || !s.Next.isProcessing() {
		return nil
	}
	err := fault.Wrap(ErrInProgress, fault.Conflict, fmt.Sprintf("Your payment of %s for the change of your plan is on its way. "+
		"The change is made when it has arrived.", s.Pending.Amount.FormatWithSymbolAndCode()))
	return obstacleError{err, ProcessingObstacle, s.Next.Until}
}
