// Package payment is the port of the payment provider. An adapter implements Provider and passes the
// conformance suite in package paymenttest; the application does not know which provider it uses. Package
// plugin defines how a server loads an adapter.
//
// These obligations hold for every method:
//
//   - Errors are faults (domain/fault). Declined: the card was refused, and the message is the provider's sentence for
//     the cardholder. NotFound: the provider has no such object, or the object belongs to another customer. Conflict:
//     the object's state does not allow the request. Invalid: the request violates the provider's rules. Unsupported:
//     the request needs a capability that the provider declares as missing, see Capabilities. Unavailable: the provider
//     could not be reached or did not respond, so the caller does not know whether it acted. A retry with the same key
//     is always safe. A request with an empty id returns NotFound and is not sent to the provider.
//   - Every request that changes something has a Key. A request acts once, even if several servers send it repeatedly
//     with the same key. Repeats return the same response, or the same object in its current state. A request with the
//     same key and other parameters returns Conflict. A request with a retired key is refused, see Fence. The provider
//     remembers keys for at least KeyRetention.
//   - A call returns Unavailable soon after ctx is done.
//
// # Payments that take days
//
// An accepted payment, such as a bank debit, can take days to arrive. Until then its invoice is open, and the Next of
// its subscription is Wait without Instructions. Next has the InvoiceID, the Method that is charged and, in Until, the
// time at which the money is expected. If the invoice has a Payment, the status of the Payment is Processing. During a
// first payment the subscription is incomplete, or active if the provider starts plans before their payment has arrived.
// During the payment of a renewal it is active. A plan change is pending, without ExpiresAt. These rules hold until the
// payment has arrived or failed:
//
//   - PayInvoice returns Conflict for every method. Plan changes and their quotes return Conflict, too.
//   - Neither the first payment nor a pending change expires, the invoice is not charged again, and the subscription does
//     not renew or end by itself.
//   - CancelPendingChange returns Conflict. CancelSubscription returns Conflict for an incomplete subscription, during
//     the payment of a pending change, and with VoidInvoices. Otherwise the subscription ends and the invoice stays
//     open.
//   - Subscribe with NewSubscription.Sole returns Conflict, as it does while any subscription has not ended.
//
// If the payment fails, Next has the reason. An active subscription becomes past due, and the provider retries the
// charge. The customer can pay for an incomplete subscription or a pending change for at least 23 more hours, but for a
// pending change no longer than until the period ends.
//
// A bank can take a payment back after it has arrived. If the payment was for the latest invoice of an active
// subscription, that invoice is open again with the amount in Invoice.Returned, and the subscription is past due. The
// provider does not retry the charge; the customer has to pay the invoice again. Any other returned payment is a lost
// dispute, see Support. A provider that does not reopen the invoices of returned payments reports every returned payment
// as a lost dispute.
package payment
