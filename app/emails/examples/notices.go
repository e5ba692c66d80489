package examples

import (
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// sydney is the time zone of the examples, and trialEnd the beginning of 28 November there.
const sydney = "Australia/Sydney"

var trialEnd = time.Date(2026, time.November, 27, 14, 0, 0, 0, time.UTC)

var professional = catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}

// notices adds the emails about plans and payments, with the names of their kinds.
func (c *collector) notices() {
	n := noticeExamples{
		collector: c,
		frame:     emails.Frame{Organisation: organisation, Sender: c.sender, PublicURL: c.publicURL, Zone: sydney, TaxName: "GST"},
	}
	n.plan = emails.Plan{Name: "Professional", Interval: catalogue.Yearly, Price: amount(81600, "AUD")}
	n.charge = emails.Charge{Amount: n.plan.Price, At: trialEnd, Method: "Visa •••• 4242"}
	n.next = emails.Charge{Amount: n.plan.Price, At: trialEnd, BeforeCredit: true}
	n.dropped = emails.DroppedChange{To: emails.Plan{Name: "Standard", Interval: catalogue.Monthly}, At: trialEnd}
	n.trials()
	n.renewals()
	n.orders()
	n.changes()
	n.ends()
	n.receipts()
	n.payments()
	n.failures()
}

// noticeExamples contains the data that the examples share.
type noticeExamples struct {
	*collector
	frame  emails.Frame
	plan   emails.Plan
	charge emails.Charge
	next   emails.Charge

	dropped emails.DroppedChange
}

func (n noticeExamples) add(kind billing.NoticeKind, variant string, m mail.Message) {
	n.collector.add(string(kind), variant, m)
}

func amount(minor int64, currency string) money.Amount {
	a, err := money.New(minor, currency)
	if err != nil { // impossible: the currency is one of the package's
		panic("examples: " + err.Error())
	}
	return a
}

func (n noticeExamples) trials() {
	trial := emails.Trial{Frame: n.frame, Plan: n.plan, To: n.plan, EndsAt: trialEnd, First: n.charge}
	toApprove, byInvoice, covered, scheduled, withoutMethod := trial, trial, trial, trial, trial
	scheduled.To = emails.Plan{Name: "Standard", Interval: catalogue.Monthly, Price: amount(3900, "AUD")}
	scheduled.First.Amount = scheduled.To.Price
	toApprove.NeedsApproval = true
	byInvoice.First = emails.Charge{Amount: n.plan.Price, At: trialEnd.AddDate(0, 0, 7), ByInvoice: true}
	covered.First.Amount = amount(0, "AUD")
	n.add(billing.TrialStarted, "", emails.TrialStarted(trial))
	n.add(billing.TrialStarted, "by invoice", emails.TrialStarted(byInvoice))
	n.add(billing.TrialEndsSoon, "", emails.TrialEndsSoon(trial))
	n.add(billing.TrialEndsSoon, "card to be approved", emails.TrialEndsSoon(toApprove))
	withoutMethod.First.Method, withoutMethod.First.NoMethod = "", true
	n.add(billing.TrialEndsSoon, "without a payment method", emails.TrialEndsSoon(withoutMethod))
	n.add(billing.TrialEndsSoon, "covered by credit", emails.TrialEndsSoon(covered))
	n.add(billing.TrialEndsSoon, "scheduled change", emails.TrialEndsSoon(scheduled))
}

func (n noticeExamples) renewals() {
	renewal := emails.Renewal{Frame: n.frame, Plan: n.plan, To: n.plan, At: trialEnd, Next: n.charge}
	scheduled := renewal
	scheduled.To = emails.Plan{Name: "Standard", Interval: catalogue.Yearly, Price: amount(42000, "AUD")}
	scheduled.Next.Amount = scheduled.To.Price
	n.add(billing.RenewalAhead, "", emails.RenewalAhead(renewal))
	n.add(billing.RenewalAhead, "scheduled change", emails.RenewalAhead(scheduled))
	optional := renewal
	optional.Sender.PreferencesLink = n.publicURL +
		"/vc-admin/auth/emails?token=renewal_ahead.QHJ5MZ3VX7KD2RBT6WNPA4CYEU.U7FIvX5UawtW2apl"
	n.add(billing.RenewalAhead, "optional", emails.RenewalAhead(optional))
	n.add(billing.CardExpires, "", emails.CardExpires(emails.Card{
		Frame: optional.Frame, Plan: n.plan, At: trialEnd, Next: n.charge,
		Card: billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 10, ExpYear: 2026}},
	}))
}

