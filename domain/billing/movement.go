package billing

import (
	"cmp"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/money"
)

// MovementKind is the kind of a Movement.
type MovementKind string

// The kinds of movements.
const (
	MovementCreditUsed     MovementKind = "credit_used"     // credit that was deducted from the total
	MovementCreditAdded    MovementKind = "credit_added"    // a negative total that became credit
	MovementCarriedOver    MovementKind = "carried_over"    // an amount of earlier invoices that was too small to be charged
	MovementCarriedForward MovementKind = "carried_forward" // too small to be charged, and due with the next invoice
	MovementCreditNote     MovementKind = "credit_note"     // deducted from the invoice, also because of a refund
	MovementVoided         MovementKind = "voided"          // not owed, because the invoice was cancelled
	MovementPayment        MovementKind = "payment"         // received, including a surplus
	MovementSurplus        MovementKind = "surplus"         // the part of a payment that became credit immediately
	MovementBankReturn     MovementKind = "bank_return"     // taken back by the customer's bank, and owed again
	MovementDispute        MovementKind = "dispute"         // taken back by the customer's bank because of a dispute
	MovementDisputePending MovementKind = "dispute_pending" // not due while the dispute is open
	MovementDisputeWon     MovementKind = "dispute_won"     // paid again, because the dispute was won
	MovementDisputeLost    MovementKind = "dispute_lost"    // not owed, because the dispute was lost
	MovementRefund         MovementKind = "refund"          // returned to the customer by the seller
	MovementCredited       MovementKind = "credited"        // became the customer's credit after the payment
)

// Movement is a change of the amount that is still to be paid for an invoice. Amount is negative if it reduces that
// amount, such as a payment.
type Movement struct {
	Kind   MovementKind
	Amount money.Amount
	At     time.Time      // zero when unknown
	Method *PaymentMethod // of a payment and its return; nil when unknown
	// CreditNote is the number of the document of a MovementCreditNote; "" if there is none, see Return.CreditNote.
	CreditNote string
}

var movementLabels = map[MovementKind]string{ //nolint:gosec // labels, not credentials
	MovementCreditUsed: "Credit used", MovementCreditAdded: "Added to your credit", MovementCarriedOver: "From earlier invoices",
	MovementCarriedForward: "Carried to the next invoice", MovementCreditNote: "Credit note", MovementVoided: "Cancelled",
	MovementPayment: "Paid", MovementSurplus: "Surplus, added to your credit", MovementBankReturn: "Returned by your bank",
	MovementDispute: "Disputed, taken back by your bank", MovementDisputePending: "Not due during the dispute",
	MovementDisputeWon: "Dispute rejected, payment counts", MovementDisputeLost: "Dispute accepted, not owed again",
	MovementRefund: "Refunded", MovementCredited: "Returned as credit",
}

// Label returns the text for the customer, the same as in the API.
func (m Movement) Label() string { return movementLabels[m.Kind] }

// Title returns the label with the payment method, "Refunded, Visa •••• 4242", or with the number of the credit note.
// For a payment, it returns only the method.
func (m Movement) Title() string {
	switch {
	case m.CreditNote != "":
		return m.Label() + " " + m.CreditNote
	case m.Method == nil:
		return m.Label()
	case m.Kind == MovementPayment:
		return m.Method.DisplayName()
	}
	return m.Label() + ", " + m.Method.DisplayName()
}

// ReturnKind states how money of a payment was returned to the customer.
type ReturnKind string

// The kinds of returns.
const (
	ReturnByBank    ReturnKind = "bank"    // the customer's bank has taken it back, and it is owed again; see Invoice.Returned
	ReturnRefund    ReturnKind = "refund"  // the seller has returned it; see Invoice.Refunded
	ReturnAsCredit  ReturnKind = "credit"  // it became the customer's credit; see Invoice.Credited
	ReturnByDispute ReturnKind = "dispute" // the customer's bank has taken it back because of a dispute
)

// Return describes money of an invoice's payments that went back to the customer.
type Return struct {
	Kind   ReturnKind
	Amount money.Amount
	At     time.Time      `json:",omitzero"` // when the money went back, or when the dispute was opened; zero when unknown
	Method *PaymentMethod `json:",omitzero"` // of the payment; nil when unknown
	// Dispute is the status of a ReturnByDispute, and DecidedAt the time at which it was won or lost; zero when unknown.
	Dispute   DisputeStatus `json:",omitzero"`
	DecidedAt time.Time     `json:",omitzero"`
	// CreditNote is the number of the credit note for a ReturnRefund or ReturnAsCredit. It is "" if the provider has no
	// document of it.
	CreditNote string `json:",omitzero"`
}

