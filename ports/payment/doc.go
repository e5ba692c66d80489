// Package payment is the port of the payment provider. An adapter implements Provider and passes the
// conformance suite in package paymenttest; the application does not know which provider it uses. Package
// plugin defines how a server loads an adapter.
//
// These obligations hold for every method:
//
//   - Errors are faults (domain/fault). Declined: the card was refused, and the message is the
//     provider's sentence for the cardholder. NotFound: the provider has no such object, or it belongs
//     to another customer. Conflict: the object's state does not allow the request. Invalid: the
//     request violates the provider's rules. Unsupported: the request needs a capability that the
//     provider declares as missing, see Capabilities. Unavailable: the provider could not be reached or
//     did not respond, and whether it acted is unknown; a retry with the same key is always safe. A
//     request with an empty id is NotFound and is not sent to the provider.
//   - Every request that changes something has a Key. A request acts once, however often and by however many
//     servers it is sent with the same key; repeats return the same response, or the same object in its current
//     state. The same key with other parameters is Conflict. A retired key is refused, see Fence. The provider
//     remembers keys for at least KeyRetention.
//   - A call returns Unavailable soon after ctx is done.
//
// # Payments that take days
//
// An accepted payment, such as a bank debit, can take days to arrive. Meanwhile its invoice is open, and the Next of its
// subscription is Wait without Instructions, with the InvoiceID, the Method that is charged and, in Until, the time
// at which the money is expected. If the invoice has a Payment, its status is Processing. During a first payment the
// subscription is incomplete, or active if the provider starts plans before their payment has arrived. During the
// payment of a renewal it is active. A plan change is pending, without ExpiresAt. Until the payment has arrived or failed:
//
//   - PayInvoice is Conflict, whatever the method, and so are changes of the plan and their quotes.
//   - Neither the first payment nor a pending change expires, the invoice is not charged again, and the subscription does
//     not renew or end by itself.
//   - CancelPendingChange is Conflict. CancelSubscription is Conflict for an incomplete subscription, during the payment
//     of a pending change, and with VoidInvoices; otherwise the subscription ends and the invoice stays open.
//   - Subscribe with NewSubscription.Sole is Conflict, as for every subscription that has not ended.
//
// If the payment fails, Next has the reason. An active subscription becomes past due and the first retry follows. An
// incomplete subscription or a pending change can be paid for at least 23 more hours, a change at most until the period
// ends.
//
// A bank can take a payment back after it has arrived. If it paid the latest invoice of an active subscription, that
// invoice is open again with the amount in Invoice.Returned, and the subscription is past due; only the customer pays
// it again, the provider does not retry it. Any other returned payment is a lost dispute, see Support. A provider that
// does not reopen the invoices of returned payments reports every returned payment as a lost dispute.
package payment