func (n noticeExamples) orders() {
	order := emails.Order{Frame: n.frame, Plan: n.plan}
	approved := order
	approved.Approved, approved.TrialEnd = true, trialEnd
	approved.Instructions = []emails.Instruction{{Label: "Reference", Value: "INV-0001"}}
	n.add(billing.OrderReceived, "", emails.OrderReceived(order))
	n.add(billing.PlanStarted, "order approved", emails.PlanStarted(approved))
	n.add(billing.PlanStarted, "payment has arrived", emails.PlanStarted(order))
	n.add(billing.OrderEnded, "", emails.OrderEnded(order))
	withdrawn := order
	withdrawn.Withdrawn = true
	n.add(billing.OrderEnded, "withdrawn", emails.OrderEnded(withdrawn))
}

func (n noticeExamples) changes() {
	standard := emails.Plan{Name: "Standard", Interval: catalogue.Monthly, Price: amount(3900, "AUD")}
	change := emails.Change{Frame: n.frame, From: standard, To: n.plan, Invoice: n.paidInvoice(), Next: n.next}
	covered, later := change, change
	covered.Invoice.CreditUsed, covered.Invoice.AmountDue, covered.Invoice.AmountPaid = covered.Invoice.Total,
		amount(0, "AUD"), amount(0, "AUD")
	later.At = trialEnd
	n.add(billing.PlanChanged, "", emails.PlanChanged(change))
	replacing := change
	replacing.Replaced = n.dropped
	n.add(billing.PlanChanged, "instead of a scheduled change", emails.PlanChanged(replacing))
	n.add(billing.PlanChanged, "covered by credit", emails.PlanChanged(covered))
	n.add(billing.ChangeScheduled, "", emails.ChangeScheduled(later))
	n.add(billing.ChangeDropped, "scheduled", emails.ChangeDropped(later))
	n.add(billing.ChangeDropped, "not paid", emails.ChangeDropped(change))
}

func (n noticeExamples) ends() {
	end := emails.End{Frame: n.frame, Plan: n.plan, At: trialEnd, Cause: billing.CauseRequested, Next: n.next}
	openInvoice, voided, owed, unpaid := end, end, end, end
	openInvoice.Amount = amount(3900, "AUD")
	voided.Bill, voided.Amount = emails.BillVoided, n.plan.Price
	owed.Bill, owed.Amount = emails.BillOwed, n.plan.Price
	unpaid.Cause, unpaid.Bill, unpaid.Amount = billing.CauseUnpaid, emails.BillVoided, n.plan.Price
	n.add(billing.PlanEndRequested, "", emails.PlanEndRequested(end))
	withChange := end
	withChange.Dropped = n.dropped
	n.add(billing.PlanEndRequested, "scheduled change", emails.PlanEndRequested(withChange))
	n.add(billing.PlanEndRequested, "open invoice", emails.PlanEndRequested(openInvoice))
	trial := end
	trial.Bill, trial.Amount, trial.Number = emails.TrialBillVoided, n.plan.Price, "INV-0001"
	n.add(billing.PlanEndRequested, "invoiced trial", emails.PlanEndRequested(trial))
	n.add(billing.PlanEnded, "invoiced trial", emails.PlanEnded(trial))
	n.add(billing.PlanResumed, "", emails.PlanResumed(end))
	n.add(billing.PlanEnded, "", emails.PlanEnded(end))
	n.add(billing.PlanEnded, "bill voided", emails.PlanEnded(voided))
	n.add(billing.PlanEnded, "bill owed", emails.PlanEnded(owed))
	n.add(billing.PlanEnded, "not paid", emails.PlanEnded(unpaid))
}

// paidInvoice returns the invoice of a plan change of which a part was paid with credit.
func (n noticeExamples) paidInvoice() billing.Invoice {
	return billing.Invoice{
		ID: "in_1", Number: "K7Q2-0003", Status: billing.InvoicePaid, Total: amount(60427, "AUD"),
		Tax: amount(5493, "AUD"), CreditUsed: amount(3500, "AUD"),
		AmountDue: amount(56927, "AUD"), AmountPaid: amount(56927, "AUD"), CreatedAt: trialEnd, PaidAt: trialEnd,
		TimeZone: sydney,
		Lines: []billing.Line{
			{Description: "Professional", Price: professional, Amount: n.plan.Price, Start: trialEnd,
				End: trialEnd.AddDate(1, 0, 0)},
			{Description: "Unused time on Standard", Amount: amount(-21173, "AUD")},
		},
	}
}

