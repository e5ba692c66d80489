package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

// OpenPaymentKind is the purpose of an open payment.
type OpenPaymentKind string

// The kinds of open payment.
const (
	FirstPayment      OpenPaymentKind = "first_payment"  // of an incomplete subscription
	OverduePayment    OpenPaymentKind = "overdue"        // of a subscription that is past due
	PlanChangePayment OpenPaymentKind = "plan_change"    // of a pending plan change
	Authentication    OpenPaymentKind = "authentication" // of a trial's card; see Subscription.NeedsCardApproval
	OwedPayment       OpenPaymentKind = "owed"           // of a subscription that has ended; see Account.OwingSubscription
	RenewalPayment    OpenPaymentKind = "renewal"        // of a live subscription, while processing; see ProcessingPayment
)

// OpenPayment is a payment or an authentication that the customer still has to complete.
type OpenPayment struct {
	Kind             OpenPaymentKind
	SubscriptionID   string
	InvoiceID        string             // "" for Authentication
	Amount           money.Amount       // the amount that remains to be paid; zero for Authentication
	Total            money.Amount       // the total of the invoice; the zero Amount when unknown
	CreditUsed       money.Amount       // see Invoice.CreditUsed
	AmountPaid       money.Amount       // paid for the invoice so far
	InvoiceCreatedAt time.Time          // zero when unknown
	TimeZone         timezone.Zone      // the zone for InvoiceCreatedAt; "" when unknown
	NextAttemptAt    time.Time          // when the provider charges it again automatically; zero when it won't
	ExpiresAt        time.Time          // the time after which the payment is refused; zero if unknown
	Price            catalogue.PriceRef // the price to be paid; for PlanChangePayment the new one
	NeedsApproval    bool               // the cardholder's bank waits for the customer's approval; nothing has failed
	Reason           string             // why the last attempt failed
	Failed           FailedAttempt      // the last failed attempt; zero when unknown
}

// OpenPayment returns the payment or authentication that the customer has to complete, or nil; see ProcessingPayment for
// a payment that is processing. There is at most one open payment, because a plan change and a new subscription are
// refused while a payment is open. The payment of a live subscription precedes the owed invoice of a former one; both
// exist only if an operator has created a subscription at the provider.
func (a *Account) OpenPayment() *OpenPayment {
	s, p := a.openOrProcessingPayment()
	if s == nil || s.Next.isProcessing() {
		return nil
	}
	return p
}

// MethodRefusal returns why the provider has refused the payment method that the customer of a trial wanted to save, or "" if
// it has refused none or reports no reason.
func (a *Account) MethodRefusal() string {
	if s := a.LiveSubscription(); s != nil && s.Status == Trialing && s.Next.Kind == NoAction {
		return s.Next.Reason
	}
	return ""
}

// openOrProcessingPayment returns the subscription with an open or processing payment or authentication, and the
// payment. Both are nil if there is none.
func (a *Account) openOrProcessingPayment() (*Subscription, *OpenPayment) {
	if openSub := a.OpenSubscription(); openSub != nil {
		return openSub, openSub.invoicePayment(FirstPayment)
	}
	if liveSub := a.LiveSubscription(); liveSub != nil {
		if p := liveSub.openOrProcessingPayment(); p != nil {
			return liveSub, p
		}
	}
	if owingSub := a.OwingSubscription(); owingSub != nil {
		return owingSub, owingSub.invoicePayment(OwedPayment)
	}
	return nil, nil
}

// NextAction returns the next action for the open payment or, without an open payment, the next action of the live
// subscription.
func (a *Account) NextAction() NextAction {
	openSub, liveSub, owingSub := a.OpenSubscription(), a.LiveSubscription(), a.OwingSubscription()
	switch {
	case openSub != nil:
		return openSub.Next
	case liveSub != nil && (owingSub == nil || liveSub.openOrProcessingPayment() != nil):
		return liveSub.Next
	case owingSub != nil:
		return owingSub.Next
	}
	return NextAction{}
}

// openOrProcessingPayment returns the open or processing payment or authentication of a live subscription, or nil.
func (s *Subscription) openOrProcessingPayment() *OpenPayment {
	switch {
	case s.Pending != nil:
		return s.changePayment()
	case s.Status == PastDue:
		return s.invoicePayment(OverduePayment)
	case s.Next.isProcessing():
		return s.invoicePayment(RenewalPayment)
	case s.NeedsCardApproval():
		return &OpenPayment{
			Kind: Authentication, SubscriptionID: s.ID, Price: s.Price, ExpiresAt: s.TrialEnd, Reason: s.Next.Reason, Failed: s.Next.Failed,
		}
	}
	return nil
}

// NeedsCardApproval reports whether the customer has to authenticate the card before its next charge. It returns false if
// nothing will be charged: the subscription ends first, its charges are paused, it is paid by invoice, or the next period
// is free of charge.
func (s *Subscription) NeedsCardApproval() bool {
	isFree := s.Renewal != (money.Amount{}) && s.Renewal.Minor() <= 0
	return s.PendingSetup != nil && s.Invoicing == nil && !isFree && !s.NextChargeAt().IsZero()
}

