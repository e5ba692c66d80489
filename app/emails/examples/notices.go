package examples

import (
	"slices"
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

// addNotices adds the emails about plans and payments, with the names of their kinds.
func (c *collector) addNotices() {
	n := noticeCollector{
		collector: c,
		frame: emails.Frame{
			OrganisationName: organisationName, Sender: c.sender, PublicURL: c.publicURL, Zone: sydney, TaxName: "GST",
		},
	}
	n.plan = emails.Plan{Name: "Professional", Interval: catalogue.Yearly, Price: amount(81600, "AUD")}
	n.charge = emails.Charge{Amount: n.plan.Price, At: trialEnd, Method: "Visa •••• 4242"}
	n.nextCharge = emails.Charge{Amount: n.plan.Price, At: trialEnd, IsCreditUnknown: true}
	n.droppedChange = emails.DroppedChange{To: emails.Plan{Name: "Standard", Interval: catalogue.Monthly}, At: trialEnd}
	n.addTrials()
	n.addRenewals()
	n.addOrders()
	n.addChanges()
	n.addEnds()
	n.addReceipts()
	n.addPayments()
	n.addDisputes()
	n.addFailures()
	n.addLateFailures()
}

// noticeCollector adds the emails about plans and payments to a collector. It contains the data that these examples
// share.
type noticeCollector struct {
	*collector
	frame      emails.Frame
	plan       emails.Plan
	charge     emails.Charge
	nextCharge emails.Charge

	droppedChange emails.DroppedChange
}

func (n noticeCollector) add(kind billing.NoticeKind, variant string, m mail.Message) {
	n.collector.add(string(kind), variant, m)
}

func amount(minor int64, currency string) money.Amount {
	a, err := money.New(minor, currency)
	if err != nil { // impossible: the currency is one of the package's
		panic("examples: " + err.Error())
	}
	return a
}

// modify applies edit to a copy of the data and returns the copy.
func modify[T any](data T, edit func(*T)) T {
	edit(&data)
	return data
}

func (n noticeCollector) addTrials() {
	trial := emails.Trial{Frame: n.frame, Plan: n.plan, NextPlan: n.plan, EndsAt: trialEnd, FirstCharge: n.charge}
	n.add(billing.TrialStarted, "", emails.TrialStarted(trial))
	n.add(billing.TrialStarted, "by invoice", emails.TrialStarted(modify(trial, func(t *emails.Trial) {
		t.FirstCharge = emails.Charge{Amount: n.plan.Price, At: trialEnd.AddDate(0, 0, 7), IsInvoiced: true}
	})))
	n.add(billing.TrialEndsSoon, "", emails.TrialEndsSoon(trial))
	n.add(billing.TrialEndsSoon, "card to be approved",
		emails.TrialEndsSoon(modify(trial, func(t *emails.Trial) { t.NeedsApproval = true })))
	n.add(billing.TrialEndsSoon, "without a payment method",
		emails.TrialEndsSoon(modify(trial, func(t *emails.Trial) { t.FirstCharge.Method, t.FirstCharge.HasNoMethod = "", true })))
	n.add(billing.TrialEndsSoon, "covered by credit", emails.TrialEndsSoon(modify(trial, func(t *emails.Trial) {
		t.FirstCharge.Amount, t.FirstCharge.AfterCredit = amount(0, "AUD"), n.chargeAfterCredit()
	})))
	n.add(billing.TrialEndsSoon, "scheduled change", emails.TrialEndsSoon(modify(trial, func(t *emails.Trial) {
		t.NextPlan = emails.Plan{Name: "Standard", Interval: catalogue.Monthly, Price: amount(3900, "AUD")}
		t.FirstCharge.Amount = t.NextPlan.Price
	})))
}

func (n noticeCollector) addRenewals() {
	renewal := emails.Renewal{Frame: n.frame, Plan: n.plan, NextPlan: n.plan, At: trialEnd, NextCharge: n.charge}
	n.add(billing.PlanRenewsSoon, "", emails.PlanRenewsSoon(renewal))
	n.add(billing.PlanRenewsSoon, "scheduled change", emails.PlanRenewsSoon(modify(renewal, func(r *emails.Renewal) {
		r.NextPlan = emails.Plan{Name: "Standard", Interval: catalogue.Yearly, Price: amount(42000, "AUD")}
		r.NextCharge.Amount = r.NextPlan.Price
	})))
	n.add(billing.PlanRenewsSoon, "covered by credit", emails.PlanRenewsSoon(modify(renewal, func(r *emails.Renewal) {
		r.NextCharge.Amount, r.NextCharge.AfterCredit = amount(0, "AUD"), n.chargeAfterCredit()
	})))
	n.add(billing.PlanRenewsSoon, "after credit", emails.PlanRenewsSoon(modify(renewal, func(r *emails.Renewal) {
		r.NextCharge, r.IsAfterCredit = *n.chargeAfterCredit(), true
	})))
	optionalFrame := modify(n.frame, func(f *emails.Frame) {
		f.Sender.PreferencesLink = n.publicURL +
			"/vc-admin/auth/emails?token=plan_renews_soon.QHJ5MZ3VX7KD2RBT6WNPA4CYEU.U7FIvX5UawtW2apl"
	})
	n.add(billing.PlanRenewsSoon, "optional",
		emails.PlanRenewsSoon(modify(renewal, func(r *emails.Renewal) { r.Frame = optionalFrame })))
	n.add(billing.CardExpires, "", emails.CardExpires(emails.ExpiringCard{
		Frame: optionalFrame, Plan: n.plan, At: trialEnd, NextCharge: n.charge,
		Card: billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 10, ExpYear: 2026}},
	}))
}

