// Package invoicepayment implements ports/payment for customers who pay invoices by bank transfer. It
// needs no third party: an operator compares the bank's statements with the open invoices and marks them
// as paid (diy invoice paid).
//
// All billing is that of an engine.Account, which package domain/engine computes and package adapters/ledger stores. This
// package states when and how invoices are paid, and records what operators do.
//
// # Collection
//
//	subscribe ─► first invoice, due after 14 days, the trial included
//	unpaid when due ─► past_due ─ unpaid after 7 more days ─► canceled; the invoice stays owed
//	period ends ─► renewal invoice, due after 14 days
//
// While a customer has an unpaid invoice that no operator has voided, it can't subscribe again: ending
// and starting anew gives no free service. If required, an operator approves an organisation before its
// first subscription (diy invoice allow), which is incomplete until then.
//
// A plan change now is pending until its invoice is paid, at most until it is due or the period ends. A
// change to a cheaper plan is made at the renewal. The first invoice of a trial is for the period after
// it; if the subscription ends or changes with the trial, the invoice is voided, or credited when it is
// paid already.
//
// A part payment reduces the balance of an invoice. What is paid too much becomes credit, and so does
// the unused part of the period when the owed invoice of an ended subscription is paid. A refund is withdrawn from
// the customer's credit.
package invoicepayment