// ApplyCredit removes the authentication of the card if the credit pays the next charge. The card has to be authenticated
// before the first charge that credit does not pay. An amount below the minimum, in minor units, is not charged.
func (s *Subscription) ApplyCredit(credit money.Amount, minimum int64) {
	charge := s.NextCharge(credit, minimum)
	if s.PendingSetup == nil || charge == nil || charge.Amount.Minor() > 0 {
		return
	}
	s.PendingSetup = nil
	if s.Next.Kind == ConfirmSetup {
		s.Next = NextAction{}
	}
}

// invoicePayment returns the payment of the latest invoice, or nil without an invoice that the customer can pay. A past due
// subscription has no such invoice while the invoice of its renewal is a draft, or after its invoice was voided.
func (s *Subscription) invoicePayment(kind OpenPaymentKind) *OpenPayment {
	if s.LatestInvoice == nil || !s.LatestInvoice.Status.IsPayable() {
		return nil
	}
	inv := s.LatestInvoice
	return &OpenPayment{
		Kind: kind, SubscriptionID: s.ID, InvoiceID: inv.ID, Amount: inv.AmountRemaining(), Total: inv.Total,
		CreditUsed: inv.CreditUsed, AmountPaid: inv.AmountPaid,
		InvoiceCreatedAt: inv.CreatedAt, TimeZone: inv.TimeZone, NextAttemptAt: inv.NextAttemptAt, Price: s.Price,
		NeedsApproval: s.NeedsBankApproval(), Reason: s.Next.Reason, Failed: s.Next.Failed,
	}
}

// IsInvoiceOverdue reports whether the invoice with the id is open and overdue: it is the latest invoice of a past due or
// canceled subscription, and does not only wait for the customer's approval. The provider must void the invoices of
// canceled subscriptions that are not owed. Screens derive the same result from OpenPayment.
func (s *Subscription) IsInvoiceOverdue(id string) bool {
	isOpen := s.LatestInvoice != nil && s.LatestInvoice.ID == id && s.LatestInvoice.Status == InvoiceOpen
	isUnpaid := s.Status == PastDue && s.Pending == nil || s.Status == Canceled
	return isOpen && isUnpaid && !s.NeedsBankApproval()
}

// changePayment returns the payment of the pending change.
func (s *Subscription) changePayment() *OpenPayment {
	p := &OpenPayment{
		Kind: PlanChangePayment, SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID, Amount: s.Pending.Amount,
		ExpiresAt: s.Pending.ExpiresAt, Price: s.Pending.To, NeedsApproval: s.NeedsBankApproval(), Reason: s.Next.Reason, Failed: s.Next.Failed,
	}
	if inv := s.LatestInvoice; inv != nil && inv.ID == s.Pending.InvoiceID {
		p.InvoiceCreatedAt, p.TimeZone = inv.CreatedAt, inv.TimeZone
		p.Total, p.CreditUsed, p.AmountPaid = inv.Total, inv.CreditUsed, inv.AmountPaid
	}
	return p
}

// PaymentChoice selects the method that pays an open payment.
type PaymentChoice struct {
	MethodID           string // a saved method, or one to save; "" for the default one
	NewMethod          bool   // the method is not saved yet, so it is detached if it is declined
	PaymentSavesMethod bool   // the payment itself saves a new method
	MakeDefault        bool   // makes the method the default one unless it is declined
}

// DecideOpenPayment returns the actions that save the method, charge it, and make it the default one if requested. If
// the charge of a new method is declined, they detach the method. For an authentication, the only action saves the
// method as the default one. Without a method there is no action: the customer authenticates the card that the
// subscription already has. With PaymentSavesMethod, one action charges and saves a new method.
func DecideOpenPayment(a *Account, p OpenPayment, c PaymentChoice) []Action {
	save := SaveCard(a.CustomerID, c.MethodID)
	save.SubscriptionID = p.SubscriptionID
	switch {
	case p.Kind == Authentication && c.MethodID == "":
		return nil
	case p.Kind == Authentication:
		return []Action{save}
	}
	pay := a.payInvoiceAction(p.SubscriptionID, p.InvoiceID, p.Amount)
	pay.MethodID, pay.SubscriptionEnded = c.MethodID, p.Kind == OwedPayment
	switch {
	case c.MethodID == "":
		return []Action{pay}
	case c.NewMethod && c.PaymentSavesMethod:
		pay.NewMethod, pay.KeepDefault = true, !c.MakeDefault
		return []Action{pay}
	}
	saveOnly := save
	saveOnly.KeepDefault = true
	actions := []Action{saveOnly, pay}
	if c.MakeDefault {
		actions = append(actions, save)
	}
	if c.NewMethod {
		actions = append(actions, DetachIfDeclined(a.CustomerID, c.MethodID, "")...)
	}
	return actions
}