// chargeAfterCredit returns a charge of which credit pays a part.
func (n noticeCollector) chargeAfterCredit() *emails.Charge {
	charge := n.charge
	charge.Amount, charge.At = amount(1250, "AUD"), trialEnd.AddDate(1, 0, 0)
	return &charge
}

func (n noticeCollector) addOrders() {
	order := emails.Order{Frame: n.frame, Plan: n.plan}
	n.add(billing.OrderReceived, "", emails.OrderReceived(modify(order, func(o *emails.Order) { o.InvoiceDays = 14 })))
	n.add(billing.PlanStarted, "order approved", emails.PlanStarted(modify(order, func(o *emails.Order) {
		o.IsApproved, o.TrialEnd = true, trialEnd
		o.Instructions = []billing.Instruction{{Label: "Reference", Value: "INV-0001"}}
	})))
	n.add(billing.PlanStarted, "payment has arrived", emails.PlanStarted(order))
	n.add(billing.OrderEnded, "", emails.OrderEnded(order))
	n.add(billing.OrderEnded, "withdrawn", emails.OrderEnded(modify(order, func(o *emails.Order) { o.IsWithdrawn = true })))
}

func (n noticeCollector) addChanges() {
	standard := emails.Plan{Name: "Standard", Interval: catalogue.Monthly, Price: amount(3900, "AUD")}
	change := emails.Change{Frame: n.frame, From: standard, To: n.plan, Invoice: n.newPaidInvoice(), NextCharge: n.nextCharge}
	n.add(billing.PlanChanged, "", emails.PlanChanged(change))
	n.add(billing.PlanChanged, "instead of a scheduled change",
		emails.PlanChanged(modify(change, func(c *emails.Change) { c.ReplacedChange = n.droppedChange })))
	n.add(billing.PlanChanged, "covered by credit", emails.PlanChanged(modify(change, func(c *emails.Change) {
		c.NextCharge.Amount, c.NextCharge.AfterCredit = amount(0, "AUD"), n.chargeAfterCredit()
		c.Invoice.CreditUsed = c.Invoice.Total
		c.Invoice.AmountDue, c.Invoice.AmountPaid = amount(0, "AUD"), amount(0, "AUD")
	})))
	scheduledChange := modify(change, func(c *emails.Change) { c.At = trialEnd })
	n.add(billing.ChangeScheduled, "", emails.ChangeScheduled(scheduledChange))
	n.add(billing.ChangeDropped, "scheduled", emails.ChangeDropped(scheduledChange))
	n.add(billing.ChangeDropped, "not paid", emails.ChangeDropped(change))
}

