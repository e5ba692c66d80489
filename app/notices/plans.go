package notices

import (
	"cmp"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// trial returns the data of the emails about a trial.
func (w Writer) trial(facts Facts, notice billing.DueNotice) emails.Trial {
	sub := notice.Subscription
	data := emails.Trial{
		Frame: w.frame(facts.Org), Plan: w.plan(sub.Price, sub.Amount), NextPlan: w.planAtRenewal(sub), EndsAt: sub.TrialEnd,
		FirstCharge:   w.nextCharge(facts, sub),
		NeedsApproval: sub.NeedsCardApproval() && sub.Next.Kind == billing.ConfirmSetup,
	}
	if invoice := sub.DueTransfer(); invoice != nil {
		data.FirstCharge = emails.Charge{Amount: invoice.Remaining, At: invoice.DueAt, IsInvoiced: true}
	}
	return data
}

// renewal returns the data of the email about a renewal.
func (w Writer) renewal(facts Facts, notice billing.DueNotice) emails.Renewal {
	sub := notice.Subscription
	return emails.Renewal{
		Frame: w.frame(facts.Org), Plan: w.plan(sub.Price, sub.Amount), NextPlan: w.planAtRenewal(sub), At: sub.NextChargeAt(),
		NextCharge: w.nextCharge(facts, sub), IsAfterCredit: sub.IsPaidByCredit(),
	}
}

// planAtRenewal returns the plan after the current period or the trial.
func (w Writer) planAtRenewal(sub billing.Subscription) emails.Plan {
	if change := sub.RenewalChange(); change != nil {
		return w.plan(change.To, change.Amount)
	}
	return w.plan(sub.Price, sub.Amount)
}

// expiringCard returns the data of the email about a card that expires.
func (w Writer) expiringCard(facts Facts, notice billing.DueNotice) emails.ExpiringCard {
	sub := notice.Subscription
	return emails.ExpiringCard{
		Frame: w.frame(facts.Org), Plan: w.plan(sub.Price, sub.Amount), Card: *cmp.Or(sub.Method, facts.Customer.Default), At: sub.NextChargeAt(),
		NextCharge: w.nextCharge(facts, sub),
	}
}

// nextCharge returns the next charge of the subscription and, if credit pays it, the first one that credit does not pay. It
// returns the zero Charge if there is none or its amount is unknown.
func (w Writer) nextCharge(facts Facts, sub billing.Subscription) emails.Charge {
	credit, minimum := facts.credit(), w.capabilities.MinimumCharge(sub.Price.Currency)
	nextCharge := sub.NextCharge(credit, minimum)
	if nextCharge == nil {
		return emails.Charge{}
	}
	charge := w.charge(facts, sub, *nextCharge)
	if afterCredit := sub.ChargeAfterCredit(credit, minimum); afterCredit != nil {
		laterCharge := w.charge(facts, sub, *afterCredit)
		charge.AfterCredit = &laterCharge
	}
	return charge
}

func (w Writer) charge(facts Facts, sub billing.Subscription, c billing.Charge) emails.Charge {
	return emails.Charge{
		Amount: c.Amount, At: c.At, DueAt: c.DueAt,
		IsInvoiced: w.capabilities.CollectsByInvoice() || sub.Invoicing != nil, IsCreditUnknown: facts.Customer == nil,
		Method: methodName(facts, sub), HasNoMethod: sub.Method == nil && facts.Customer != nil && facts.Customer.Default == nil,
	}
}

// methodName returns the name of the payment method that the subscription charges, or "" when it is unknown.
func methodName(facts Facts, sub billing.Subscription) string {
	method := sub.Method
	if method == nil && facts.Customer != nil {
		method = facts.Customer.Default
	}
	if method == nil {
		return ""
	}
	return emails.MethodName(*method)
}

// order returns the data of the emails about an order.
func (w Writer) order(facts Facts, notice billing.DueNotice) emails.Order {
	sub := notice.Subscription
	previousSub := notice.PreviousSubscription
	data := emails.Order{
		Frame: w.frame(facts.Org), Plan: w.plan(sub.Price, sub.Amount), Instructions: instructions(notice),
		InvoiceDays: sub.Next.InvoiceDays,
		IsApproved:  previousSub.Status == billing.Incomplete && previousSub.Next.InvoiceID == "",
		IsWithdrawn: notice.Cause == billing.CauseRequested,
	}
	if sub.Status == billing.Trialing {
		data.TrialEnd = sub.TrialEnd
	}
	return data
}

// droppedChange returns the plan change that will not be made, or the zero DroppedChange if there is none.
func (w Writer) droppedChange(notice billing.DueNotice) emails.DroppedChange {
	change, at := notice.DroppedChange()
	if change.To == (catalogue.PriceRef{}) {
		return emails.DroppedChange{}
	}
	return emails.DroppedChange{To: w.plan(change.To, change.Amount), At: at}
}

// change returns the data of the emails about a plan change.
func (w Writer) change(facts Facts, notice billing.DueNotice) emails.Change {
	previousSub, sub := notice.PreviousSubscription, notice.Subscription
	data := emails.Change{
		Frame: w.frame(facts.Org), From: w.plan(previousSub.Price, previousSub.Amount), To: w.plan(sub.Price, sub.Amount),
		NextCharge: w.nextCharge(facts, sub),
	}
	switch notice.Kind {
	case billing.ChangeScheduled:
		scheduledChange := sub.RenewalChange()
		data.From, data.At = w.plan(sub.Price, sub.Amount), scheduledChange.At
		data.To = w.plan(scheduledChange.To, scheduledChange.Amount)
	case billing.ChangeDropped:
		droppedChange := w.droppedChange(notice)
		data.From, data.To, data.At = w.plan(sub.Price, sub.Amount), droppedChange.To, droppedChange.At
	default:
		data.ReplacedChange = w.droppedChange(notice)
		inv := sub.LatestInvoice
		if inv != nil && inv.Status == billing.InvoicePaid &&
			(previousSub.LatestInvoice == nil || previousSub.LatestInvoice.ID != inv.ID || previousSub.Pending != nil) {
			data.Invoice = *inv
		}
	}
	return data
}
