package payment

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/domain/billing"
)

// Provider is a payment provider. It consists of smaller interfaces, so that a use case can depend on one
// of them.
type Provider interface {
	Customers
	Cards
	Subscriptions
	Quotes
	Invoices
	Support
	Fence
	Events
	// Capabilities returns what the provider can do. It is constant and calls no API.
	Capabilities() Capabilities
}

var (
	// ErrCustomerDeleted is wrapped by the NotFound for a customer that was deleted at the provider.
	ErrCustomerDeleted = errors.New("the customer was deleted at the provider")

	// ErrKeyRefused is wrapped by an error if the provider refuses the server's API key, because the key is wrong, was
	// revoked, or lacks a permission. A retry can't succeed.
	ErrKeyRefused = errors.New("the provider refuses the API key")
)

// Customers creates and finds the customer of an organisation.
type Customers interface {
	// CreateCustomer creates the organisation's customer.
	CreateCustomer(ctx context.Context, req NewCustomer) (billing.Customer, error)
	// Customer returns the customer with its default card. For a deleted customer it returns a NotFound that wraps
	// ErrCustomerDeleted; for an unknown one, a NotFound that does not. The difference matters: with the API key of
	// another account all customers are unknown, and that must not end their subscriptions.
	Customer(ctx context.Context, id string) (billing.Customer, error)
	// CustomerOf returns the oldest customer that was created for an organisation, or NotFound. It must find a
	// customer as soon as CreateCustomer has returned, because the caller creates another one after NotFound.
	CustomerOf(ctx context.Context, owner Owner) (billing.Customer, error)
	// UpdateCustomer sets the billing details of the next invoices; earlier invoices stay as they are. It
	// changes neither the currency nor the result of CustomerOf. The tax id replaces the earlier one atomically: the
	// customer is never without one. The provider may verify it after the response. A tax id that the
	// provider can't accept is Invalid. The application has validated the details with
	// account.BillingDetails.Validate, so the adapter only refuses values that the provider can't store. The
	// billing email is confirmed: the provider may send emails to it.
	UpdateCustomer(ctx context.Context, req CustomerUpdate) (billing.Customer, error)
}

// Cards manages the customers' saved cards and other payment methods. The details of a card go from the
// browser to the provider; the server receives only the id of a payment method that was created there.
//
// With EntryRedirect no card is created in the browser. The customer enters a method, such as a bank account with a
// mandate, on the provider's page for a payment or on the page of SetUpMethod. The provider saves the
// method, makes it the default one, and charges it without the customer for renewals, the first payment after a
// trial, and plan changes. Subscribe and PayInvoice charge it only when the request names it, because the
// customer may want to pay with another one. AddCard accepts saved methods only.
//
// The same card number, or the same bank account, has the same fingerprint under every id, see billing.PaymentMethod. The
// application limits charges and removes duplicates by fingerprint.
type Cards interface {
	// Cards returns the customer's saved cards, newest first; an empty list if there are none.
	Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error)
	// AddCard saves a card that was created in the browser and makes it the default card, unless
	// KeepDefault is set. A card that the issuer refuses is Declined. A card of another customer is
	// NotFound. A card that is already saved only becomes the default.
	AddCard(ctx context.Context, req NewCard) (billing.PaymentMethod, error)
	// SetDefaultCard makes a saved card the default card, also for existing subscriptions, and returns the customer.
	SetDefaultCard(ctx context.Context, req SavedCard) (billing.Customer, error)
	// DeleteCard detaches the card from the customer; it can't be used again. Deleting the default
	// card leaves the customer without one.
	DeleteCard(ctx context.Context, req SavedCard) error
	// SetUpMethod returns the provider's page on which the customer saves a payment method without a payment: a
	// Redirect with the URL and, if the page expires, Until. Neither the request nor the page charges anything, even
	// if an invoice is open. A completed page saves the method under a new id, even if the same card or bank account
	// is already saved, and makes it the default one. A page that the customer leaves can be visited again. A page that
	// refuses the method saves nothing, and may end. A page saves at most one method; a request with another key
	// returns a page that can be completed, independently of earlier ones. A mandate that the bank has not confirmed
	// yet counts as saved, and the provider delays charges until the confirmation.
	SetUpMethod(ctx context.Context, req MethodSetup) (billing.NextAction, error)
}

