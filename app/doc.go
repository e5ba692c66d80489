// Package app holds what the product does: one use case a file, each a struct of the ports it
// needs with one method, Do. Rules that need several ports live here; rules that need none live in
// domain; how things are asked for and answered lives in adapters.
//
// # Sending requests to the payment provider
//
// Whatever changes something at the provider goes through operations.run, so that it happens once:
//
//	plan the steps ─► store the operation with them ─► send the steps, each under its own key ─►
//	record the answer ─► settle the operation
//
// The domain plans: billing.PlanPurchase and its like return the steps as data. The operation begins
// only while the account is at the revision that was planned for, and is planned again otherwise.
// Steps are stored before the first one is sent, and owners and repeats send exactly these.
//
// A crash or a time-out anywhere leaves the operation pending. A repeat of the same request joins it;
// another request in the same kind is refused until the operation is old enough to be taken over, by
// the next request or by Reconcile. Taking over retires the key of every step first (payment.Fence), so
// that nothing that was delayed can act any more, then asks the provider, and settles the operation
// with what carries its key. Steps that can't charge are completed instead. Ages are counted by the
// clock of the database and only say when to try. A request whose key was retired stops. No database
// transaction is open while the provider is asked.
//
// # Keeping the copy right
//
// What we store of a subscription is a copy. ReceiveEvent, DescribeUser and CheckLicenses are three
// reasons to ask for the truth: the provider told of something, somebody looks at a copy that may
// have become wrong, or it is time. All of them end in syncBilling, which has one look at
// an organisation under way at a time and never lets an older answer replace a newer one.
package app
