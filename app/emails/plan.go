package emails

import (
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/mail"
)

// Trial contains the data of the emails about a trial.
type Trial struct {
	Frame
	Plan        Plan
	NextPlan    Plan // the plan after the trial; equal to Plan unless a change is scheduled
	EndsAt      time.Time
	FirstCharge Charge // the first charge, or the invoice that is due; its At is zero when there is none
	// NeedsApproval is true if the card's bank wants the customer to approve later charges.
	NeedsApproval bool
}

// TrialStarted returns the email about a new trial. The caller sets To.
func TrialStarted(data Trial) mail.Message {
	n := data.newNotice("Your trial has started", "Show my plan", dashPath)
	n.subject = "Your trial has started: free until " + n.dayAndMonth(data.EndsAt)
	if data.FirstCharge.Amount.Minor() > 0 {
		n.subject += ", then " + data.FirstCharge.Amount.FormatWithSymbolAndCode()
	}
	n.addParagraph("You can use the "+data.Plan.Name+" plan free of charge until "+n.date(data.EndsAt)+".", data.firstChargeSentence(n))
	n.addParagraph("To pay nothing, end the plan before the trial ends: open your dashboard and choose “End plan”.",
		"You can use it until the trial ends.")
	return n.message()
}

// TrialEndsSoon returns the email that reminds the customer of the first charge. The caller sets To.
func TrialEndsSoon(data Trial) mail.Message {
	n := data.newNotice("Your trial ends soon", "Show my plan", dashPath)
	n.Title = "Your trial ends on " + n.dayAndMonth(data.EndsAt)
	n.setFigure(data.FirstCharge.Amount, data.FirstCharge.methodNote())
	n.subject = n.Title
	if data.FirstCharge.Amount.Minor() > 0 {
		n.subject += ": " + data.FirstCharge.Amount.FormatWithSymbolAndCode() + " then"
	}
	n.addParagraph("The trial of your "+data.Plan.Name+" plan ends on "+n.date(data.EndsAt)+".", data.firstChargeSentence(n))
	if data.NeedsApproval && data.FirstCharge.Amount.Minor() > 0 {
		n.addParagraph("Your bank wants you to approve your card first. Without that, the charge may be declined.")
		n.Button, n.Link = "Approve my card", data.PublicURL+payPath
	}
	if data.FirstCharge.HasNoMethod && data.FirstCharge.Amount.Minor() > 0 {
		n.addParagraph("You have not saved a payment method yet. Please add one before the trial ends.")
		n.Button, n.Link = "Add a payment method", data.PublicURL+cardsPath
	}
	n.addParagraph("To pay nothing, end the plan before the trial ends: open your dashboard and choose “End plan”.")
	return n.message()
}

// firstChargeSentence returns a sentence about the first payment, or "" if there is none.
func (data Trial) firstChargeSentence(n *notice) string {
	c := data.FirstCharge
	switch {
	case c.At.IsZero():
		return ""
	case c.Amount.Minor() > 0 && !c.DueAt.IsZero():
		return "Then we send you an invoice of " + c.Amount.FormatWithSymbolAndCode() + " by email" + c.dueClause(n) + "."
	case c.IsInvoiced && c.DueAt.IsZero():
		return "Your first invoice of " + c.Amount.FormatWithSymbolAndCode() + " is due on " + n.date(c.At) + "."
	case c.Amount.Minor() == 0:
		return strings.TrimSpace("Your credit covers the first " + data.NextPlan.intervalUnit() + ", so nothing is charged then. " +
			c.creditSentence(n))
	}
	start := "Then "
	if data.NextPlan != data.Plan {
		start += "your plan changes to " + data.NextPlan.String() + ", as scheduled: "
	}
	return start + c.Amount.FormatWithSymbolAndCode() + " " + c.chargePhrase() + ", and the plan renews every " + data.NextPlan.intervalUnit() +
		" until you end it."
}

// Renewal contains the data of the email about the renewal of a yearly plan, or the first charge after credit.
type Renewal struct {
	Frame
	Plan       Plan
	NextPlan   Plan // the plan after the renewal; equal to Plan unless a change is scheduled
	At         time.Time
	NextCharge Charge // its At is zero when the amount is unknown
	// IsAfterCredit is true if credit has paid the current period.
	IsAfterCredit bool
}

