// Package notices writes and delivers the emails about billing, and stores which of them recipients have turned off.
//
// # From a notice to an email
//
// A notice states that an email is due, such as "the trial ends soon". Package domain/billing computes the notices from
// the copies of an account before and after a refresh, see billing.DueNotices. Package app calls Writer.ComposeEmails
// for each of them, and stores the emails in the outbox in the transaction of the refresh. The store accepts each
// notice once.
//
// Writer converts the organisation, its subscription and its invoices to the data of an email in package app/emails:
// plans.go for plans and their changes, ends.go for their ends, payments.go for invoices and payments. The user who
// registered the organisation and the billing email get separate emails. Each has a link of its own if the notice is
// optional.
//
// # Delivery
//
// DeliverMail claims one email at a time and sends it. A claim expires, so no email is lost. An email is sent twice if a
// server stops after sending it and before storing the outcome. Before an email about billing is sent, DeliverMail checks
// again that the notice applies, that the recipient has not turned it off, and that the address is reachable. It adds the
// document of an invoice, which it reads from the payment provider and never stores.
//
// A failed delivery is repeated with growing delays. DeliverMail distinguishes three causes:
//
//   - The mail server fails. DeliverMail logs one error for each outage, see outageTracker.
//   - The address is at fault: the server reports an unknown mailbox, or has refused the recipient twice while it accepted
//     others. The organisation's notices are then not sent to the address until its owner confirms it again.
//   - The email is rejected permanently, or is older than 30 days. It is deleted.
//
// Emails about accounts, such as verification links, go through the same outbox. They are sent first, and also to
// unreachable addresses, because such a link makes an address reachable again.
//
// # Preferences
//
// A recipient turns off optional notices with a link that needs no session and does not expire. The link is signed and is
// valid only while the notices are sent to that address, see preferenceLinks. Notices that are required, such as those about
// failed payments, can't be turned off.
package notices
