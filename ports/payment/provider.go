package payment

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/domain/billing"
)

// Provider bills customers. It consists of smaller interfaces, so that a use case can depend on one of them.
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

	// ErrAPIKeyRefused is wrapped by an error if the provider refuses the server's API key, because the key is wrong, was
	// revoked, or lacks a permission. A retry can't succeed.
	ErrAPIKeyRefused = errors.New("the provider refuses the API key")
)

// Customers creates and finds the customer of an organisation.
type Customers interface {
	// CreateCustomer creates the organisation's customer.
	CreateCustomer(ctx context.Context, req NewCustomer) (billing.Customer, error)
	// Customer returns the customer with its default card, and with Buyer and Phone if operators can edit them at the
	// provider. For a deleted customer it returns a NotFound that wraps ErrCustomerDeleted, so that the application
	// ends the customer's subscriptions. For an unknown customer it returns another NotFound, because all customers are
	// unknown if the server has the API key of another account.
	Customer(ctx context.Context, id string) (billing.Customer, error)
	// CustomerOf returns the oldest customer that was created for an organisation, or NotFound. It must find a
	// customer as soon as CreateCustomer has returned, because the caller creates another one after NotFound.
	CustomerOf(ctx context.Context, owner Owner) (billing.Customer, error)
	// UpdateCustomer sets the billing details of future invoices, and the email address of the customer if the request has
	// one. It does not change earlier invoices, the currency and, unless the request has an email address, the result of
	// CustomerOf. The new tax id replaces the earlier one atomically, and the provider may verify it after
	// the response. UpdateCustomer returns Invalid for a tax id that the provider can't accept. The application has
	// validated the details with account.BillingDetails.Validate, so the adapter only refuses values that the provider
	// can't store. The billing email is confirmed, so the provider may send emails to it.
	UpdateCustomer(ctx context.Context, req CustomerUpdate) (billing.Customer, error)
	// EraseCustomer removes the customer's saved methods, and the name, the addresses, the phone number, the tax id and the
	// organisation of the customer, as far as the provider permits it. The application calls it after the last plan has
	// ended and everything is paid. The customer, its subscriptions and its invoices with their addressees can still be
	// read, and CustomerOf does not find the customer any more. A repeated call, and one for a deleted customer, changes
	// nothing and returns nil.
	EraseCustomer(ctx context.Context, id string) error
}

// Cards manages the customers' saved cards and other payment methods. The details of a card go from the
// browser to the provider; the server receives only the id of a payment method that was created there.
//
// With EntryRedirect no card is created in the browser. The customer enters a method, such as a bank account with a
// mandate, on the provider's page for a payment or on the page of SetUpMethod. The provider saves the method, makes it
// the default one, and charges it without the customer for renewals, the first payment after a trial, and plan changes.
// Subscribe and PayInvoice charge a saved method only if the request names it, because the customer may want to pay with
// another method. AddCard accepts saved methods only.
//
// The same card number, or the same bank account, has the same fingerprint under every id, see billing.PaymentMethod. The
// application limits charges by fingerprint, and lists identical methods once.
type Cards interface {
	// Cards returns the customer's saved cards, newest first; an empty list if there are none.
	Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error)
	// AddCard saves a card that was created in the browser and makes it the default card, unless KeepDefault is set. A
	// card that is already saved only becomes the default. AddCard returns Declined for a card that the issuer refuses,
	// and NotFound for a card of another customer. If the bank saves the card only after the customer has authenticated
	// it, AddCard returns an *AuthenticationError, and saves the card when it is called again after the authentication.
	AddCard(ctx context.Context, req NewCard) (billing.PaymentMethod, error)
	// SetDefaultCard makes a saved card the default card, also for existing subscriptions, and returns the customer.
	SetDefaultCard(ctx context.Context, req SavedCardRequest) (billing.Customer, error)
	// DeleteCard detaches the card from the customer. The card can't be used again. Deleting the default card leaves the
	// customer without a default card.
	DeleteCard(ctx context.Context, req SavedCardRequest) error
	// SetUpMethod returns the provider's page on which the customer saves a payment method without a payment: a Redirect
	// with the URL and, if the page expires, Until. Neither the request nor the page charges anything, even if an
	// invoice is open. A completed page saves the method under a new id, even if the same card or bank account is
	// already saved, and makes it the default one. A page that the customer leaves can be visited again. A page that
	// refuses the method saves nothing, and may then no longer be completed. A page saves at most one method. A request
	// with another key returns a new page, which can be completed independently of earlier pages. A mandate that the
	// bank has not confirmed yet counts as saved, and the provider delays charges until the confirmation.
	SetUpMethod(ctx context.Context, req MethodSetup) (billing.NextAction, error)
}

