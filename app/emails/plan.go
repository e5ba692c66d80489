package emails

import (
	"strconv"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
)

// Trial contains what the emails about a trial report.
type Trial struct {
	Frame
	Plan   Plan
	To     Plan // that begins after the trial; equal to Plan unless a change is scheduled
	EndsAt time.Time
	First  Charge // the first charge, or the invoice that is due; its At is zero when there is none
	// NeedsApproval is whether the card's bank wants the customer to approve later charges.
	NeedsApproval bool
}

// TrialStarted returns the email about a new trial. The caller sets To.
func TrialStarted(in Trial) mail.Message {
	n := in.newNotice("Your trial has started", "Show my plan", billingPath)
	n.subject = "Your trial has started: free until " + n.day(in.EndsAt)
	if in.First.Amount.Minor() > 0 {
		n.subject += ", then " + Price(in.First.Amount)
	}
	n.say("You can use the "+in.Plan.Name+" plan free of charge until "+n.date(in.EndsAt)+".", in.firstCharge(n))
	n.say("To pay nothing, end the plan before the trial ends: open your billing page and choose “End plan”. You can use it until the trial ends.")
	return n.message()
}

// TrialEndsSoon returns the email that reminds the customer of the first charge. The caller sets To.
func TrialEndsSoon(in Trial) mail.Message {
	n := in.newNotice("Your trial ends soon", "Show my plan", billingPath)
	n.Title = "Your trial ends on " + n.day(in.EndsAt)
	n.subject = n.Title
	if in.First.Amount.Minor() > 0 {
		n.subject += ": " + Price(in.First.Amount) + " then"
	}
	n.say("The trial of your "+in.Plan.Name+" plan ends on "+n.date(in.EndsAt)+".", in.firstCharge(n))
	if in.NeedsApproval {
		n.say("Your bank wants you to approve your card first. Without that, the charge may be declined.")
		n.Button, n.Link = "Approve my card", in.PublicURL+payPath
	}
	n.say("To pay nothing, end the plan before the trial ends: open your billing page and choose “End plan”.")
	return n.message()
}

// firstCharge returns a sentence about what the customer pays first.
func (in Trial) firstCharge(n *notice) string {
	c := in.First
	switch {
	case c.At.IsZero():
		return ""
	case c.ByInvoice:
		return "Your first invoice of " + Price(c.Amount) + " is due on " + n.date(c.At) + "."
	case c.Amount.Minor() == 0:
		return "Your credit covers the first " + in.To.every() + ", so nothing is charged then."
	}
	then := "Then "
	if in.To != in.Plan {
		then += "your plan changes to " + in.To.String() + ", as scheduled: "
	}
	return then + Price(c.Amount) + " " + c.describe() + ", and the plan renews every " + in.To.every() + " until you end it."
}

// Renewal contains what the email about the renewal of a yearly plan reports.
type Renewal struct {
	Frame
	Plan Plan
	To   Plan // that begins then; equal to Plan unless a change is scheduled
	At   time.Time
	Next Charge // its At is zero when the amount is unknown
}

// RenewalAhead returns the email that announces a renewal. The caller sets To.
func RenewalAhead(in Renewal) mail.Message {
	n := in.newNotice("Your plan renews soon", "Show my plan", billingPath)
	n.Title = "Your plan renews on " + n.day(in.At)
	n.subject = n.Title
	charge := ""
	if !in.Next.At.IsZero() {
		n.subject += ": " + Price(in.Next.Amount)
		charge = Price(in.Next.Amount) + " " + in.Next.describe() + " then."
	}
	renews := "Your " + in.Plan.Name + " plan renews for another " + in.Plan.every() + " on " + n.date(in.At) + "."
	if in.To != in.Plan {
		renews = "Your plan changes from " + in.Plan.String() + " to " + in.To.String() + " on " + n.date(in.At) + ", as scheduled."
	}
	n.say(renews, charge)
	n.say("If you do not want it to renew, end the plan before that: open your billing page and choose “End plan”.")
	return n.message()
}

// Card contains what the email about a card that expires reports.
type Card struct {
	Frame
	Plan Plan
	Card billing.PaymentMethod
	At   time.Time // of the next charge
	Next Charge    // its At is zero when the amount is unknown
}

// CardExpires returns the email about a card that expires before the next charge. The caller sets To.
func CardExpires(in Card) mail.Message {
	n := in.newNotice("Your card expires before the next charge", "Update my card", cardsPath)
	n.subject = Method(in.Card) + " expires before your next charge on " + n.day(in.At)
	expires := time.Month(in.Card.Card.ExpMonth).String() + " " + strconv.Itoa(in.Card.Card.ExpYear)
	n.say(Method(in.Card)+", with which you pay for the "+in.Plan.Name+" plan, expires at the end of "+expires+".",
		"The next charge is on "+n.date(in.At)+".")
	n.say("Please add a card that is valid then. If your bank has sent you a new card with the same number, add that one.")
	n.announce("Next charge", in.Next)
	return n.message()
}

