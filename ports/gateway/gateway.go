package gateway

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// Gateway moves money. See the package comment for the obligations of every method.
type Gateway interface {
	// Capabilities returns what the provider can do. It is constant.
	Capabilities() Capabilities
	// SaveCustomer updates the customer with the Ref, or creates it if Ref is "", and returns its reference. An update returns
	// Ref. A creation with the same ID returns the same reference for at least an hour, also if the response to the first one
	// was lost; later it may create another customer. A provider without customers returns the ID.
	SaveCustomer(ctx context.Context, c Customer) (ref string, err error)
	// Start begins a payment, or only saves a payment method if the order's amount is 0. Within Capabilities.KeyRetention, a
	// repeated order with the same key charges nothing and returns the payment in its current state; another order with the key
	// is Conflict. A repeat at the same time as the first request may be Unavailable. A customer, token or method that the
	// provider does not know, or that has ended, is NotFound. An amount below Capabilities.Minimum is Invalid.
	Start(ctx context.Context, o Order) (Payment, error)
	// Find returns the current state of a payment, with its refunds. It accepts every reference that the payment has had.
	// NotFound means that the provider does not know the payment now; a request in transit can still make it until
	// Capabilities.LongestRequest has passed.
	Find(ctx context.Context, r Reference) (Payment, error)
	// Cancel stops an open payment and returns it when nothing more can be paid: canceled, or in the state that won.
	// Conflict for a payment that is processing and can't be stopped. An ended payment is returned as it is, and an unknown
	// one is NotFound.
	Cancel(ctx context.Context, r Reference) (Payment, error)
	// Refund returns a part of a paid payment to the customer; the payment stays paid. Within Capabilities.KeyRetention, a
	// repeat with the same key returns the same refund in its current state, and another refund with the key is Conflict.
	// More than was paid and not refunded is Conflict, and so is a payment that is not paid.
	Refund(ctx context.Context, o RefundOrder) (Refund, error)
	// Forget ends a saved method, so that it can't be charged any more. It returns nil also for an unknown method.
	Forget(ctx context.Context, methodRef string) error
	// Parse verifies a webhook delivery, without calling the API, and returns the payments that it is about, of which there may
	// be none. A missing or wrong signature is Forbidden; a body that contains anything but events is Invalid. The provider
	// delivers each change of a payment or its refunds, also one that was made by hand. It names the payment by its key or by
	// a reference that Start or Find has returned.
	Parse(ctx context.Context, delivery payment.Delivery) ([]Reference, error)
	// Changed returns payments that have changed since the cursor, and the cursor for the next call. The cursor "" is the
	// beginning. A payment may be returned several times. An empty list means that nothing else has changed. The list contains
	// the changes that a webhook would deliver, and names payments as Parse does.
	Changed(ctx context.Context, cursor string) (changed []Reference, next string, err error)
}

// Customer identifies an organisation to the provider.
type Customer struct {
	ID      string // the application's
	Ref     string // the provider's; "" before the first SaveCustomer
	Name    string
	Email   string
	Address account.Address
}

// Order is a request to charge a customer, or to save a payment method.
type Order struct {
	Key         string
	CustomerRef string
	Amount      money.Amount // 0, with its currency, saves the method only
	Description string       // for the customer's statement and the provider's page
	// MethodRef is the saved method to charge. Token stands for a new method that the browser has created
	// (payment.EntryCardField). If both are "", the customer enters a method on the provider's page at Payment.URL, which
	// redirects to ReturnTo (payment.EntryRedirect). New methods are saved.
	MethodRef, Token string
	ReturnTo         string
	// CustomerPresent is set if the customer can authenticate a payment with MethodRef. A payment that needs it is then open with
	// a Secret or URL. Otherwise it fails with CustomerNeeded.
	CustomerPresent bool
}

// Reference names a payment. Key or Ref is set.
type Reference struct {
	Key string // of the order
	// Ref is the provider's reference. It may change when the customer completes the page, for example from that of the page to
	// that of the payment.
	Ref string
	// CustomerRef is that of the order if the caller knows it. With Key, Find needs it at providers that can list the payments
	// of a customer but can't search for a key.
	CustomerRef string
}

// State is the state of a payment.
type State string

// The states of a payment, see the package comment.
const (
	Open       State = "open"
	Processing State = "processing"
	Paid       State = "paid" // or, if the amount is 0, the method is saved
	Failed     State = "failed"
	Canceled   State = "canceled"
	Returned   State = "returned" // the whole amount went back after it was paid
)

// Payment is the state of a payment at the provider.
type Payment struct {
	Reference
	State      State
	Amount     money.Amount
	Refunds    []Refund
	Method     *Method   // the charged or saved method; nil while unknown
	URL        string    // of the page of an open payment; it does not change. A credential of the customer, never stored
	Secret     string    // for the authentication of an open payment in the browser; it does not change. Never stored
	Until      time.Time // when an open payment ends by itself; zero if it does not
	ExpectedBy time.Time // when the money of a processing payment arrives; zero if unknown
	Decline    Decline   // of a failed payment
	// Reason is a sentence for the customer: why a payment has failed or was returned, or why the page of an open payment
	// has refused the last account. "" if there is none.
	Reason string
}

// Decline states what can be done after a failed payment.
type Decline string

// The kinds of declines.
const (
	SoftDecline    Decline = ""                // the same method may be charged later
	HardDecline    Decline = "hard"            // the method must not be charged again
	MethodGone     Decline = "method_gone"     // the method has ended at the provider, such as a canceled mandate
	CustomerNeeded Decline = "customer_needed" // only the customer can make the payment, as with an authentication
)

// Method is a saved payment method.
type Method struct {
	Ref string // for Order.MethodRef and Forget
	// Details describe the method to the customer. Equal cards and accounts have equal fingerprints. ID is "".
	Details billing.PaymentMethod
	Pending bool // can't be charged yet, because its bank has to confirm the mandate
}

// RefundOrder is a request to return money.
type RefundOrder struct {
	Key        string
	PaymentRef string // as returned with the paid payment
	Amount     money.Amount
}

// Refund is the state of a refund at the provider. State is Processing, Paid or Failed.
type Refund struct {
	Key    string // of the order; "" for a refund that an operator has made by hand
	Ref    string
	Amount money.Amount
	State  State
}