func (n noticeExamples) payments() {
	payment := emails.Payment{Frame: n.frame, Plan: n.plan, Invoice: n.paidInvoice(), Amount: amount(56927, "AUD")}
	refunded, credited := payment, payment
	refunded.Amount, refunded.Invoice.Refunded = amount(10000, "AUD"), amount(10000, "AUD")
	credited.Amount, credited.Invoice.Credited = amount(2500, "AUD"), amount(2500, "AUD")
	onItsWay, failedLate := payment, payment
	onItsWay.Method, onItsWay.ExpectedBy = "bank account •••• 6819", trialEnd.AddDate(0, 0, 3)
	failedLate.OtherKind = true
	failedLate.Method, failedLate.Reason, failedLate.Effect = "bank account •••• 9110",
		"Your bank account has insufficient funds.", emails.PlanNotStarted
	notChanged, formerPlan := failedLate, failedLate
	notChanged.Effect, formerPlan.Effect = emails.PlanNotChanged, emails.FormerBillOpen
	n.add(billing.PaymentProcessing, "", emails.PaymentProcessing(payment))
	n.add(billing.PaymentProcessing, "with its date", emails.PaymentProcessing(onItsWay))
	n.add(billing.PaymentFailedLate, "", emails.PaymentFailedLate(failedLate))
	n.add(billing.PaymentFailedLate, "of a plan change", emails.PaymentFailedLate(notChanged))
	n.add(billing.PaymentFailedLate, "of a former plan", emails.PaymentFailedLate(formerPlan))
	n.add(billing.PaymentRefunded, "", emails.PaymentRefunded(refunded))
	refunded.Withdrawn, refunded.Credit = amount(1500, "AUD"), amount(200, "AUD")
	n.add(billing.PaymentRefunded, "credit withdrawn", emails.PaymentRefunded(refunded))
	n.add(billing.CreditIssued, "", emails.CreditIssued(credited))
	credited.Invoice.Status = billing.InvoiceVoid
	n.add(billing.CreditIssued, "of a cancelled invoice", emails.CreditIssued(credited))
	returned := emails.Disputes{Frame: n.frame, Payments: []emails.DisputedPayment{{Invoice: "K7Q2-0003", Amount: payment.Amount}}}
	n.add(billing.PaymentReturned, "", emails.PaymentReturned(returned))
	returned.Dropped, returned.Payments[0].Withdrawn = n.dropped, amount(1500, "AUD")
	n.add(billing.PaymentReturned, "scheduled change", emails.PaymentReturned(returned))
	lifted := emails.Disputes{Frame: n.frame, Credit: amount(1500, "AUD")}
	lifted.Payments = []emails.DisputedPayment{{Invoice: "K7Q2-0003", Status: billing.DisputeWon}}
	n.add(billing.HoldLifted, "", emails.HoldLifted(lifted))
	lifted.Payments, lifted.Credit = []emails.DisputedPayment{{Invoice: "K7Q2-0003", Status: billing.DisputeLost, Amount: payment.Amount}}, amount(0, "AUD")
	n.add(billing.HoldLifted, "dispute lost", emails.HoldLifted(lifted))
}

func (n noticeExamples) failures() {
	failed := emails.Payment{
		Frame: n.frame, Plan: n.plan, Invoice: n.paidInvoice(), Amount: amount(50000, "AUD"), Method: "Visa •••• 4242",
		Reason: "Your card was declined.", EndsAt: trialEnd.AddDate(0, 0, 15),
	}
	failed.Invoice.Status, failed.Invoice.AmountPaid, failed.Invoice.PaidAt = billing.InvoiceOpen, amount(6927, "AUD"),
		time.Time{}
	failed.Invoice.NextAttemptAt = trialEnd.AddDate(0, 0, 3)
	last, part := failed, failed
	last.Invoice.NextAttemptAt = time.Time{}
	part.Amount, part.Invoice.DueAt = amount(6927, "AUD"), trialEnd
	part.HowToPay = []emails.Instruction{{Label: "Reference", Value: "INV-0001"}}
	n.add(billing.PaymentFailed, "", emails.PaymentFailed(failed))
	n.add(billing.PaymentFailed, "last attempt", emails.PaymentFailed(last))
	returned := last
	returned.Method, returned.OtherKind, returned.Reason, returned.Invoice.Returned = "bank account •••• 4406", true,
		"Your bank has returned the payment.", last.Amount
	n.add(billing.PaymentFailed, "returned", emails.PaymentFailed(returned))
	n.add(billing.ApprovalNeeded, "", emails.ApprovalNeeded(failed))
	n.add(billing.PaymentReceived, "in part", emails.PaymentReceived(part))
	failed.Amount, failed.Invoice.AmountDue = amount(10000, "AUD"), amount(46927, "AUD")
	n.add(billing.CreditIssued, "reduces an invoice", emails.CreditIssued(failed))
}
