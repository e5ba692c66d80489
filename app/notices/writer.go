package notices

import (
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
)

// Writer writes the emails about an organisation's billing.
type Writer struct {
	catalogue *catalogue.Catalogue
	publicURL string
	sender    emails.Sender
	// links creates the links in optional emails.
	links                    preferenceLinks
	optionalRenewalReminders bool // see Ports.OptionalRenewalReminders
	capabilities             payment.Capabilities
}

// SendsCardReminders reports whether customers are reminded of a card that expires, because they pay by card.
func (w Writer) SendsCardReminders() bool { return !w.capabilities.CollectsByInvoice() }

// Facts contains the data about the organisation that the emails about a notice need.
type Facts struct {
	Org account.Organisation
	Now time.Time // when the emails are written
	// Customer has the credit and the payment method. It is nil if no email needs them, or if they are unknown.
	Customer         *billing.Customer
	ReturnedPayments []billing.ReturnedPayment // read only if NeedsReturnedPayments
	Invoices         []billing.Invoice         // all known invoices of the organisation
}

// credit returns the customer's credit; the zero Amount when it is unknown.
func (f Facts) credit() money.Amount {
	if f.Customer == nil {
		return money.Amount{}
	}
	return f.Customer.Credit
}

// hasDueDatePassed reports whether the due date of the invoice has passed.
func (f Facts) hasDueDatePassed(inv billing.Invoice) bool {
	return !inv.DueAt.IsZero() && !f.Now.Before(inv.DueAt)
}

// creditAfter returns the customer's credit after the payment of the invoice: the credit now, plus what later invoices have
// used of it. A refresh can report several renewals at once. Credit that an operator has given, or a refund has withdrawn, in
// between is included, because its time is unknown.
func (f Facts) creditAfter(inv billing.Invoice) money.Amount {
	credit := f.credit()
	if credit == (money.Amount{}) || inv.PaidAt.IsZero() {
		return credit
	}
	sum := credit.Minor()
	for _, other := range f.Invoices {
		if other.ID != inv.ID && other.CreatedAt.After(inv.PaidAt) {
			sum += other.CreditUsed.Minor()
		}
	}
	creditAfter, err := money.New(sum, credit.Currency().Code)
	if err != nil {
		return credit
	}
	return creditAfter
}

// invoiceNumber returns the number of the invoice with the id, or "" if the invoice is not known.
// Subscription.LatestInvoice does not contain the number.
func (f Facts) invoiceNumber(id string) string {
	for _, inv := range f.Invoices {
		if inv.ID == id {
			return inv.Number
		}
	}
	return ""
}

// returnedInvoiceNumber returns the number of the invoice that was paid with the returned payment, or "" if the invoice
// is not known.
func (f Facts) returnedInvoiceNumber(p billing.ReturnedPayment) string {
	for _, inv := range f.Invoices {
		if inv.Number == p.Payment {
			return inv.Number
		}
	}
	return ""
}

// withdrawnCredit returns the amount that the refunds of the invoice's payments, or their disputes, have withdrawn from
// the customer's credit.
func (f Facts) withdrawnCredit(inv billing.Invoice, byDisputes bool) money.Amount {
	var sum int64
	for _, p := range f.ReturnedPayments {
		if p.Dispute != billing.NoDispute == byDisputes && p.Payment == inv.Number {
			sum += p.Withdrawn.Minor()
		}
	}
	total, _ := money.New(sum, inv.Total.Currency().Code) // fails only for an unknown currency
	return total
}

// latestDispute returns the disputed payment that was returned last, or the zero ReturnedPayment.
func (f Facts) latestDispute() billing.ReturnedPayment {
	for _, p := range f.ReturnedPayments { // newest first
		if p.Dispute == billing.DisputeOpen || p.Dispute == billing.DisputeLost {
			return p
		}
	}
	return billing.ReturnedPayment{}
}

// NeedsCustomer reports whether the email about the notice contains the customer's credit or payment method.
func NeedsCustomer(kind billing.NoticeKind) bool {
	switch kind {
	case billing.TrialStarted, billing.TrialEndsSoon, billing.PlanRenewsSoon, billing.PaymentReceived, billing.PaidByCredit, billing.PaymentFailed,
		billing.PaymentRefunded, billing.RefundFailed, billing.PaymentReturned, billing.DisputeDecided, billing.HoldLifted, billing.PlanChanged,
		billing.ChangeScheduled, billing.ChangeDropped, billing.PlanResumed:
		return true
	}
	return false
}

// NeedsReturnedPayments reports whether the email about the notice contains the customer's returned payments.
func NeedsReturnedPayments(kind billing.NoticeKind) bool {
	return kind == billing.PaymentRefunded || kind == billing.PaymentReturned || kind == billing.HoldLifted
}

// IsNeeded reports whether the email about a notice that is due is needed, because of the customer's credit; see
// billing.DueNotice.IsNeeded.
func (w Writer) IsNeeded(facts Facts, notice billing.DueNotice) bool {
	return notice.IsNeeded(facts.credit(), w.capabilities.MinimumCharge(notice.Subscription.Price.Currency))
}

