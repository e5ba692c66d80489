package notices

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// trial returns the data of the emails about a trial.
func (w Writer) trial(facts Facts, notice billing.DueNotice) emails.Trial {
	s := notice.Subscription
	data := emails.Trial{
		Frame: w.frame(facts.Org), Plan: w.plan(s.Price, s.Amount), NextPlan: w.planAtRenewal(s), EndsAt: s.TrialEnd,
		FirstCharge:   w.nextCharge(facts, s),
		NeedsApproval: s.PendingSetup != nil && s.Next.Kind == billing.ConfirmSetup,
	}
	if invoice := s.DueInvoice(); invoice != nil {
		data.FirstCharge = emails.Charge{Amount: invoice.Amount, At: invoice.At, IsInvoiced: true}
	}
	return data
}

// renewal returns the data of the email about a renewal.
func (w Writer) renewal(facts Facts, notice billing.DueNotice) emails.Renewal {
	s := notice.Subscription
	return emails.Renewal{
		Frame: w.frame(facts.Org), Plan: w.plan(s.Price, s.Amount), NextPlan: w.planAtRenewal(s), At: s.NextChargeAt(),
		NextCharge: w.nextCharge(facts, s),
	}
}

// planAtRenewal returns the plan after the current period or the trial.
func (w Writer) planAtRenewal(s billing.Subscription) emails.Plan {
	if change := s.RenewalChange(); change != nil {
		return w.plan(change.To, change.Amount)
	}
	return w.plan(s.Price, s.Amount)
}

// card returns the data of the email about a card that expires.
func (w Writer) card(facts Facts, notice billing.DueNotice) emails.Card {
	s := notice.Subscription
	return emails.Card{
		Frame: w.frame(facts.Org), Plan: w.plan(s.Price, s.Amount), Card: *facts.Customer.Default, At: s.NextChargeAt(),
		NextCharge: w.nextCharge(facts, s),
	}
}

// nextCharge returns the next charge of the subscription, or the zero Charge if there is none or its amount is unknown.
func (w Writer) nextCharge(facts Facts, s billing.Subscription) emails.Charge {
	var credit money.Amount
	if facts.Customer != nil {
		credit = facts.Customer.Credit
	}
	next := s.NextCharge(credit, w.minimumCharge(s.Price.Currency))
	if next == nil {
		return emails.Charge{}
	}
	return emails.Charge{
		Amount: next.Amount, At: next.At, IsInvoiced: w.collectsByInvoice, IsCreditUnknown: facts.Customer == nil,
		Method: chargedMethod(facts), HasNoMethod: facts.Customer != nil && facts.Customer.Default == nil,
	}
}

// chargedMethod returns a description of the payment method that is charged, or "" when it is unknown.
func chargedMethod(facts Facts) string {
	if facts.Customer == nil || facts.Customer.Default == nil {
		return ""
	}
	return emails.Method(*facts.Customer.Default)
}

// order returns the data of the emails about an order.
func (w Writer) order(facts Facts, notice billing.DueNotice) emails.Order {
	s := notice.Subscription
	previousSub := notice.PreviousSubscription
	data := emails.Order{
		Frame: w.frame(facts.Org), Plan: w.plan(s.Price, s.Amount), Instructions: instructions(notice),
		IsApproved:  previousSub.Status == billing.Incomplete && previousSub.Next.InvoiceID == "",
		IsWithdrawn: notice.Cause == billing.CauseRequested,
	}
	if s.Status == billing.Trialing {
		data.TrialEnd = s.TrialEnd
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
	previousSub, s := notice.PreviousSubscription, notice.Subscription
	data := emails.Change{
		Frame: w.frame(facts.Org), From: w.plan(previousSub.Price, previousSub.Amount), To: w.plan(s.Price, s.Amount),
		NextCharge: w.nextCharge(facts, s),
	}
	switch notice.Kind {
	case billing.ChangeScheduled:
		scheduledChange := s.RenewalChange()
		data.From, data.At = w.plan(s.Price, s.Amount), scheduledChange.At
		data.To = w.plan(scheduledChange.To, scheduledChange.Amount)
	case billing.ChangeDropped:
		droppedChange := w.droppedChange(notice)
		data.From, data.To, data.At = w.plan(s.Price, s.Amount), droppedChange.To, droppedChange.At
	default:
		data.ReplacedChange = w.droppedChange(notice)
		inv := s.LatestInvoice
		if inv != nil && inv.Status == billing.InvoicePaid &&
			(previousSub.LatestInvoice == nil || previousSub.LatestInvoice.ID != inv.ID || previousSub.Pending != nil) {
			data.Invoice = *inv
		}
	}
	return data
}