// Subscriptions sells prices of the catalogue to customers. Every subscription that a method returns contains its latest
// invoice, the next action (see billing.DeriveNextAction), a pending plan change, and the keys of the requests that started
// and last changed the subscription. It also contains the intents that a browser may have to confirm, with their client
// secrets. The invoice of a pending change is the latest invoice.
//
// The subscription also contains the amounts that the provider will charge, which the application announces to the
// customer. When the catalogue changes, a subscription keeps the price at which its plan was chosen, and a scheduled
// change keeps the price at which it was scheduled. Renewal includes everything else that the provider adds or deducts,
// such as an operator's discount. If the renewal can't be computed at the moment, Renewal is the zero amount.
type Subscriptions interface {
	// Subscribe starts a subscription that charges the customer's default card. A card in the request becomes the
	// default card first, as with AddCard. With trial days the subscription is trialing immediately. If the issuer
	// requires an authentication of the card, PendingSetup asks for it. Without trial days the first invoice is charged
	// now, and the subscription is active if the payment succeeded. The subscription is incomplete if the payment failed
	// or takes days, see the package comment. A declined card is not an error: Next has the reason.
	//
	// Subscribe returns Invalid for a customer with another currency and, with EntryCardField, for a customer without a
	// card to charge. It returns Conflict for a request that NewSubscription.Sole or First excludes, and for a customer
	// on hold. The card of the request may be saved even if the request fails.
	//
	// A provider with EntryRedirect or EntryInvoice returns an incomplete or active subscription with an open invoice.
	// Next is Redirect with the URL of the provider's page, or Wait with instructions. The invoice is paid when the
	// customer has paid, not when the customer returns from the page. If a request names a saved method, a provider with
	// EntryRedirect charges that method instead, see Cards. A trial starts immediately, even without a saved method, and
	// has no Next. If no method is saved when the trial ends, the first invoice stays open, the subscription is past
	// due, and Next is Redirect to the page where the customer pays the invoice.
	Subscribe(ctx context.Context, req NewSubscription) (billing.Subscription, error)
	// Subscription returns the current state of a subscription. A Redirect in Next may lack its URL, and the ConfirmPayment of
	// a renewal its Secret. PayInvoice without a method returns them.
	Subscription(ctx context.Context, id string) (billing.Subscription, error)
	// ListSubscriptions returns the customer's subscriptions in any of the statuses, newest first. Without a status it
	// returns all subscriptions, including ended ones. An empty list is not nil. The subscriptions may lack client secrets
	// and the URL of a Redirect in Next, see Subscription.
	ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error)
	// ChangePlan changes the price of an active or trialing subscription in place. The unused part of the current period
	// is credited, the new price is invoiced immediately, and a new period begins when the interval changes or a trial
	// ends. When nothing is due, the change takes effect immediately, and the remaining amount becomes the customer's
	// credit.
	//
	// When the amount due can't be charged immediately, price, period, trial, status and earlier invoices stay the same.
	// The returned subscription has the Pending change and, in Next, the reason. The change takes effect when its
	// invoice is paid. After 23 hours, or at the end of the trial or period if that is earlier, the provider discards
	// the change and voids its invoice. Only PayInvoice and the customer's browser charge that invoice. The provider
	// does not retry the charge, and does not charge a new default card.
	//
	// With ChangeAtRenewal nothing is charged or credited now. The subscription has the Scheduled change, which takes
	// effect when the period or the trial ends, together with the invoice for the new period.
	//
	// A change replaces a scheduled change. When an immediate change takes effect, the provider discards the scheduled
	// change; when it refuses the immediate change, it keeps the scheduled one. A pending change reports the scheduled
	// change in Pending.Replaces. When the pending change is discarded, the replaced change becomes the Scheduled change
	// again. A provider that can't keep the replaced change sets Lapsed, and the caller sends that change again, with
	// ChangeAtRenewal. To leave time for this, such a provider returns Conflict for an immediate change that replaces a
	// scheduled one and could be pending until less than a day before the renewal.
	//
	// ChangePlan returns Conflict for a subscription that is not active or trialing, that is paused or ending, or whose
	// price or trial differs from the request. If its payments take days, a provider may return Conflict for an immediate
	// change whose payment would arrive after the period ends. It also returns Conflict for a customer on hold, while
	// another change is pending, and while any other invoice of the subscription is a draft or open, because the provider
	// must only give credit for money received. It returns Invalid for another currency.
	ChangePlan(ctx context.Context, req PriceChange) (billing.Subscription, error)
	// CancelPendingChange discards a pending plan change, voids its invoice, and returns the subscription. If the change
	// was paid before, it has taken effect, and the returned subscription has the new price. If the change was discarded
	// before, nothing changes. CancelPendingChange returns Conflict for a pending change with another invoice, and for
	// one whose payment is processing.
	CancelPendingChange(ctx context.Context, req PendingChangeCancellation) (billing.Subscription, error)
	// CancelScheduledChange cancels the plan change that is scheduled for the renewal and returns the subscription. It
	// also cancels a scheduled change that a pending change replaces. Without a scheduled change it changes nothing.
	CancelScheduledChange(ctx context.Context, req ScheduledChangeCancellation) (billing.Subscription, error)
	// SetEndAtPeriodEnd ends an active or trialing subscription when its period or trial ends. It sets EndsAt, and
	// nothing is charged any more. With End false the subscription renews again; a change that was canceled before is
	// not restored. A subscription that is already in the requested state is returned unchanged. SetEndAtPeriodEnd
	// returns Conflict for a subscription that has ended or is past due and, with End, for a subscription with a pending
	// or scheduled change.
	SetEndAtPeriodEnd(ctx context.Context, req EndRequest) (billing.Subscription, error)
	// CancelSubscription ends the subscription now. It returns an ended subscription unchanged. EndsAt of an ended
	// subscription is the time at which it ended (after SetEndAtPeriodEnd, the end of the period), or zero if the
	// provider does not report that time. See Cancellation.IfUnpaid for a subscription that may be paid at the same
	// time.
	CancelSubscription(ctx context.Context, req Cancellation) (billing.Subscription, error)
}

