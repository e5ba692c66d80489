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
