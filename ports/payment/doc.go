// Package payment is the port to whoever takes the money. An adapter implements Provider and
// passes the suite in paymenttest; nothing above the adapter knows which one it is.
//
// Obligations every method shares:
//
//   - Errors are faults (domain/fault). Declined: the card was refused, and the message is the
//     provider's own sentence for the card's holder. NotFound: the provider has no such object,
//     or it belongs to another customer. Conflict: the object's state refuses the request.
//     Invalid: the request breaks the provider's rules. Unavailable: the provider could not be
//     asked or did not answer, and whether it acted is unknown; retrying with the same key is
//     always safe. An empty id is NotFound and never reaches the provider.
//   - Every request that changes something carries a Key. The same key with the same parameters
//     acts once and answers alike, however often and from wherever it is sent; the same key with
//     other parameters is Conflict. A key that was retired is refused, see Fence.
//   - The provider is asked within ctx and never holds a caller longer.
package payment