// Order contains what the emails about an order report.
type Order struct {
	Frame
	Plan         Plan
	Approved     bool      // by an operator
	TrialEnd     time.Time // zero without a trial
	Instructions []Instruction
}

// OrderReceived returns the email about an order that waits for its approval. The caller sets To.
func OrderReceived(in Order) mail.Message {
	n := in.newNotice("We received your order", "Show my order", billingPath)
	n.subject = "Your order of " + in.Plan.String()
	if in.Plan.Price.Minor() > 0 {
		n.subject += ": " + Price(in.Plan.Price) + " per " + in.Plan.every()
	}
	n.subject = oneLine(n.subject)
	n.say("Thank you for your order of the "+in.Plan.Name+" plan.", in.price())
	n.say("We check it before your plan starts. You need not do anything: you receive an email when it starts, and your first invoice then.")
	return n.message()
}

func (in Order) price() string {
	if in.Plan.Price.Minor() <= 0 {
		return ""
	}
	return "It costs " + Price(in.Plan.Price) + " per " + in.Plan.every() + "."
}

// PlanStarted returns the email about a plan that has started after an approval or a payment that took days. The
// caller sets To.
func PlanStarted(in Order) mail.Message {
	n := in.newNotice("Your "+in.Plan.Name+" plan has started", "Show my plan", billingPath)
	begun := "Your payment has arrived."
	if in.Approved {
		begun = "Your order is approved."
	}
	n.say(begun, "You can use the "+in.Plan.Name+" plan from now on.", in.price())
	if !in.TrialEnd.IsZero() {
		n.say("It is free of charge until "+n.date(in.TrialEnd)+".", "To pay nothing, end the plan before that on your billing page.")
	}
	if len(in.Instructions) > 0 {
		n.say("Your first invoice is issued. You receive it in another email.")
		n.Instructions = oneLineInstructions(in.Instructions)
	}
	return n.message()
}

// OrderEnded returns the email about an order that was withdrawn or not approved. The caller sets To.
func OrderEnded(in Order) mail.Message {
	n := in.newNotice("Your order of "+in.Plan.Name+" has ended", "Show the plans", plansPath)
	n.say("Your order of the " + in.Plan.Name + " plan was withdrawn or not approved. The plan has not started, and there is nothing to pay.")
	return n.message()
}

// Change contains what the emails about a plan change report.
type Change struct {
	Frame
	From, To Plan
	At       time.Time       // when a scheduled change is or would have been made; zero for a change now
	Invoice  billing.Invoice // of a change that was made; without an ID if there is none or it is not paid yet
	Next     Charge          // the next charge afterwards
}

// PlanChanged returns the email about a change that was made. The caller sets To.
func PlanChanged(in Change) mail.Message {
	n := in.newNotice("Your plan is now "+in.To.String(), "Show my plan", billingPath)
	if in.Invoice.ID != "" {
		n.subject += ": " + in.outcome()
		n.Settlement = settlement(in.Invoice)
	}
	n.say("Your plan has changed from " + in.From.String() + " to " + in.To.String() + ".")
	n.announce("Next charge", in.Next)
	return n.message()
}

// outcome returns what the change has cost: "$569.27 AUD paid".
func (in Change) outcome() string {
	if paid := in.Invoice.AmountPaid; paid.Minor() > 0 {
		return Price(paid) + " paid"
	}
	return "nothing to pay"
}

// ChangeScheduled returns the email about a change at the renewal. The caller sets To.
func ChangeScheduled(in Change) mail.Message {
	n := in.newNotice("Your plan changes on "+in.Zone.Date(in.At), "Show my plan", billingPath)
	n.subject = oneLine("Your plan changes to " + in.To.String() + " on " + n.day(in.At))
	n.say("You keep "+in.From.String()+" until "+n.date(in.At)+".", "Then your plan changes to "+in.To.String()+".")
	n.say("Until then you can cancel the change on your billing page.")
	n.announce("First charge of "+in.To.Name, in.Next)
	return n.message()
}

// ChangeDropped returns the email about a change that will not be made. The caller sets To.
func ChangeDropped(in Change) mail.Message {
	n := in.newNotice("You keep "+in.From.String(), "Show my plan", billingPath)
	if in.At.IsZero() {
		n.say("The change to " + in.To.String() + " was cancelled or not paid in time. Nothing was charged for it.")
	} else {
		n.say("The change to " + in.To.String() + " on " + n.date(in.At) + " will not be made.")
	}
	n.announce("Next charge", in.Next)
	return n.message()
}
