// Package billing holds what an organisation has bought and the decisions that follow from it.
//
// The life of a subscription, as the payment provider tells it:
//
//	(subscribe) ──► incomplete ──► active ◄──► past_due ──► unpaid / canceled
//	     │              └────────► incomplete_expired
//	     └────────► trialing ──► active / past_due
//
// trialing, active and past_due are live: they are the organisation's license. canceled, unpaid
// and incomplete_expired have ended and make a past license. incomplete is neither: its first
// payment is still open, and it is continued rather than replaced.
package billing