// PlanRenewsSoon returns the email that announces a renewal. The caller sets To.
func PlanRenewsSoon(data Renewal) mail.Message {
	n := data.newNotice("Your plan renews soon", "Show my plan", dashPath)
	n.Title = "Your plan renews on " + n.dayAndMonth(data.At)
	n.subject = n.Title
	chargeSentence := ""
	switch {
	case data.NextCharge.At.IsZero():
	case data.NextCharge.Amount.Minor() == 0:
		chargeSentence = strings.TrimSpace("Nothing is charged then. " + data.NextCharge.creditSentence(n))
	default:
		n.subject += ": " + data.NextCharge.Amount.FormatWithSymbolAndCode()
		n.setFigure(data.NextCharge.Amount, data.NextCharge.methodNote())
		chargeSentence = data.NextCharge.Amount.FormatWithSymbolAndCode() + " " + data.NextCharge.chargePhrase() + " then" + data.NextCharge.dueClause(n) + "."
		if data.IsAfterCredit {
			chargeSentence += " Until then your credit pays."
		}
	}
	renewalSentence := "Your " + data.Plan.Name + " plan renews for another " + data.Plan.intervalUnit() + " on " + n.date(data.At) + "."
	if data.NextPlan != data.Plan {
		renewalSentence = "Your plan changes from " + data.Plan.String() + " to " + data.NextPlan.String() + " on " + n.date(data.At) +
			", as scheduled."
	}
	n.addParagraph(renewalSentence, chargeSentence)
	n.addParagraph("If you do not want it to renew, end the plan before that: open your dashboard and choose “End plan”.")
	return n.message()
}

// ExpiringCard contains the data of the email about a card that expires.
type ExpiringCard struct {
	Frame
	Plan       Plan
	Card       billing.PaymentMethod
	At         time.Time // when the next charge is made
	NextCharge Charge    // its At is zero when the amount is unknown
}

// CardExpires returns the email about a card that expires before the next charge. The caller sets To.
func CardExpires(data ExpiringCard) mail.Message {
	n := data.newNotice("Your card expires before the next charge", "Update my card", cardsPath)
	n.subject = MethodName(data.Card) + " expires before your next charge on " + n.dayAndMonth(data.At)
	expiryMonth := time.Month(data.Card.Card.ExpMonth).String() + " " + strconv.Itoa(data.Card.Card.ExpYear)
	n.addParagraph(MethodName(data.Card)+", with which you pay for the "+data.Plan.Name+" plan, expires at the end of "+expiryMonth+".",
		"The next charge is on "+n.date(data.At)+".")
	n.addParagraph("Please add a card that is valid then. If your bank has sent you a new card with the same number, add that one.")
	n.setClosing("Next charge", data.NextCharge)
	return n.message()
}

// Order contains the data of the emails about an order.
type Order struct {
	Frame
	Plan         Plan
	InvoiceDays  int       // from the approval of the order to the due date of its invoice; 0 when unknown
	IsApproved   bool      // an operator has approved the order
	IsWithdrawn  bool      // the customer has withdrawn the order
	TrialEnd     time.Time // zero without a trial
	Instructions []billing.Instruction
}

// OrderReceived returns the email about an order that waits for its approval. The caller sets To.
func OrderReceived(data Order) mail.Message {
	n := data.newNotice("We received your order", "Show my order", dashPath)
	n.subject = "Your order of " + data.Plan.String()
	if data.Plan.Price.Minor() > 0 {
		n.subject += ": " + data.Plan.Price.FormatWithSymbolAndCode() + " per " + data.Plan.intervalUnit()
	}
	n.subject = oneLine(n.subject)
	n.addParagraph("Thank you for your order of the "+data.Plan.Name+" plan.", data.priceSentence())
	n.addParagraph("We check it before your plan starts.",
		"You need not do anything: you receive an email when it starts, and your first invoice then.")
	if data.InvoiceDays > 0 {
		n.addParagraph("The invoice follows after the approval and is due " + strconv.Itoa(data.InvoiceDays) + " days later.")
	}
	return n.message()
}

// priceSentence returns a sentence about the price of the plan, or "" if it is unknown.
func (data Order) priceSentence() string {
	if data.Plan.Price.Minor() <= 0 {
		return ""
	}
	return "It costs " + data.Plan.Price.FormatWithSymbolAndCode() + " per " + data.Plan.intervalUnit() + "."
}