func (n noticeCollector) addEnds() {
	end := emails.End{Frame: n.frame, Plan: n.plan, At: trialEnd, Cause: billing.CauseRequested, NextCharge: n.nextCharge}
	invoicedTrialEnd := modify(end, func(e *emails.End) {
		e.InvoiceOutcome, e.UnpaidAmount, e.InvoiceNumber = emails.OutcomeTrialInvoiceVoided, n.plan.Price, "INV-0001"
	})
	n.add(billing.PlanEndRequested, "", emails.PlanEndRequested(end))
	n.add(billing.PlanEndRequested, "scheduled change",
		emails.PlanEndRequested(modify(end, func(e *emails.End) { e.DroppedChange = n.droppedChange })))
	n.add(billing.PlanEndRequested, "open invoice",
		emails.PlanEndRequested(modify(end, func(e *emails.End) { e.UnpaidAmount = amount(3900, "AUD") })))
	n.add(billing.PlanEndRequested, "invoiced trial", emails.PlanEndRequested(invoicedTrialEnd))
	n.add(billing.PlanEnded, "invoiced trial", emails.PlanEnded(invoicedTrialEnd))
	n.add(billing.PlanResumed, "", emails.PlanResumed(end))
	n.add(billing.PlanEnded, "", emails.PlanEnded(end))
	voidedInvoice := modify(end, func(e *emails.End) { e.InvoiceOutcome, e.UnpaidAmount = emails.OutcomeVoided, n.plan.Price })
	n.add(billing.PlanEnded, "invoice voided", emails.PlanEnded(voidedInvoice))
	n.add(billing.PlanEnded, "invoice owed",
		emails.PlanEnded(modify(voidedInvoice, func(e *emails.End) { e.InvoiceOutcome = emails.OutcomeOwed })))
	processing := modify(end, func(e *emails.End) {
		e.Processing = emails.ProcessingPayment{Amount: n.plan.Price, Method: "bank account •••• 6819", ExpectedBy: trialEnd.AddDate(0, 0, 3)}
	})
	n.add(billing.PlanEndRequested, "payment processing", emails.PlanEndRequested(processing))
	n.add(billing.PlanEnded, "payment processing",
		emails.PlanEnded(modify(processing, func(e *emails.End) { e.InvoiceOutcome = emails.OutcomeProcessing })))
	n.add(billing.PlanEnded, "not paid",
		emails.PlanEnded(modify(voidedInvoice, func(e *emails.End) { e.Cause = billing.CauseUnpaid })))
}

