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
//     once and returns the same response, however often it is sent and by which server; the same key
//     with other parameters is Conflict. A retired key is refused, see Fence. Keys are
//     remembered for at least KeyRetention.
//   - A call returns soon after ctx is done, with Unavailable.
package payment
