// Package payment is the port of the payment provider. An adapter implements Provider and passes the
// conformance suite in package paymenttest; the application does not know which provider it uses. Package
// plugin defines how a server loads an adapter.
//
// These obligations hold for every method:
//
//   - Errors are faults (domain/fault). Declined: the card was refused, and the message is the
//     provider's sentence for the cardholder. NotFound: the provider has no such object, or it belongs
//     to another customer. Conflict: the object's state does not allow the request. Invalid: the
//     request violates the provider's rules. Unsupported: the provider declares a capability missing
//     that the request needs, see Capabilities. Unavailable: the provider could not be reached or did
//     not respond, and whether it acted is unknown; a retry with the same key is always safe. An empty
//     id is NotFound and is not sent to the provider.
//   - Every request that changes something has a Key. The same key with the same parameters acts
//     once and returns the same response, or the same object in its current state, however often it is sent and by which server; the same key
//     with other parameters is Conflict. A retired key is refused, see Fence. Keys are
//     remembered for at least KeyRetention.
//   - A call returns soon after ctx is done, with Unavailable.
//
// # Payments that take days
//
// A payment that was accepted can take days to arrive, such as a bank debit. Its invoice is open then, and the Next of
// its subscription is Wait with the InvoiceID, the Method that is charged and, in Until, when the money is expected,
// without instructions. An invoice with a Payment reports it as Processing. A first payment leaves the subscription
// incomplete, or active if the provider starts a plan before its payment has arrived; a renewal leaves it active; a plan
// change stays pending, without ExpiresAt. Until the payment has arrived or failed:
//
//   - PayInvoice is Conflict, whatever the method, and so are changes of the plan and their quotes.
//   - Nothing expires, renews, ends or is charged again: neither the first payment nor a pending change, nor retries.
//   - CancelPendingChange is Conflict. CancelSubscription is Conflict for an incomplete subscription, for one whose
//     pending change is being paid, and with VoidInvoices; otherwise the subscription ends and the invoice stays open.
//   - NewSubscription.Sole is Conflict as for every subscription that has not ended.
//
// If it fails, an active subscription is past due and the first retry follows; an incomplete one and a pending change can
// be paid for at least 23 more hours, a change at most until the period ends. Next has the reason. Money can also go back
// after it has arrived: the latest invoice of an active subscription is open again with the amount in Invoice.Returned,
// the subscription is past due and is never charged again by itself; any other returned payment is a lost dispute, see
// Support. If the provider keeps the invoices of returned payments paid, all of them are lost disputes.
package payment
