// Package gateway is the port of a payment provider that only moves money: it charges a customer once, reports the
// outcome, refunds the payment, and saves payment methods. Package adapters/enginepayment does all other billing (periods,
// trials, proration, invoices, retries, credit) and turns a Gateway into a payment.Provider. A provider that sells
// subscriptions itself implements payment.Provider instead. Package gatewaytest is the conformance suite.
//
// These obligations hold for every method:
//
//   - Errors are faults (domain/fault). Unavailable: the provider could not be reached or did not respond, and may have
//     acted. Invalid: the provider refuses the request and would refuse every repeat. NotFound: the provider has no such
//     object. Conflict: the state of the object does not allow the request. Unsupported: the request needs a capability
//     that is declared missing. A declined payment is a state of the Payment, not an error.
//   - An adapter keeps no records: everything it needs is in the request or at the provider. Several servers may call it
//     concurrently. It has no callbacks.
//   - A call returns Unavailable soon after ctx is done. The provider does not act on a call later than
//     Capabilities.LongestRequest after the call began.
//   - Amounts include tax. Times are in UTC. References and keys have at most 255 characters.
//
// # Life of a payment
//
//	Start ─► open ─────► processing ─► paid ─► returned
//	  │       └► canceled ◄──┴► failed
//	  └► processing, paid, failed
//
// States can be skipped. A payment is open while the customer has to act: on the page at URL, or in the browser with
// Secret. It is processing after the provider has accepted it and until the money has arrived. A failed or canceled
// payment becomes paid if its money arrives nevertheless; no other change is possible. A payment whose money goes back
// after it was paid is returned, also if the provider calls it failed: the billing ignores a failure after paid. Once a
// payment is no longer open, its page charges nothing.
//
// # Disputes
//
// A gateway with the capability Disputes reports chargebacks that can be won or lost. A dispute takes an amount of a paid
// payment back until it is decided, and the payment stays paid. The customer is on hold while a dispute is open, and
// after it was lost until an operator lifts the hold.
//
//		open ─► won (the seller keeps the amount), lost
//
//	  - A dispute is about the whole payment or a part of it. Amounts that were refunded or are lost to a dispute can't be
//	    disputed, and amounts in an open or lost dispute can't be refunded.
//	  - The Ref and the Amount of a dispute never change. Its Status changes once. Another dispute of the same payment, such
//	    as a second chargeback after the first one was won, has a Ref of its own.
//	  - Every response contains all disputes of the payment. Responses may arrive late, repeatedly and in any order: the
//	    billing ignores the status open of a dispute that was decided, and keeps a dispute that a response lacks.
//	  - An inquiry that takes no money back is not a dispute.
//
// A gateway without the capability reports a chargeback as Returned, or as a Refund without a Key if it concerns a part
// of the payment. Both are final. With the capability, Returned remains the state of a payment that the bank has taken
// back for good, such as a direct debit.
package gateway
