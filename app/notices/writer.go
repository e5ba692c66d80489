package notices

import (
	"net/url"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// Writer writes the emails about an organisation's billing.
type Writer struct {
	catalogue *catalogue.Catalogue
	publicURL string
	from      emails.Sender
	// preferences are the links in optional emails.
	preferences              preferenceLinks
	renewalRemindersOptional bool // recipients may turn these off
	// byInvoice is whether customers pay invoices instead of being charged.
	byInvoice bool
	// minimum returns the smallest amount that is charged in the currency, in minor units.
	minimum func(currency string) int64
}

// RemindsOfCards reports whether a card can expire before the next charge.
func (e Writer) RemindsOfCards() bool { return !e.byInvoice }

// Facts contains the data of the emails that is not in the notice.
type Facts struct {
	Org account.Organisation
	// Customer has the credit and the payment method; nil if no email needs them, or if they are unknown.
	Customer *billing.Customer
	Returned []billing.ReturnedPayment // of the customer
	Invoices []billing.Invoice         // the known ones of the organisation
}

// invoiceNumber returns the number of the invoice with the id, "" if it is not known. The latest invoice of a
// subscription lacks it.
func (f Facts) invoiceNumber(id string) string {
	for _, inv := range f.Invoices {
		if inv.ID == id {
			return inv.Number
		}
	}
	return ""
}

// invoiceNumberOf returns the number of the invoice that was paid with the returned payment; "" if the invoice is not
// known.
func (f Facts) invoiceNumberOf(p billing.ReturnedPayment) string {
	for _, inv := range f.Invoices {
		if inv.Number == p.Payment {
			return inv.Number
		}
	}
	return ""
}

// withdrawn returns what all refunds of the invoice's payments have withdrawn from the customer's credit.
func (f Facts) withdrawn(inv billing.Invoice) money.Amount {
	var sum int64
	for _, p := range f.Returned {
		if p.Dispute == billing.NoDispute && p.Payment == inv.Number {
			sum += p.Withdrawn.Minor()
		}
	}
	total, _ := money.New(sum, inv.Total.Currency().Code) // it fails only for an unknown currency
	return total
}

// NeedsCustomer reports whether the email about the notice has the customer's credit or payment method.
func NeedsCustomer(kind billing.NoticeKind) bool {
	switch kind {
	case billing.TrialStarted, billing.TrialEndsSoon, billing.RenewalAhead, billing.PaymentReceived, billing.PaymentFailed,
		billing.PaymentRefunded, billing.PaymentReturned, billing.PlanChanged, billing.ChangeScheduled, billing.ChangeDropped, billing.PlanResumed:
		return true
	}
	return false
}

// NeedsReturnedPayments reports whether the email about the notice has the returned payments of the customer.
func NeedsReturnedPayments(kind billing.NoticeKind) bool {
	return kind == billing.PaymentRefunded || kind == billing.PaymentReturned
}

// Emails returns the email to the user who registered the organisation and a separate copy to its billing
// email.
func (e Writer) Emails(facts Facts, due billing.DueNotice) []mail.Message {
	var all []mail.Message
	for _, address := range facts.Org.BillingRecipients() {
		if due.Kind.IsOptional(e.renewalRemindersOptional) {
			e.from.PreferencesLink = e.preferences.link(recipient{facts.Org, address}, due.Kind)
		}
		m := e.compose(facts, due)
		m.To = address
		all = append(all, m)
	}
	return all
}

func (e Writer) compose(facts Facts, due billing.DueNotice) mail.Message {
	return composers[due.Kind](e, facts, due)
}

type composer func(e Writer, facts Facts, due billing.DueNotice) mail.Message

// newComposer returns a composer that writes an email from its data.
func newComposer[T any](write func(T) mail.Message, data func(Writer, Facts, billing.DueNotice) T) composer {
	return func(e Writer, facts Facts, due billing.DueNotice) mail.Message {
		return write(data(e, facts, due))
	}
}

// composers contains the email of each kind of notice.
var composers = map[billing.NoticeKind]composer{
	billing.InvoiceIssued:     newComposer(emails.InvoiceIssued, Writer.invoice),
	billing.InvoiceOverdue:    newComposer(emails.InvoiceOverdue, Writer.invoice),
	billing.EndedUnpaid:       newComposer(emails.EndedUnpaid, Writer.invoice),
	billing.TrialStarted:      newComposer(emails.TrialStarted, Writer.trial),
	billing.TrialEndsSoon:     newComposer(emails.TrialEndsSoon, Writer.trial),
	billing.RenewalAhead:      newComposer(emails.RenewalAhead, Writer.renewal),
	billing.CardExpires:       newComposer(emails.CardExpires, Writer.card),
	billing.OrderReceived:     newComposer(emails.OrderReceived, Writer.order),
	billing.PlanStarted:       newComposer(emails.PlanStarted, Writer.order),
	billing.OrderEnded:        newComposer(emails.OrderEnded, Writer.order),
	billing.PaymentReceived:   newComposer(emails.PaymentReceived, Writer.payment),
	billing.PaymentProcessing: newComposer(emails.PaymentProcessing, Writer.payment),
	billing.PaymentFailed:     newComposer(emails.PaymentFailed, Writer.payment),
	billing.PaymentFailedLate: newComposer(emails.PaymentFailedLate, Writer.payment),
	billing.ApprovalNeeded:    newComposer(emails.ApprovalNeeded, Writer.payment),
	billing.PaymentRefunded:   newComposer(emails.PaymentRefunded, Writer.payment),
	billing.CreditIssued:      newComposer(emails.CreditIssued, Writer.payment),
	billing.PaymentReturned:   newComposer(emails.PaymentReturned, Writer.returnedPayments),
	billing.PlanChanged:       newComposer(emails.PlanChanged, Writer.change),
	billing.ChangeScheduled:   newComposer(emails.ChangeScheduled, Writer.change),
	billing.ChangeDropped:     newComposer(emails.ChangeDropped, Writer.change),
	billing.PlanEndRequested:  newComposer(emails.PlanEndRequested, Writer.end),
	billing.PlanResumed:       newComposer(emails.PlanResumed, Writer.end),
	billing.PlanEnded:         newComposer(emails.PlanEnded, Writer.end),
}

// frame returns what all emails contain. Their amounts are in the organisation's currency.
func (e Writer) frame(org account.Organisation) emails.Frame {
	tax, _ := e.catalogue.Tax(org.Billing.Currency)
	return emails.Frame{Organisation: org.Name, From: e.from, PublicURL: e.publicURL, Zone: org.TimeZone(), TaxName: tax.Name}
}

func (e Writer) plan(ref catalogue.PriceRef, price money.Amount) emails.Plan {
	return emails.Plan{Name: e.catalogue.PlanName(ref.Product), Interval: ref.Interval, Price: price}
}

// invoice returns the data of the emails about an invoice that is paid by a date.
func (e Writer) invoice(facts Facts, due billing.DueNotice) emails.Invoice {
	inv := due.Invoice
	return emails.Invoice{
		From: e.from, Organisation: facts.Org.Name, Plan: e.catalogue.PlanName(due.Subscription.Price.Product), Number: inv.Number,
		Description: inv.Description(), Amount: inv.Remaining(), DueOn: inv.TimeZone.Date(inv.DueAt),
		EndsOn: facts.Org.TimeZone().Date(due.Subscription.PlanEndsAt), InvoiceLink: e.publicURL + "/vc-admin/diy/invoices/" + url.PathEscape(inv.ID),
		PayLink:    e.publicURL + "/vc-admin/diy/pay",
		PartlyPaid: inv.AmountPaid.Minor() > 0, Settlement: settlementRows(inv), Instructions: instructions(due),
	}
}

// instructions returns how the customer pays the invoice of the notice outside of the browser, if it is the one that
// is to be paid.
func instructions(due billing.DueNotice) []emails.Instruction {
	var lines []emails.Instruction
	if due.Invoice.ID == "" || due.Subscription.Next.InvoiceID == due.Invoice.ID {
		for _, line := range due.Subscription.Next.Instructions {
			lines = append(lines, emails.Instruction(line))
		}
	}
	return lines
}

// settlementRows returns how what remains to be paid follows from the total, unless it is the total.
func settlementRows(inv billing.Invoice) []emails.Row {
	if inv.IsPlain() {
		return nil
	}
	rows := []emails.Row{{Label: "Total", Amount: inv.Total}}
	for _, row := range inv.Settlement() {
		rows = append(rows, emails.Row{Label: row.Label(), Amount: row.Amount, Strong: row.Kind == billing.RowDue})
	}
	return rows
}

func (e Writer) trial(facts Facts, due billing.DueNotice) emails.Trial {
	s := due.Subscription
	out := emails.Trial{
		Frame: e.frame(facts.Org), Plan: e.plan(s.Price, s.Amount), To: e.planAtRenewal(s), EndsAt: s.TrialEnd, First: e.nextCharge(facts, s),
		NeedsApproval: s.PendingSetup != nil && s.Next.Kind == billing.ConfirmSetup,
	}
	if invoice := s.DueInvoice(); invoice != nil {
		out.First = emails.Charge{Amount: invoice.Amount, At: invoice.At, ByInvoice: true}
	}
	return out
}

func (e Writer) renewal(facts Facts, due billing.DueNotice) emails.Renewal {
	s := due.Subscription
	return emails.Renewal{
		Frame: e.frame(facts.Org), Plan: e.plan(s.Price, s.Amount), To: e.planAtRenewal(s), At: s.NextChargeAt(), Next: e.nextCharge(facts, s),
	}
}

// planAtRenewal returns the plan after the current period or the trial.
func (e Writer) planAtRenewal(s billing.Subscription) emails.Plan {
	if change := s.RenewalChange(); change != nil {
		return e.plan(change.To, change.Amount)
	}
	return e.plan(s.Price, s.Amount)
}

func (e Writer) card(facts Facts, due billing.DueNotice) emails.Card {
	s := due.Subscription
	return emails.Card{
		Frame: e.frame(facts.Org), Plan: e.plan(s.Price, s.Amount), Card: *facts.Customer.Default, At: s.NextChargeAt(), Next: e.nextCharge(facts, s),
	}
}

// nextCharge returns the next charge of the subscription; the zero Charge if there is none or its amount is unknown.
func (e Writer) nextCharge(facts Facts, s billing.Subscription) emails.Charge {
	var credit money.Amount
	if facts.Customer != nil {
		credit = facts.Customer.Credit
	}
	next := s.NextCharge(credit, e.minimum(s.Price.Currency))
	if next == nil {
		return emails.Charge{}
	}
	c := emails.Charge{Amount: next.Amount, At: next.At, ByInvoice: e.byInvoice, BeforeCredit: facts.Customer == nil}
	c.Method = method(facts)
	return c
}

// method returns the payment method that is charged, "" when unknown.
func method(facts Facts) string {
	if facts.Customer == nil || facts.Customer.Default == nil {
		return ""
	}
	return emails.Method(*facts.Customer.Default)
}

func (e Writer) order(facts Facts, due billing.DueNotice) emails.Order {
	s := due.Subscription
	out := emails.Order{
		Frame: e.frame(facts.Org), Plan: e.plan(s.Price, s.Amount), Approved: due.Before.Status == billing.Incomplete && due.Before.Next.InvoiceID == "", Instructions: instructions(due),
	}
	out.Withdrawn = due.Cause == billing.CauseRequested
	if s.Status == billing.Trialing {
		out.TrialEnd = s.TrialEnd
	}
	return out
}

func (e Writer) payment(facts Facts, due billing.DueNotice) emails.Payment {
	s := due.Subscription
	out := emails.Payment{
		Frame: e.frame(facts.Org), Plan: e.plan(s.Price, s.Amount), Invoice: due.Invoice, Amount: due.Amount,
		Reason: s.Next.Reason, EndsAt: s.PlanEndsAt, Ended: s.HadEndedBy(due.Invoice.PaidAt), HowToPay: instructions(due), Next: e.nextCharge(facts, s),
		Received: due.Received, Recovered: due.Recovered, Approved: due.Approved,
	}
	if used := paymentMethod(facts, due); used != nil {
		out.Method, out.OtherKind = emails.Method(*used), used.Kind != billing.CardMethod
	}
	switch due.Kind {
	case billing.PaymentProcessing:
		out.ExpectedBy = s.Next.Until
	case billing.PaymentRefunded:
		out.Withdrawn = facts.withdrawn(due.Invoice)
	case billing.PaymentFailedLate:
		out.Effect = lateFailureEffect(s)
	}
	if out.Amount == (money.Amount{}) {
		out.Amount = due.Invoice.Remaining()
	}
	if facts.Customer != nil {
		out.Credit = facts.Customer.Credit
	}
	return out
}

// paymentMethod returns the method of the payment that the notice is about, nil when unknown.
func paymentMethod(facts Facts, due billing.DueNotice) *billing.PaymentMethod {
	switch {
	case due.Kind == billing.PaymentProcessing:
		return due.Subscription.Next.Method
	case due.Kind == billing.PaymentFailedLate:
		return due.Before.Next.Method
	case facts.Customer != nil:
		return facts.Customer.Default
	}
	return nil
}

func lateFailureEffect(s billing.Subscription) emails.LateFailureEffect {
	switch {
	case s.Status == billing.Incomplete:
		return emails.PlanNotStarted
	case s.Pending != nil:
		return emails.PlanNotChanged
	}
	return emails.FormerBillOpen
}

// returnedPayments returns the payments that are disputed at the moment, and the plan change that was dropped.
func (e Writer) returnedPayments(facts Facts, due billing.DueNotice) emails.Returned {
	out := emails.Returned{Frame: e.frame(facts.Org), Dropped: e.droppedChange(due)}
	for _, p := range facts.Returned {
		if p.Dispute == billing.DisputeOpen {
			out.Payments = append(out.Payments, emails.Disputed{Invoice: facts.invoiceNumberOf(p), Amount: p.Amount, Withdrawn: p.Withdrawn})
		}
	}
	if facts.Customer != nil {
		out.Credit = facts.Customer.Credit
	}
	return out
}

// droppedChange returns the plan change that will not be made; without a name if there is none.
func (e Writer) droppedChange(due billing.DueNotice) emails.DroppedChange {
	dropped, at := due.DroppedChange()
	if dropped.To == (catalogue.PriceRef{}) {
		return emails.DroppedChange{}
	}
	return emails.DroppedChange{To: e.plan(dropped.To, dropped.Amount), At: at}
}

func (e Writer) change(facts Facts, due billing.DueNotice) emails.Change {
	was, s := due.Before, due.Subscription
	out := emails.Change{Frame: e.frame(facts.Org), From: e.plan(was.Price, was.Amount), To: e.plan(s.Price, s.Amount), Next: e.nextCharge(facts, s)}
	switch due.Kind {
	case billing.ChangeScheduled:
		scheduled := s.RenewalChange()
		out.From, out.To, out.At = e.plan(s.Price, s.Amount), e.plan(scheduled.To, scheduled.Amount), scheduled.At
	case billing.ChangeDropped:
		dropped := e.droppedChange(due)
		out.From, out.To, out.At = e.plan(s.Price, s.Amount), dropped.To, dropped.At
	default:
		out.Replaced = e.droppedChange(due)
		inv := s.LatestInvoice
		if inv != nil && inv.Status == billing.InvoicePaid && (was.LatestInvoice == nil || was.LatestInvoice.ID != inv.ID || was.Pending != nil) {
			out.Invoice = *inv
		}
	}
	return out
}