// CardNotice returns the notice that the card of the next charge expires before the charge; see billing.Account.CardNotice.
func (w Writer) CardNotice(a billing.Account, customer billing.Customer, now time.Time) *billing.DueNotice {
	liveSub := a.LiveSubscription()
	if liveSub == nil {
		return nil
	}
	return a.CardNotice(customer, w.capabilities.MinimumCharge(liveSub.Price.Currency), now)
}

// ComposeEmails returns the email about the notice to the user who registered the organisation, and a separate copy to
// the organisation's billing email.
func (w Writer) ComposeEmails(facts Facts, notice billing.DueNotice) []mail.Message {
	var messages []mail.Message
	for _, address := range facts.Org.BillingRecipients() {
		if notice.Kind.IsOptional(w.optionalRenewalReminders) {
			w.sender.PreferencesLink = w.links.link(recipient{facts.Org, address}, notice.Kind)
		}
		m := emailFuncs[notice.Kind](w, facts, notice)
		m.To = address
		messages = append(messages, m)
	}
	return messages
}

// emailFunc returns the email about a notice, without its recipient.
type emailFunc func(w Writer, facts Facts, notice billing.DueNotice) mail.Message

// newEmailFunc returns a function that passes the result of data to write.
func newEmailFunc[T any](write func(T) mail.Message, data func(Writer, Facts, billing.DueNotice) T) emailFunc {
	return func(w Writer, facts Facts, notice billing.DueNotice) mail.Message {
		return write(data(w, facts, notice))
	}
}

// emailFuncs contains the function that returns the email about each kind of notice.
var emailFuncs = map[billing.NoticeKind]emailFunc{
	billing.InvoiceIssued:     newEmailFunc(emails.InvoiceIssued, Writer.invoice),
	billing.InvoiceOverdue:    newEmailFunc(emails.InvoiceOverdue, Writer.invoice),
	billing.PlanEndedUnpaid:   newEmailFunc(emails.PlanEndedUnpaid, Writer.invoice),
	billing.TrialStarted:      newEmailFunc(emails.TrialStarted, Writer.trial),
	billing.TrialEndsSoon:     newEmailFunc(emails.TrialEndsSoon, Writer.trial),
	billing.PlanRenewsSoon:    newEmailFunc(emails.PlanRenewsSoon, Writer.renewal),
	billing.CardExpires:       newEmailFunc(emails.CardExpires, Writer.expiringCard),
	billing.OrderReceived:     newEmailFunc(emails.OrderReceived, Writer.order),
	billing.PlanStarted:       newEmailFunc(emails.PlanStarted, Writer.order),
	billing.OrderEnded:        newEmailFunc(emails.OrderEnded, Writer.order),
	billing.PaymentReceived:   newEmailFunc(emails.PaymentReceived, Writer.payment),
	billing.PaidByCredit:      newEmailFunc(emails.PaidByCredit, Writer.payment),
	billing.PaymentProcessing: newEmailFunc(emails.PaymentProcessing, Writer.payment),
	billing.PaymentFailed:     newEmailFunc(emails.PaymentFailed, Writer.payment),
	billing.PaymentFailedLate: newEmailFunc(emails.PaymentFailedLate, Writer.payment),
	billing.ApprovalNeeded:    newEmailFunc(emails.ApprovalNeeded, Writer.payment),
	billing.PaymentRefunded:   newEmailFunc(emails.PaymentRefunded, Writer.payment),
	billing.RefundFailed:      newEmailFunc(emails.RefundFailed, Writer.payment),
	billing.CreditIssued:      newEmailFunc(emails.CreditIssued, Writer.payment),
	billing.PaymentReturned:   newEmailFunc(emails.PaymentReturned, Writer.dispute),
	billing.DisputeDecided:    newEmailFunc(emails.DisputeDecided, Writer.dispute),
	billing.HoldLifted:        newEmailFunc(emails.HoldLifted, Writer.liftedHold),
	billing.PlanChanged:       newEmailFunc(emails.PlanChanged, Writer.change),
	billing.ChangeScheduled:   newEmailFunc(emails.ChangeScheduled, Writer.change),
	billing.ChangeDropped:     newEmailFunc(emails.ChangeDropped, Writer.change),
	billing.PlanEndRequested:  newEmailFunc(emails.PlanEndRequested, Writer.end),
	billing.PlanResumed:       newEmailFunc(emails.PlanResumed, Writer.end),
	billing.PlanEnded:         newEmailFunc(emails.PlanEnded, Writer.end),
}

// frame returns the data that all emails share. Their amounts are in the organisation's currency.
func (w Writer) frame(org account.Organisation) emails.Frame {
	tax, _ := w.catalogue.Tax(org.Billing.Currency)
	return emails.Frame{
		OrganisationName: org.Name, Sender: w.sender, PublicURL: w.publicURL, Zone: org.TimeZone(), TaxName: tax.Name,
	}
}

func (w Writer) plan(ref catalogue.PriceRef, price money.Amount) emails.Plan {
	return emails.Plan{Name: w.catalogue.PlanName(ref.Product), Interval: ref.Interval, Price: price}
}
