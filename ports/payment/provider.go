package payment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
)

// Provider is a payment provider in full. Callers ask for the part they need.
type Provider interface {
	Customers
	Cards
	Subscriptions
	Fence
	Events
}

// Customers keeps one customer for each organisation.
type Customers interface {
	// CreateCustomer makes the organisation's customer.
	CreateCustomer(ctx context.Context, in NewCustomer) (billing.Customer, error)
	// Customer returns the customer with its default card. A deleted customer is NotFound with
	// ErrCustomerDeleted in its chain, which one that never was has not: a provider that is asked
	// in the name of another account knows none of ours, and that must not end anything.
	Customer(ctx context.Context, id string) (billing.Customer, error)
	// CustomerOf finds the customer that was made for an organisation, the oldest one if there are
	// several; NotFound when there is none. It finds what was made a moment ago, for it is asked
	// where a second customer would come of not finding the first.
	CustomerOf(ctx context.Context, of Owner) (billing.Customer, error)
}

// Cards keeps the customers' saved cards. The card's data itself goes from the browser to the
// provider and never through us: what arrives here is the id of a payment method made there.
type Cards interface {
	// Cards lists the customer's saved cards, newest first; none is an empty list.
	Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error)
	// AddCard saves a card made in the browser and makes it the one that gets charged, unless
	// KeepDefault is set. The provider may check it with the bank: Declined. A card that belongs to
	// another customer is NotFound. A card that the customer already has just becomes the default.
	AddCard(ctx context.Context, in NewCard) (billing.PaymentMethod, error)
	// SetDefaultCard makes one of the customer's cards the one that gets charged, for running
	// subscriptions too, and returns the customer with it.
	SetDefaultCard(ctx context.Context, in SavedCard) (billing.Customer, error)
	// DeleteCard takes the card off the customer; it can't be used again. Deleting the default
	// card leaves the customer without one.
	DeleteCard(ctx context.Context, in SavedCard) error
}

// Subscriptions sells prices of the catalogue to customers. Every subscription returned holds
// its latest invoice, the intents a browser may have to finish, client secrets included, the next
// action that follows from them (billing.NextActionOf), a pending plan change, whose invoice is the
// latest one, and the keys of the requests that started and last changed it.
type Subscriptions interface {
	// Subscribe starts a subscription that charges the customer's default card, which the card
	// that comes with it becomes first, as with AddCard. With trial days it is trialing at once, and
	// PendingSetup asks for the card's authentication when the bank wants one. Without, the first
	// invoice is charged now: active when it was paid, else incomplete with the payment's intent
	// telling why (a declined card is not an error here). A customer without a card, or with another
	// currency, is Invalid; see NewSubscription.Sole and First for Conflict. After a refusal the card may have
	// been saved all the same.
	Subscribe(ctx context.Context, in NewSubscription) (billing.Subscription, error)
	// Subscription returns one subscription as it is now.
	Subscription(ctx context.Context, id string) (billing.Subscription, error)
	// ListSubscriptions lists the customer's subscriptions, newest first, those in any of the
	// statuses, or all of them, ended ones included, when none is given.
	ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error)
	// PayInvoice charges a named open invoice of a subscription while the customer is present, and
	// returns the subscription as it then is: how the payment went is told by its status and Next (a
	// declined card is not an error here). An invoice that is paid already is not charged again. Another
	// amount due than named, an invoice that is void, and one of a subscription that has ended are
	// Conflict. A method that isn't the customer's is NotFound; Invalid without any method.
	PayInvoice(ctx context.Context, in InvoicePayment) (billing.Subscription, error)
	// ChangePlan moves an active or trialing subscription to another price in place. The unused part
	// of the present period is credited, the new price is billed at once, and a new period begins when
	// the interval changes or a trial ends. When nothing is due the change is made at once, and what
	// is left becomes the customer's credit.
	//
	// When the amount due can't be charged at once nothing changes: price, period, trial, status and
	// all earlier invoices stay as they are, and the subscription is returned with the Pending change
	// and, in Next, why. The change is made when its invoice is paid. It is discarded, and its invoice
	// voided, 23 hours later, or at the end of the trial or period if that comes first. Nothing but
	// PayInvoice and the customer's browser ever charges that invoice: neither a new default card nor
	// the provider's own retries.
	//
	// Conflict: a subscription that isn't active or trialing, another price or trial than named in the
	// request, another pending change, and any other invoice of the subscription that is a draft or
	// open, because credit must only be given for money received. Another currency is Invalid.
	ChangePlan(ctx context.Context, in PlanChange) (billing.Subscription, error)
	// CancelPendingChange discards a pending plan change, voids its invoice, and returns the
	// subscription. When the change has been paid meanwhile it was made, and the subscription's price
	// says so; when it was discarded before, nothing changes. Another pending change than named, and
	// one whose payment is being processed, are Conflict.
	CancelPendingChange(ctx context.Context, in PendingCancellation) (billing.Subscription, error)
	// CancelSubscription ends the subscription now; ending an ended one returns it unchanged. See
	// Cancellation.IfUnpaid for one that may be paid at this very moment.
	CancelSubscription(ctx context.Context, in Cancellation) (billing.Subscription, error)
}

// Events receives what the provider tells of its own accord.
type Events interface {
	// ParseEvent checks the signature of a delivery and reads it. A missing, wrong or outdated
	// (over 300 s) signature is Forbidden; a payload that is no event is Invalid.
	ParseEvent(payload []byte, signature string) (Event, error)
}