// Movements returns how the total of the invoice was settled: by credit and credit notes, and by money that was received
// or went back. The total and all movements add up to AmountRemaining. If the provider reports only the sum of payments
// or returns, they are one movement. The credit precedes the other movements, which are sorted by time; movements
// without a known time come last.
func (i Invoice) Movements() []Movement {
	b := movementBuilder{invoice: i}
	b.addCredit()
	creditCount := len(b.movements)
	b.addPayments()
	b.addReturns()
	slices.SortStableFunc(b.movements[creditCount:], timedMovement.compare)
	b.addVoided()
	movements := make([]Movement, len(b.movements))
	for n, m := range b.movements {
		movements[n] = m.Movement
	}
	return movements
}

// timedMovement is a movement with the time by which it is sorted.
type timedMovement struct {
	Movement
	sortTime time.Time
}

// compare sorts movements by time, and those without a known time last. A payment at the time of a bank's return is the
// one that follows it, because a bank returns a payment days after it was made.
func (m timedMovement) compare(other timedMovement) int {
	switch {
	case m.sortTime.IsZero() == other.sortTime.IsZero():
		return cmp.Or(m.sortTime.Compare(other.sortTime), m.rank()-other.rank())
	case m.sortTime.IsZero():
		return 1
	}
	return -1
}

// rank returns the position among movements of the same time.
func (m timedMovement) rank() int {
	if m.Kind == MovementBankReturn && !m.At.IsZero() {
		return 0
	}
	return 1
}

// movementBuilder collects the movements of an invoice. It omits movements of zero.
type movementBuilder struct {
	invoice   Invoice
	movements []timedMovement
}

func (b *movementBuilder) add(kind MovementKind, minor int64, at time.Time, method *PaymentMethod) {
	b.addSorted(kind, minor, at, at, method)
}

func (b *movementBuilder) addSorted(kind MovementKind, minor int64, at, sortTime time.Time, method *PaymentMethod) {
	if minor != 0 {
		b.movements = append(b.movements,
			timedMovement{Movement{Kind: kind, Amount: b.invoice.toAmount(minor), At: at, Method: method}, sortTime})
	}
}

// addCredit adds the movements between the total and the amount due.
func (b *movementBuilder) addCredit() {
	i := b.invoice
	if i.Status == InvoiceVoid || i.Total == (money.Amount{}) {
		return
	}
	total, credit, carriedForward := i.Total.Minor(), i.CreditUsed.Minor(), i.CarriedForward.Minor()
	b.add(creditMovementKind(total, credit), -credit, i.CreatedAt, nil)
	b.add(MovementCarriedForward, -carriedForward, i.CreatedAt, nil)
	b.add(MovementCreditNote, i.AmountDue.Minor()+credit+carriedForward-total, time.Time{}, nil)
}

// creditMovementKind returns the kind of the movement for the used credit.
func creditMovementKind(total, credit int64) MovementKind {
	switch {
	case credit > 0:
		return MovementCreditUsed
	case total > 0:
		return MovementCarriedOver
	}
	return MovementCreditAdded
}

// paidSum returns the sum of all payments that were used for the invoice, in minor units. It includes payments that the
// customer's bank took back, and those of a void invoice, which have become credit.
func (i Invoice) paidSum() int64 {
	switch i.Status {
	case InvoicePaid:
		return max(i.AmountDue.Minor(), i.AmountPaid.Minor()) + i.Returned.Minor()
	case InvoiceVoid:
		return i.AmountPaid.Minor() + i.Returned.Minor() + i.Credited.Minor()
	}
	return i.AmountPaid.Minor() + i.Returned.Minor()
}

// addPayments adds the known payments, and the rest of the paid amount if some payments are unknown.
func (b *movementBuilder) addPayments() {
	i := b.invoice
	unknown := i.paidSum()
	for _, p := range i.ReceivedPayments {
		unknown -= p.Amount.Minor()
	}
	if unknown < 0 { // the payments contradict the amounts, so only the amounts count
		b.addUnknownPayments(i.paidSum())
		return
	}
	for _, p := range i.ReceivedPayments {
		b.add(MovementPayment, -p.Amount.Minor()-p.Excess.Minor(), p.At, p.Method)
		b.add(MovementSurplus, p.Excess.Minor(), p.At, nil)
	}
	b.addUnknownPayments(unknown)
}

// addUnknownPayments adds the part of the paid sum whose payments are unknown, and the part of Returned whose return is
// unknown. Only the last payment has a known time.
func (b *movementBuilder) addUnknownPayments(minor int64) {
	i := b.invoice
	returned := min(minor, i.Returned.Minor())
	b.addSorted(MovementPayment, -returned, time.Time{}, i.CreatedAt, nil)
	b.addSorted(MovementBankReturn, i.unreported(ReturnByBank, i.Returned), time.Time{}, i.CreatedAt, nil)
	b.add(MovementPayment, returned-minor, i.PaidAt, nil)
}

