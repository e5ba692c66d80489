// Package app holds what the product does: one use case a file, each a struct of the ports it
// needs with one method, Do. Rules that need several ports live here; rules that need none live in
// domain; how things are asked for and answered lives in adapters.
//
// # Asking the payment provider for something
//
// Whatever changes something at the provider goes through operations.run, so that it happens once:
//
//	store the operation with its key ─► read the organisation again ─► ask the provider with the
//	key ─► record the answer ─► settle the operation
//
// Where money is concerned the provider is asked for the truth before that, so that nothing is
// decided by a stale copy, and what appears afterwards is known to be of this request's making. A
// first subscription leaves that to the provider, which refuses it if it is not the first.
//
// A crash or a time-out anywhere leaves the operation pending. A repeat of the same request then
// finds it and sends the same key; another request in the same lane is refused until Reconcile, or
// the next request after a while, has asked the provider what became of it. No database
// transaction is open while the provider is asked.
//
// # Keeping the copy right
//
// What we store of a subscription is a copy. ReceiveEvent, DescribeUser and CheckLicenses are three
// reasons to ask for the truth: the provider told of something, somebody looks at a copy that may
// have become wrong, or it is time. All of them end in syncBilling, which never lets an older answer
// replace a newer one.
package app
