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
	// AddCard saves a card made in the browser and makes it the one that gets charged. The
	// provider may check it with the bank: Declined. A card that belongs to another customer is
	// NotFound. A card that the customer already has just becomes the default.
	AddCard(ctx context.Context, in NewCard) (billing.PaymentMethod, error)
	// SetDefaultCard makes one of the customer's cards the one that gets charged, for running
	// subscriptions too, and returns the customer with it.
	SetDefaultCard(ctx context.Context, in SavedCard) (billing.Customer, error)
	// DeleteCard takes the card off the customer; it can't be used again. Deleting the default
	// card leaves the customer without one.
	DeleteCard(ctx context.Context, in SavedCard) error
}

// Subscriptions sells prices of the catalogue to customers. Every subscription returned holds
// its latest invoice and the intents a browser may have to finish, client secrets included.
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
	// ContinueSubscription pays the open invoice of an incomplete or past_due subscription with
	// the customer's default card and returns the subscription as it then is. A subscription
	// with nothing to pay is returned as it is; one that has ended is Conflict.
	ContinueSubscription(ctx context.Context, in Continuation) (billing.Subscription, error)
	// ChangePlan moves a live subscription to another price in place, ends a running trial, and
	// bills the difference at once; when that can't be paid, it is past_due on the new price, with
	// the payment's intent telling why. One that isn't live is Conflict, another currency Invalid.
	ChangePlan(ctx context.Context, in PlanChange) (billing.Subscription, error)
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