// Quotes computes what a request would cost, and changes nothing. Each method accepts the request itself,
// without a key, and returns the errors of the request. The request charges exactly the quoted amount if it
// is sent for the quoted instant and no other charge, credit or change happens in between.
type Quotes interface {
	// QuoteSubscription returns the quote of the subscription that Subscribe would start. It ignores the card in the
	// request, and the customer need not have a card.
	QuoteSubscription(ctx context.Context, req NewSubscription) (billing.Quote, error)
	// QuoteChange returns the quote of the change that ChangePlan would make. Quote.At is req.At or, if req.At is zero,
	// the provider's current time. ChangePlan charges the quoted amount if PriceChange.At is Quote.At.
	QuoteChange(ctx context.Context, req PriceChange) (billing.Quote, error)
}

// Invoices shows and collects the invoices of a customer.
type Invoices interface {
	// PayInvoice charges an open invoice of a subscription while the customer is present, and returns the subscription.
	// The subscription's status and Next report the result of the payment; a declined card is not an error. An invoice
	// that is already paid is not charged again. PayInvoice returns Conflict for an amount other than the remaining
	// amount of the invoice, for a void invoice, and for an invoice whose payment is processing. It charges an
	// uncollectible invoice if the provider accepts its payment.
	//
	// With InvoicePayment.Ended, PayInvoice charges an owed invoice of a canceled subscription, see
	// billing.Account.OwingSubscription. The subscription stays canceled. Without Ended, PayInvoice returns Conflict for
	// an invoice of an ended subscription. It always returns Conflict for an invoice of an unpaid or expired
	// subscription.
	//
	// PayInvoice returns NotFound for a method of another customer, and Invalid if there is no method to charge. If the
	// request names no method, a provider with EntryRedirect charges nothing: Next is Redirect with the URL where the
	// customer pays the invoice. After a decline, Next is Redirect with the reason.
	PayInvoice(ctx context.Context, req InvoicePayment) (billing.Subscription, error)
	// ListInvoices returns the customer's invoices with lines and amounts, newest first, without drafts and client
	// secrets. It includes invoices that an operator created at the provider. Every line has a description. The amounts
	// account for all money and credit that moved because of the invoice, see billing.Invoice.Movements. They include part
	// payments, used credit, refunds and credit notes, even those that an operator made at the provider, as soon as these
	// were made. The number of requests to the provider does not grow with the number of paid invoices on the page.
	//
	// All reads of an invoice agree: every field that the latest invoice of a subscription has, see billing.Invoice, equals
	// that of the invoice in the list. Emails are derived from the list, and screens from the latest invoice.
	//
	// A provider that writes the dates of an invoice itself reports TimeZone, the time zone of the customer's address
	// when the invoice was issued. Buyer, the addressee when the invoice was issued, is optional. Later changes of the
	// customer's details change neither TimeZone nor Buyer. Seller and TaxName are optional and equal those of the
	// document. ReceivedPayments is optional. It contains the payments that the provider knows, each with the details of
	// its method at the time of the payment. Returns is optional, too. It contains the refunds, disputes and credit notes
	// that the provider knows.
	//
	// ListInvoices returns the same NotFound for an unknown invoice in InvoiceQuery and for an invoice of another
	// customer. If InvoiceQuery.InvoiceID selects a draft, the list is empty.
	ListInvoices(ctx context.Context, req InvoiceQuery) (InvoiceList, error)
	// InvoicePDF returns the invoice as a PDF document of at most MaxPDFSize bytes. It returns the same NotFound for an
	// unknown invoice and for an invoice of another customer.
	InvoicePDF(ctx context.Context, customerID, invoiceID string) (InvoiceDocument, error)
	// CreditNotePDF returns the credit note with the number, see billing.Return.CreditNote, as a PDF document of at most
	// MaxPDFSize bytes. It returns NotFound if the customer has no such invoice or the invoice has no such credit note.
	CreditNotePDF(ctx context.Context, customerID, invoiceID, number string) (InvoiceDocument, error)
}