// Subscriptions sells prices of the catalogue to customers. Every subscription that a method returns contains its
// latest invoice, the intents that a browser may have to confirm, with client secrets, the next action
// (see billing.NextActionOf), a pending plan change and the keys of the requests that started and last
// changed it. The invoice of a pending change is the latest invoice.
//
// The subscription also contains the amounts that the application announces to the customer and that the provider will
// charge. When the catalogue changes, a subscription keeps the price at which its plan was chosen, and a scheduled change
// the one at which it was scheduled. Renewal includes everything else that the provider adds or deducts, such as an
// operator's discount. If the renewal can't be computed at the moment, Renewal is the zero amount.
type Subscriptions interface {
	// Subscribe starts a subscription that charges the customer's default card. A card in the request
	// becomes the default card first, as with AddCard. With trial days the subscription is trialing immediately, and
	// PendingSetup asks for the card's authentication when the issuer requires it. Without trial days
	// the first invoice is charged now, and the subscription is active if the payment succeeded. It is incomplete
	// if the payment failed, for the reason in Next (a declined card is not an error here), or if the payment takes days,
	// see the package comment.
	//
	// A customer with another currency is Invalid. With EntryCardField a customer without a card to charge is
	// Invalid, too. A request that NewSubscription.Sole or First excludes is Conflict, and so is a customer on
	// hold. The card of the request may be saved even if the request fails.
	//
	// A provider with EntryRedirect or EntryInvoice returns an incomplete or active subscription with an
	// open invoice; Next is Redirect with the URL of the provider's page, or Wait with instructions. The
	// invoice is paid when the customer has paid there, not when the customer returns. With EntryRedirect
	// a saved method that the request names is charged instead, see Cards. A trial starts immediately, even without
	// a saved method, and has no Next. If no method is saved when the trial ends, the first invoice stays open,
	// the subscription is past due, and Next is Redirect to the page where the customer pays the invoice.
	Subscribe(ctx context.Context, req NewSubscription) (billing.Subscription, error)
	// Subscription returns the current state of a subscription.
	Subscription(ctx context.Context, id string) (billing.Subscription, error)
	// ListSubscriptions returns the customer's subscriptions in any of the statuses, newest first. Without a
	// status it returns all subscriptions, including ended ones. An empty list is not nil. A Next that is
	// Redirect may lack its URL; Subscription returns it.
	ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error)
	// ChangePlan changes the price of an active or trialing subscription in place. The unused part of
	// the current period is credited, the new price is invoiced immediately, and a new period begins when
	// the interval changes or a trial ends. When nothing is due, the change takes effect immediately and the
	// rest becomes credit of the customer.
	//
	// When the amount due can't be charged immediately, nothing changes: price, period, trial, status and
	// earlier invoices stay the same, and the subscription is returned with the Pending change and, in
	// Next, the reason. The change takes effect when its invoice is paid. It is discarded, and its
	// invoice voided, after 23 hours, or at the end of the trial or period if that is earlier. Only
	// PayInvoice and the customer's browser charge that invoice: neither a new default card nor the
	// provider's own retries do.
	//
	// With When AtRenewal nothing is charged or credited now: the subscription has the Scheduled change,
	// which is made when the period or the trial ends, with the invoice for the new period.
	//
	// A change replaces a scheduled change. A change now discards the scheduled change when it takes effect; a refused
	// change keeps it. A pending change reports the scheduled change in Pending.Replaces; when the pending change is
	// discarded, that change is the Scheduled change again. A provider that can't keep it sets Lapsed, and the caller
	// sends it again, AtRenewal. To leave time for that, such a provider refuses a change now as Conflict if it replaces
	// a scheduled change and could be pending until less than a day before the renewal.
	//
	// These are Conflict: a subscription that is neither active nor trialing, a price or trial other than in the
	// request, a customer on hold, a subscription that is paused or ending, another pending change, and any
	// other invoice of the subscription that is a draft or open, because credit must only be given for money
	// received. Another currency is Invalid.
	ChangePlan(ctx context.Context, req PriceChange) (billing.Subscription, error)
	// CancelPendingChange discards a pending plan change, voids its invoice, and returns the
	// subscription. If the change was paid in the meantime, it has taken effect, and the subscription has the
	// new price; if it was discarded before, nothing changes. A pending change with another invoice is Conflict,
	// and so is a pending change whose payment is processing.
	CancelPendingChange(ctx context.Context, req PendingCancellation) (billing.Subscription, error)
	// CancelScheduledChange cancels a plan change that waits for the renewal, including one that a pending change
	// replaces, and returns the subscription. Without a scheduled change it changes nothing.
	CancelScheduledChange(ctx context.Context, req ScheduleCancellation) (billing.Subscription, error)
	// SetEndAtPeriodEnd ends an active or trialing subscription when its period or trial ends: EndsAt is
	// set and nothing is charged any more. With End false the subscription renews again; a change that
	// was canceled before is not restored. A subscription that is already in the requested state is returned
	// unchanged. These are Conflict: an ended subscription, a subscription that is past due, and, with End, a
	// subscription with a pending or scheduled change.
	SetEndAtPeriodEnd(ctx context.Context, req EndRequest) (billing.Subscription, error)
	// CancelSubscription ends the subscription now. An ended subscription is returned unchanged. Its EndsAt is the
	// time at which it ended (after SetEndAtPeriodEnd, the end of the period), or zero if the provider does not report
	// that time. See Cancellation.IfUnpaid for a subscription that may be paid at the same time.
	CancelSubscription(ctx context.Context, req Cancellation) (billing.Subscription, error)
}