// unreported returns the part of sum, in minor units, that the Returns of the kind do not contain.
func (i Invoice) unreported(kind ReturnKind, sum money.Amount) int64 {
	rest := sum.Minor()
	for _, r := range i.Returns {
		if r.Kind == kind {
			rest -= r.Amount.Minor()
		}
	}
	return rest
}

// addReturns adds what went back to the customer. Only a payment that the bank has taken back is owed again. Any other
// return is followed by a movement that reduces the amount to be paid by the same amount.
func (b *movementBuilder) addReturns() {
	i := b.invoice
	for _, r := range i.Returns {
		b.addReturn(r)
	}
	for _, r := range []Return{
		{Kind: ReturnRefund, Amount: i.toAmount(i.unreported(ReturnRefund, i.Refunded))},
		{Kind: ReturnAsCredit, Amount: i.toAmount(i.unreported(ReturnAsCredit, i.Credited))},
	} {
		b.addReturn(r)
	}
}

func (b *movementBuilder) addReturn(r Return) {
	minor := r.Amount.Minor()
	switch r.Kind {
	case ReturnByBank:
		b.add(MovementBankReturn, minor, r.At, r.Method)
	case ReturnRefund:
		b.add(MovementRefund, minor, r.At, r.Method)
		b.addCreditNote(r)
	case ReturnAsCredit:
		b.add(MovementCredited, minor, r.At, nil)
		if b.invoice.Status != InvoiceVoid { // the whole total of a void invoice is not owed
			b.addCreditNote(r)
		}
	case ReturnByDispute:
		b.add(MovementDispute, minor, r.At, r.Method)
		decidedAt, kind := r.DecidedAt, disputeMovementKinds[r.Dispute]
		b.addSorted(kind, -minor, decidedAt, cmp.Or(decidedAt, r.At), nil)
	}
}

// addCreditNote adds the movement that reduces the amount to be paid because of the return.
func (b *movementBuilder) addCreditNote(r Return) {
	if minor := r.Amount.Minor(); minor != 0 {
		m := Movement{Kind: MovementCreditNote, Amount: b.invoice.toAmount(-minor), At: r.At, CreditNote: r.CreditNote}
		b.movements = append(b.movements, timedMovement{m, r.At})
	}
}

// FindCreditNote returns the return for which the credit note with the number was issued.
func (i Invoice) FindCreditNote(number string) (r Return, found bool) {
	n := slices.IndexFunc(i.Returns, func(r Return) bool { return number != "" && r.CreditNote == number })
	if n < 0 {
		return Return{}, false
	}
	return i.Returns[n], true
}

// disputeMovementKinds contains the movement that follows a dispute, by the status of the dispute.
var disputeMovementKinds = map[DisputeStatus]MovementKind{
	DisputeOpen: MovementDisputePending, DisputeWon: MovementDisputeWon, DisputeLost: MovementDisputeLost,
}

// addVoided adds the part of a void invoice that is not owed any more.
func (b *movementBuilder) addVoided() {
	if b.invoice.Status != InvoiceVoid {
		return
	}
	rest := cmp.Or(b.invoice.Total, b.invoice.AmountDue).Minor()
	for _, m := range b.movements {
		rest += m.Amount.Minor()
	}
	b.add(MovementVoided, -rest, time.Time{}, nil)
}

// IsTotalSufficient reports whether the total alone describes the invoice, because the whole total was paid, is due,
// became credit or was cancelled.
func (i Invoice) IsTotalSufficient() bool {
	movements := i.Movements()
	if len(movements) != 1 {
		return len(movements) == 0
	}
	switch movements[0].Kind {
	case MovementPayment, MovementCreditAdded, MovementVoided:
		return movements[0].Amount.Minor() == -i.Total.Minor()
	}
	return false
}

// WasPaid reports whether a payment or credit has paid the invoice. It returns false for an invoice without an amount to
// pay, and if the amount was too small to be charged.
func (i Invoice) WasPaid() bool {
	return i.Status == InvoicePaid && i.Total.Minor() > 0 && (i.AmountDue.Minor() > 0 || i.CreditUsed.Minor() > 0)
}

// AmountRemaining returns the amount that is still to be paid; zero when the invoice is paid or void.
func (i Invoice) AmountRemaining() money.Amount {
	if i.Status == InvoicePaid || i.Status == InvoiceVoid {
		return i.toAmount(0)
	}
	return i.toAmount(i.AmountDue.Minor() - i.AmountPaid.Minor())
}

// toAmount returns minor units in the currency of the invoice.
func (i Invoice) toAmount(minor int64) money.Amount {
	amount, err := money.New(minor, cmp.Or(i.AmountDue.Currency().Code, i.Total.Currency().Code))
	if err != nil {
		return money.Amount{} // the invoice has no amounts
	}
	return amount
}
