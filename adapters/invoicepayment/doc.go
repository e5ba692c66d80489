// Package invoicepayment implements ports/payment for customers who pay invoices by bank transfer. It needs no payment
// service. An operator compares the bank's statements with the open invoices and marks paid invoices (diy invoice
// paid).
//
// Package domain/engine computes the billing of a customer, an engine.Account, and package adapters/ledger stores it. This
// package defines the terms of payment, and records transfers and approvals for operators.
//
// # Collection
//
//	subscribe ─► first invoice, due after 14 days, the trial included
//	unpaid when due ─► past_due ─ unpaid after 7 more days ─► canceled; the invoice stays owed
//	period ends ─► renewal invoice, due after 14 days
//
// A customer with an open invoice can't subscribe again, so repeated subscriptions give no free service. An operator
// can void the invoice. With Config.RequireApproval, the first subscription of an organisation is incomplete until an
// operator approves the organisation (diy invoice allow).
//
// An immediate plan change is pending until its invoice is paid. It expires when the invoice is due or the period ends.
// A change to a cheaper plan is made at the renewal. The first invoice of a trial is for the period after the trial. If
// the subscription ends or changes when the trial ends, this invoice is voided, or credited if it is paid already.
//
// A part payment reduces the balance of an invoice. An overpayment becomes credit. If a customer pays the owed invoice
// of an ended subscription, the unused part of the period becomes credit. A refund is withdrawn from the customer's
// credit.
package invoicepayment