// InvoiceDocument is an invoice or a credit note for printing.
type InvoiceDocument struct {
	Number string // of the document, as printed; "" when it has none
	PDF    []byte
}

// MaxPDFSize is the largest size of an invoice document in bytes.
const MaxPDFSize = 10 << 20

// Worker is implemented by adapters that renew subscriptions and collect invoices themselves, because the provider
// has no service that does so. The application calls Tick on one server at a time, every few seconds.
type Worker interface {
	// Tick processes everything that is due and returns the number of customers that it has processed. It calls report
	// for each customer that has changed without a request of the application, for example because something became due
	// or because an operator changed it, unless a webhook event reports each of these changes. report reads the customer
	// from the provider before it returns, so Tick must not hold a lock or a transaction that a read waits for. If report
	// fails, or the server stops before report has returned nil, a later Tick reports the change again. A failure for one
	// customer does not delay the others.
	Tick(ctx context.Context, report func(context.Context, Event) error) (customers int, err error)
}

// Fence stops requests that may still be in transit. A server that takes over an operation first retires the keys of all
// requests of the operation, so that a delayed request can't act in addition to the new ones. This does not depend on
// the clocks of the servers.
type Fence interface {
	// Retire stops the request with the key permanently. It returns nil if the request has not acted and never will: a
	// request that arrives after Retire is refused with a Conflict that wraps ErrKeyRetired, and another Retire returns
	// nil again. Retire returns Conflict if the request has acted, or is acting now and ends within
	// Capabilities.LongestRequest. It returns NotFound if the customer does not exist, so that no request for the
	// customer can act.
	//
	// A Subscribe whose key was retired may have saved the card of its request.
	Retire(ctx context.Context, req Retirement) error
}

// Events reads the webhook events of the provider.
type Events interface {
	// ParseEvents verifies a delivery and decodes its events, possibly none. It returns Forbidden for a signature that
	// is missing, wrong or more than 300 s old, and Invalid for a body that contains anything but events. A provider
	// that does not sign its deliveries sets Event.Unsigned. If the adapter must read the provider's API to find the
	// customer of such an event, it limits these reads itself, because anyone can cause them. Event.InvoiceIDs names the
	// invoice of an event about an invoice, or about a refund or dispute of its payment.
	ParseEvents(ctx context.Context, delivery Delivery) ([]Event, error)
}