// Quotes computes what a request would cost, and changes nothing. Each method accepts the request itself,
// without a key, and returns the errors of the request. The request charges exactly the quoted amount if it
// is sent for the quoted instant and no other charge, credit or change happens in between.
type Quotes interface {
	// QuoteSubscription quotes Subscribe. The card in the request is ignored, and the customer needs none.
	QuoteSubscription(ctx context.Context, req NewSubscription) (billing.Quote, error)
	// QuoteChange quotes ChangePlan. Quote.At is req.At, or the provider's current time when that is zero;
	// ChangePlan charges the quoted amount if PriceChange.At is Quote.At.
	QuoteChange(ctx context.Context, req PriceChange) (billing.Quote, error)
}

// Invoices shows and collects the invoices of a customer.
type Invoices interface {
	// PayInvoice charges an open invoice of a subscription while the customer is present, and then returns
	// the subscription. Its status and Next report the result of the payment (a declined card is not an
	// error here). An invoice that is already paid is not charged again. These are Conflict: an amount other
	// than the remaining amount of the invoice, a void or uncollectible invoice, and an invoice whose payment is
	// processing.
	//
	// With InvoicePayment.Ended it pays an owed invoice of a canceled subscription, see
	// billing.Account.OwingSubscription. The subscription stays canceled. Without Ended, an invoice of an ended
	// subscription is Conflict. An invoice of an unpaid or expired subscription is always Conflict.
	//
	// A method of another customer is NotFound; without any method the request is Invalid. A provider with
	// EntryRedirect charges nothing when no method is named: Next is Redirect with the URL where the
	// customer pays the invoice. After a decline Next is Redirect with the reason.
	PayInvoice(ctx context.Context, req InvoicePayment) (billing.Subscription, error)
	// ListInvoices returns the customer's invoices with lines and amounts, newest first, but no drafts and
	// no client secrets. It includes those that an operator created at the provider. Every line has a
	// description. The amounts account for all money and credit that moved because of the invoice, see
	// billing.Invoice.Settlement: a part payment, credit that was used, a refund and a credit note are in the
	// next list, even if an operator made them at the provider. The number of requests to the provider does
	// not grow with the number of invoices on the page.
	//
	// A provider that writes the dates of an invoice itself reports their TimeZone, the time zone of the customer's
	// address when the invoice was issued. Buyer is optional; it is the addressee when the invoice was issued. Later
	// changes of the customer's details change neither. Seller and TaxName are optional; they are those of the document.
	// ReceivedPayments is optional; it contains the payments that the provider knows, each with the details of its method
	// at the time of the payment.
	//
	// An unknown invoice in InvoicePage and one of another customer are the same NotFound. A draft that
	// InvoicePage.InvoiceID selects results in an empty list.
	ListInvoices(ctx context.Context, req InvoicePage) (InvoiceList, error)
	// InvoicePDF returns the invoice as a PDF document of at most MaxPDF bytes. An unknown invoice and one of
	// another customer are the same NotFound.
	InvoicePDF(ctx context.Context, customerID, invoiceID string) (InvoiceDocument, error)
}

// InvoiceDocument is an invoice for printing.
type InvoiceDocument struct {
	Number string // of the invoice, as printed; "" when it has none
	PDF    []byte
}

// MaxPDF is the largest size of an invoice document in bytes.
const MaxPDF = 10 << 20

// Worker is implemented by adapters that renew subscriptions and collect invoices themselves, because the provider
// has no service that does so. The application calls Tick on one server at a time, every few seconds.
type Worker interface {
	// Tick processes what is due and returns the number of customers that it has processed. A provider
	// without PushEvents calls report for each customer that has changed without a request of the application:
	// because something became due, or because an operator changed it, in this process or another. A provider
	// with PushEvents may call report, too. report reads the customer from the provider before it returns, so
	// Tick must not hold a lock or a transaction that a read waits for. If report fails, or the server stops
	// before report has returned nil, a later Tick reports the change again. A failure for one customer does
	// not delay the others.
	Tick(ctx context.Context, report func(context.Context, Event) error) (customers int, err error)
}

// Fence stops requests that may still be in transit. A server that takes over an operation first
// retires the keys of all its requests, so that a delayed request can't act in addition to the new
// ones, independently of the clocks of the servers.
type Fence interface {
	// Retire stops the request with the key permanently. nil means that the request has not acted and
	// never will: if it arrives later, it is refused with a Conflict that wraps ErrKeyRetired, and
	// another Retire returns nil again. Conflict means that the request has acted, or is acting now and ends
	// within Capabilities.LongestRequest. NotFound means that there is no such customer, so that no
	// request for it can act.
	//
	// A retired Subscribe may have saved the card of its request.
	Retire(ctx context.Context, req Retirement) error
}

// Events reads the webhook events of the provider.
type Events interface {
	// ParseEvents verifies a delivery and decodes its events, of which there may be none. A missing or
	// wrong signature is Forbidden, and so is a signature from more than 300 s ago. A body that
	// contains anything but events is Invalid. A provider that does not sign its deliveries sets
	// Event.Unsigned. If it must read its API to find the customer of such an event, it limits these reads
	// itself, because anyone can cause them. An event about an invoice, or about a refund or dispute of its
	// payment, has the invoice in Event.InvoiceIDs.
	ParseEvents(ctx context.Context, delivery Delivery) ([]Event, error)
}