// PlanStarted returns the email about a plan that has started after an approval or a payment that took days. The
// caller sets To.
func PlanStarted(data Order) mail.Message {
	n := data.newNotice("Your "+data.Plan.Name+" plan has started", "Show my plan", dashPath)
	reason := "Your payment has arrived."
	if data.IsApproved {
		reason = "Your order is approved."
	}
	n.addParagraph(reason, "You can use the "+data.Plan.Name+" plan from now on.", data.priceSentence())
	if !data.TrialEnd.IsZero() {
		n.addParagraph("It is free of charge until "+n.date(data.TrialEnd)+".",
			"To pay nothing, end the plan before that on your dashboard.")
	}
	if len(data.Instructions) > 0 {
		n.addParagraph("Your first invoice is issued. You receive it in another email.")
		n.Instructions = data.Instructions
	}
	return n.message()
}

// OrderEnded returns the email about an order that was withdrawn or not approved. The caller sets To.
func OrderEnded(data Order) mail.Message {
	n := data.newNotice("Your order of "+data.Plan.Name+" has ended", "Show the plans", plansPath)
	outcome := "was withdrawn or not approved."
	if data.IsWithdrawn {
		outcome = "is withdrawn, as you requested."
	}
	n.addParagraph("Your order of the "+data.Plan.Name+" plan "+outcome, "The plan has not started, and there is nothing to pay.")
	return n.message()
}

// Change contains the data of the emails about a plan change.
type Change struct {
	Frame
	From, To       Plan
	At             time.Time       // when a scheduled change is or would have been made; zero for a change now
	Invoice        billing.Invoice // the paid invoice of a change that was made; without an ID if there is none
	NextCharge     Charge          // the next charge after the change
	ReplacedChange DroppedChange   // the scheduled change that a change now replaced
}

// DroppedChange is a plan change that will not be made. Its To has no name if there is none.
type DroppedChange struct {
	To Plan
	At time.Time // when it would have been made; zero for a change that was not paid
}

// sentence returns a sentence about the change, or "" if there is none.
func (c DroppedChange) sentence(n *notice) string {
	switch {
	case c.To.Name == "":
		return ""
	case c.At.IsZero():
		return "The change to " + c.To.String() + " will not be made. Nothing was charged for it."
	}
	return "The change to " + c.To.String() + " on " + n.date(c.At) + " will not be made."
}

// PlanChanged returns the email about a change that was made. The caller sets To.
func PlanChanged(data Change) mail.Message {
	n := data.newNotice("Your plan is now "+data.To.String(), "Show my plan", dashPath)
	if data.Invoice.ID != "" {
		n.subject += ": " + data.costText()
		n.setFigure(data.Invoice.AmountPaid, data.paymentNote())
		n.addMovements(data.Invoice)
	}
	n.addParagraph("Your plan has changed from "+data.From.String()+" to "+data.To.String()+".", data.ReplacedChange.sentence(n))
	n.setClosing("Next charge", data.NextCharge)
	return n.message()
}

// paymentNote returns the date of the payment: "paid on 26 May 2027". It returns "" if nothing was paid.
func (data Change) paymentNote() string {
	switch {
	case !data.Invoice.WasPaid():
		return ""
	case data.Invoice.PaidAt.IsZero():
		return "paid"
	}
	return "paid on " + data.Invoice.TimeZone.Date(data.Invoice.PaidAt)
}

// costText returns the cost of the change: "$569.27 AUD paid".
func (data Change) costText() string {
	if amountPaid := data.Invoice.AmountPaid; amountPaid.Minor() > 0 {
		return amountPaid.FormatWithSymbolAndCode() + " paid"
	}
	return "nothing to pay"
}

// ChangeScheduled returns the email about a change at the renewal. The caller sets To.
func ChangeScheduled(data Change) mail.Message {
	n := data.newNotice("Your plan changes on "+data.Zone.Date(data.At), "Show my plan", dashPath)
	n.subject = oneLine("Your plan changes to " + data.To.String() + " on " + n.date(data.At)) // it can be more than a year ahead
	n.addParagraph("You keep "+data.From.String()+" until "+n.date(data.At)+".",
		"Then your plan changes to "+data.To.String()+".")
	n.addParagraph("Until then you can cancel the change on your dashboard.")
	n.setClosing("First charge of "+data.To.Name, data.NextCharge)
	return n.message()
}

// ChangeDropped returns the email about a change that will not be made. The caller sets To.
func ChangeDropped(data Change) mail.Message {
	n := data.newNotice("You keep "+data.From.String(), "Show my plan", dashPath)
	if data.At.IsZero() {
		n.addParagraph("The change to " + data.To.String() + " was cancelled or not paid in time. Nothing was charged for it.")
	} else {
		n.addParagraph("The change to " + data.To.String() + " on " + n.date(data.At) + " will not be made.")
	}
	n.setClosing("Next charge", data.NextCharge)
	return n.message()
}
