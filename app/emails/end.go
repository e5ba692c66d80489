package emails

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// End contains what the emails about the end of a plan report.
type End struct {
	Frame
	Plan    Plan
	At      time.Time // when it ends or has ended; zero when unknown
	Cause   billing.EndCause
	Bill    Bill
	Amount  money.Amount  // of the bill
	Number  string        // of the bill's invoice, for TrialBillVoided; may be ""
	Next    Charge        // after it was resumed
	Dropped DroppedChange // because of the end
}

// Bill says what the end of a plan means for its unpaid bill.
type Bill string

// The effects on the bill.
const (
	NoBill          Bill = ""             // before the end: it stays due
	BillVoided      Bill = "voided"       // the overdue bill need not be paid
	BillOwed        Bill = "owed"         // the overdue bill stays owed
	TrialBillVoided Bill = "trial_voided" // the invoice for the time after the trial need not be paid
)

// PlanEndRequested returns the email about a plan that will end with its period. The caller sets To.
func PlanEndRequested(data End) mail.Message {
	n := data.newNotice("Your "+data.Plan.Name+" plan ends on "+data.Zone.Date(data.At), "Show my plan", billingPath)
	n.say("You can use the "+data.Plan.Name+" plan until "+n.date(data.At)+".", "It does not renew, so nothing is charged then.", data.Dropped.sentence(n))
	switch {
	case data.Bill == TrialBillVoided:
		n.say("Please do not pay " + data.invoice() + ": it is cancelled when the trial ends.")
	case data.Amount.Minor() > 0:
		n.say("Your open invoice of " + Price(data.Amount) + " stays due.")
	}
	n.say("Until then you can resume the plan on your billing page.")
	return n.message()
}

// PlanResumed returns the email about a plan that renews after all. The caller sets To.
func PlanResumed(data End) mail.Message {
	n := data.newNotice("Your "+data.Plan.Name+" plan continues", "Show my plan", billingPath)
	n.say("You have resumed the " + data.Plan.Name + " plan. It renews every " + data.Plan.every() + " until you end it.")
	n.announce("Next charge", data.Next)
	return n.message()
}

// PlanEnded returns the email about a plan that is over. The caller sets To.
func PlanEnded(data End) mail.Message {
	n := data.newNotice("Your "+data.Plan.Name+" plan has ended", "Show the plans", plansPath)
	switch {
	case data.Bill == BillOwed:
		n.subject += ": " + Price(data.Amount) + " is still to be paid"
		n.Button, n.Link = "Pay the bill", data.PublicURL+payPath
	case data.Cause == billing.CauseUnpaid && data.Amount.Minor() > 0:
		n.subject += ": " + Price(data.Amount) + " was not paid"
	}
	n.say(data.reason(n))
	n.say(data.bill())
	n.say("You can still sign in, and you find your invoices there. To use the product again, choose a plan.")
	return n.message()
}

// reason returns when and why the plan has ended.
func (data End) reason(n *notice) string {
	ended := "has ended"
	if !data.At.IsZero() {
		ended = "ended on " + n.date(data.At)
	}
	switch data.Cause {
	case billing.CauseRequested:
		return "Your " + data.Plan.Name + " plan " + ended + ", as you requested. It does not renew."
	case billing.CauseUnpaid:
		return "Your " + data.Plan.Name + " plan " + ended + ", because its last bill was not paid."
	case billing.UnknownCause, billing.CauseNotBegun:
	}
	return "Your " + data.Plan.Name + " plan " + ended + "."
}

func (data End) bill() string {
	switch data.Bill {
	case BillVoided:
		return "The overdue bill of " + Price(data.Amount) + " is cancelled: you need not pay it."
	case BillOwed:
		return "The overdue bill of " + Price(data.Amount) + " stays owed. Pay it before you subscribe again."
	case TrialBillVoided:
		return upperFirst(data.invoice()) + " is cancelled: you need not pay it."
	case NoBill:
	}
	return ""
}

// invoice returns the invoice of the bill with its amount: "invoice INV-0001 of $420 AUD".
func (data End) invoice() string {
	return nameOf(billing.Invoice{Number: data.Number}) + " of " + Price(data.Amount)
}