// newPaidInvoice returns the invoice of a plan change. The invoice was partly paid with credit.
func (n noticeCollector) newPaidInvoice() billing.Invoice {
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

func (n noticeCollector) addPayments() {
	payment := emails.Payment{Frame: n.frame, Plan: n.plan, Invoice: n.newPaidInvoice(), Amount: amount(56927, "AUD")}
	n.add(billing.PaymentProcessing, "", emails.PaymentProcessing(payment))
	n.add(billing.PaymentProcessing, "with its date", emails.PaymentProcessing(modify(payment, func(p *emails.Payment) {
		p.Method, p.ExpectedBy = "bank account •••• 6819", trialEnd.AddDate(0, 0, 3)
	})))
	refund := modify(payment, func(p *emails.Payment) { p.Amount, p.Invoice.Refunded = amount(10000, "AUD"), amount(10000, "AUD") })
	n.add(billing.PaymentRefunded, "", emails.PaymentRefunded(refund))
	n.add(billing.PaymentRefunded, "credit withdrawn", emails.PaymentRefunded(modify(refund, func(p *emails.Payment) {
		p.WithdrawnCredit, p.Credit = amount(1500, "AUD"), amount(200, "AUD")
	})))
	n.add(billing.RefundFailed, "", emails.RefundFailed(modify(payment, func(p *emails.Payment) {
		p.Amount, p.Credit = amount(10000, "AUD"), amount(1500, "AUD")
	})))
	credit := modify(payment, func(p *emails.Payment) { p.Amount, p.Invoice.Credited = amount(2500, "AUD"), amount(2500, "AUD") })
	n.add(billing.CreditIssued, "", emails.CreditIssued(credit))
	n.add(billing.CreditIssued, "of a cancelled invoice",
		emails.CreditIssued(modify(credit, func(p *emails.Payment) { p.Invoice.Status = billing.InvoiceVoid })))
}

func (n noticeCollector) addDisputes() {
	invoice := n.newPaidInvoice()
	invoice.Returns = []billing.Return{{
		Kind: billing.ReturnByDispute, Amount: amount(56927, "AUD"), At: trialEnd.AddDate(0, 0, 9), Dispute: billing.DisputeOpen,
	}}
	dispute := emails.Dispute{
		Frame: n.frame, Invoice: invoice, Amount: amount(56927, "AUD"), Status: billing.DisputeOpen, OnHold: true,
	}
	n.add(billing.PaymentReturned, "", emails.PaymentReturned(dispute))
	n.add(billing.PaymentReturned, "scheduled change", emails.PaymentReturned(modify(dispute, func(d *emails.Dispute) {
		d.DroppedChange, d.WithdrawnCredit = n.droppedChange, amount(1500, "AUD")
	})))
	decided := modify(dispute, func(d *emails.Dispute) {
		d.Status, d.Invoice.Returns = billing.DisputeLost, slices.Clone(invoice.Returns)
		d.Invoice.Returns[0].Dispute, d.Invoice.Returns[0].DecidedAt = billing.DisputeLost, trialEnd.AddDate(0, 0, 40)
	})
	n.add(billing.PaymentReturned, "returned by the bank", emails.PaymentReturned(decided))
	n.add(billing.DisputeDecided, "", emails.DisputeDecided(decided))
	n.add(billing.DisputeDecided, "won", emails.DisputeDecided(modify(decided, func(d *emails.Dispute) {
		d.Status, d.Invoice.Returns = billing.DisputeWon, slices.Clone(decided.Invoice.Returns)
		d.Invoice.Returns[0].Dispute = billing.DisputeWon
	})))
	number := invoice.Number
	n.add(billing.HoldLifted, "", emails.HoldLifted(emails.LiftedHold{
		Frame: n.frame, Credit: amount(1500, "AUD"),
		Payments: []emails.DisputedPayment{{InvoiceNumber: number, Status: billing.DisputeWon}},
	}))
	n.add(billing.HoldLifted, "dispute lost", emails.HoldLifted(emails.LiftedHold{
		Frame: n.frame, Credit: amount(0, "AUD"),
		Payments: []emails.DisputedPayment{{InvoiceNumber: number, Status: billing.DisputeLost, Amount: amount(56927, "AUD")}},
	}))
}

func (n noticeCollector) addFailures() {
	lastFailure := emails.Payment{
		Frame: n.frame, Plan: n.plan, Invoice: n.newPaidInvoice(), Amount: amount(50000, "AUD"), Method: "Visa •••• 4242",
		Reason: "Your card was declined.", EndsAt: trialEnd.AddDate(0, 0, 15),
	}
	invoice := &lastFailure.Invoice
	invoice.Status, invoice.AmountPaid, invoice.PaidAt = billing.InvoiceOpen, amount(6927, "AUD"), time.Time{}
	failure := modify(lastFailure, func(p *emails.Payment) { p.Invoice.NextAttemptAt = trialEnd.AddDate(0, 0, 3) })
	n.add(billing.PaymentFailed, "", emails.PaymentFailed(failure))
	n.add(billing.PaymentFailed, "last attempt", emails.PaymentFailed(lastFailure))
	returned := modify(lastFailure, func(p *emails.Payment) {
		p.Method, p.IsNotCard, p.Reason = "bank account •••• 4406", true, "Your bank account has insufficient funds."
		p.Return = billing.Return{Kind: billing.ReturnByBank, Amount: p.Amount, At: trialEnd,
			Method: &billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "Bank account •••• 4406"}}
	})
	n.add(billing.PaymentFailed, "returned", emails.PaymentFailed(returned))
	n.add(billing.PaymentFailed, "returned, charged again", emails.PaymentFailed(modify(returned, func(p *emails.Payment) {
		p.Invoice.NextAttemptAt = failure.Invoice.NextAttemptAt
	})))
	n.add(billing.PaymentFailed, "returned after a part payment", emails.PaymentFailed(modify(returned, func(p *emails.Payment) {
		p.Return.Amount = amount(56927, "AUD")
	})))
	n.add(billing.ApprovalNeeded, "", emails.ApprovalNeeded(failure))
	n.add(billing.PaymentReceived, "in part", emails.PaymentReceived(modify(failure, func(p *emails.Payment) {
		p.Amount, p.Invoice.DueAt = amount(6927, "AUD"), trialEnd
		p.Instructions = []billing.Instruction{{Label: "Reference", Value: "INV-0001"}}
	})))
	n.add(billing.PaymentReceived, "in part, overdue", emails.PaymentReceived(modify(lastFailure, func(p *emails.Payment) {
		p.Amount, p.Invoice.DueAt, p.DueDatePassed = amount(6927, "AUD"), trialEnd, true
	})))
	n.add(billing.CreditIssued, "reduces an invoice", emails.CreditIssued(modify(failure, func(p *emails.Payment) {
		p.Amount, p.Invoice.AmountDue = amount(10000, "AUD"), amount(46927, "AUD")
	})))
}

func (n noticeCollector) addLateFailures() {
	failedPayment := emails.Payment{
		Frame: n.frame, Plan: n.plan, Invoice: n.newPaidInvoice(), Amount: amount(56927, "AUD"), Method: "bank account •••• 9110",
		IsNotCard: true, Reason: "Your bank account has insufficient funds.", Effect: emails.PlanNotStarted,
	}
	n.add(billing.PaymentFailedLate, "", emails.PaymentFailedLate(failedPayment))
	n.add(billing.PaymentFailedLate, "of a plan change",
		emails.PaymentFailedLate(modify(failedPayment, func(p *emails.Payment) { p.Effect = emails.PlanNotChanged })))
	n.add(billing.PaymentFailedLate, "of a former plan",
		emails.PaymentFailedLate(modify(failedPayment, func(p *emails.Payment) { p.Effect = emails.FormerInvoiceOpen })))
}
