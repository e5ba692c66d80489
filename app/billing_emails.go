package app

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/mail"
)

// billingEmails writes the emails about an organisation's billing.
type billingEmails struct {
	catalogue *catalogue.Catalogue
	publicURL string
	from      emails.Sender
	// preferences are the links in optional emails.
	preferences      preferenceLinks
	renewalReminders bool // recipients may turn these off
}

// noticeEmails returns the email to the user who registered the organisation and a separate copy to its billing
// email.
func (e billingEmails) noticeEmails(org account.Organisation, due billing.DueNotice) []mail.Message {
	var all []mail.Message
	for _, address := range org.BillingRecipients() {
		if due.Kind.IsOptional(e.renewalReminders) {
			e.from.PreferencesLink = e.preferences.link(recipient{org, address}, due.Kind)
		}
		m := e.compose(org, due)
		m.To = address
		all = append(all, m)
	}
	return all
}

func (e billingEmails) compose(org account.Organisation, due billing.DueNotice) mail.Message {
	in := emails.Invoice{
		From: e.from, Plan: e.catalogue.PlanName(due.Subscription.Price.Product), Number: due.Invoice.Number,
		Description: due.Invoice.Description(), Amount: due.Invoice.Remaining(), DueOn: due.Invoice.TimeZone.Date(due.Invoice.DueAt),
		EndsOn: org.TimeZone().Date(due.Subscription.PlanEndsAt), InvoicesLink: e.publicURL + "/vc-admin/diy/invoices",
		PayLink: e.publicURL + "/vc-admin/diy/pay",
	}
	in.PartlyPaid, in.Settlement = due.Invoice.AmountPaid.Minor() > 0, settlementRows(due.Invoice)
	if due.Subscription.Next.InvoiceID == due.Invoice.ID {
		for _, line := range due.Subscription.Next.Instructions {
			in.Instructions = append(in.Instructions, emails.Instruction(line))
		}
	}
	switch due.Kind {
	case billing.InvoiceOverdue:
		return emails.InvoiceOverdue(in)
	case billing.EndedUnpaid:
		return emails.EndedUnpaid(in)
	default:
		return emails.InvoiceIssued(in)
	}
}

// settlementRows returns how what remains to be paid follows from the total, unless it is the total.
func settlementRows(inv billing.Invoice) []emails.Row {
	if inv.IsPlain() {
		return nil
	}
	rows := []emails.Row{{Label: "Total", Value: emails.Price(inv.Total)}}
	for _, row := range inv.Settlement() {
		rows = append(rows, emails.Row{Label: row.Label(), Value: emails.Price(row.Amount), Strong: row.Kind == billing.RowDue})
	}
	return rows
}
