package emails

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// PaymentReceived returns the receipt for a charge, a transfer, or a part of it. The caller sets To.
func PaymentReceived(in Payment) mail.Message {
	n := in.newNotice("We received your payment", "Show the invoice", invoicePath(in.Invoice.ID))
	arrived, excess := in.arrived()
	n.subject = "Payment received: " + Price(arrived)
	remaining := in.Invoice.Remaining()
	if remaining.Minor() > 0 {
		n.subject += ", " + Price(remaining) + " still to be paid"
	}
	n.Kicker = "Receipt for " + nameOf(in.Invoice)
	n.Figure, n.Currency, n.FigureNote = arrived.FormatWithSymbol(), arrived.Currency().Code, in.payments()
	n.say(in.outcome())
	n.say(in.distribution(excess))
	if remaining.Minor() > 0 {
		n.say(Price(remaining) + " of " + nameOf(in.Invoice) + " " + in.stillDue())
		n.Instructions = oneLineInstructions(in.HowToPay)
	}
	if in.Credit.Minor() > 0 {
		n.say("You have a credit of " + Price(in.Credit) + ". It is deducted from your next invoices.")
	}
	n.addSettlement(in.Invoice)
	n.announce("Next charge", in.Next)
	return n.message()
}

// outcome returns what the payment means for the plan.
func (in Payment) outcome() string {
	switch {
	case in.Amount.Minor() == 0 || in.Invoice.Remaining().Minor() > 0:
		return ""
	case in.Ended:
		return "The bill of your former plan is paid."
	case in.Recovered:
		return "The payment that had failed has gone through. Your " + in.Plan.Name + " plan continues."
	}
	return ""
}

// distribution returns what the invoice took of a payment and what became credit.
func (in Payment) distribution(excess money.Amount) string {
	switch {
	case excess.Minor() == 0:
		return ""
	case in.Amount.Minor() == 0:
		return "The " + Price(excess) + " became your credit, because " + nameOf(in.Invoice) + " was paid already."
	}
	return Price(in.Amount) + " paid " + nameOf(in.Invoice) + ". The other " + Price(excess) + " became your credit."
}

// arrived returns what was received, and the part of it that the invoice did not need.
func (in Payment) arrived() (all, excess money.Amount) {
	all, excess = in.Amount, money.Amount{}
	for _, p := range in.Received {
		if p.Excess.Minor() > 0 {
			all, excess = add(all, p.Excess), add(excess, p.Excess)
		}
	}
	return all, excess
}

// add returns the sum of amounts in one currency.
func add(a, b money.Amount) money.Amount {
	sum, err := money.New(a.Minor()+b.Minor(), b.Currency().Code)
	if err != nil {
		return a // impossible: b has a currency
	}
	return sum
}

// payments returns when and how the payments were made: "on 26 May 2027, from Visa •••• 4242". If they are not known, it
// returns when the invoice was paid.
func (in Payment) payments() string {
	var notes []string
	for _, p := range in.Received {
		notes = append(notes, "on "+in.Invoice.TimeZone.Date(p.At)+source(p.Method))
	}
	if len(notes) == 0 && !in.Invoice.PaidAt.IsZero() {
		notes = append(notes, "on "+in.Invoice.TimeZone.Date(in.Invoice.PaidAt))
	}
	return strings.Join(notes, "; ")
}

// source returns where a payment came from: ", from Visa •••• 4242" or ", by bank transfer".
func source(m *billing.PaymentMethod) string {
	switch {
	case m == nil:
		return ""
	case m.Kind == billing.OtherMethod:
		return ", by " + lowerFirst(Method(*m))
	}
	return ", from " + Method(*m)
}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}
