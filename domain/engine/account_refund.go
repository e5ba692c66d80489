package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// RefundAttempt is an attempt to refund a payment. Servers claim and send it in the same way as an Attempt. Amount is the
// refunded amount. A RefundAttempt is comparable and can be stored as JSON.
type RefundAttempt struct {
	Attempt
	PaymentKey string `json:"payment"` // the key of the attempt that is refunded
	// ReportedAmount is the amount of the last report. It differs from Amount only through a fault of the provider.
	ReportedAmount int64 `json:"reported_amount,omitempty"`
}

// RefundReport is the state of a refund at the provider.
type RefundReport struct {
	Key    string // "" for a refund that was made at the provider by hand
	Ref    string
	Amount int64
	State  AttemptState // processing, paid or failed
}

// isEffective reports whether the refund reduces the paid amount, because it has not failed.
func (r RefundAttempt) isEffective() bool { return r.State != AttemptFailed }

// RequestRefund records a refund as RecordRefund does, and adds it to the Outbox. If the refund fails, the customer gets
// the withdrawn credit back.
func (a *Account) RequestRefund(key, invoiceID string, amount money.Amount) (effect ReturnedPayment, err error) {
	inv := a.Invoice(invoiceID)
	if err := a.checkRefund(inv, amount); err != nil {
		return ReturnedPayment{}, err
	}
	for _, payment := range a.invoiceAttempts(invoiceID) {
		if payment.State == AttemptPaid {
			a.putRefund(RefundAttempt{PaymentKey: payment.Key, Attempt: Attempt{
				Key: key, Invoice: invoiceID, Amount: amount.Minor(), Currency: inv.Currency,
				State: AttemptStored, Created: a.Now,
			}})
			return a.recordRefund(invoiceID, amount, payment.MethodDetails)
		}
	}
	return ReturnedPayment{}, fault.New(fault.Conflict, "There is no payment that can be refunded.")
}

// refundByKey returns the refund with the key, or NotFound.
func (a *Account) refundByKey(key string) (RefundAttempt, error) {
	if i := slices.IndexFunc(a.Refunds, func(r RefundAttempt) bool { return r.Key == key }); i >= 0 {
		return a.Refunds[i], nil
	}
	return RefundAttempt{}, fault.New(fault.NotFound, "There is no such refund.")
}

// putRefund replaces the refund, or inserts a new one at the front.
func (a *Account) putRefund(r RefundAttempt) {
	a.markChanged(r.Key)
	a.Refunds = upsert(a.Refunds, r, func(other RefundAttempt) bool { return other.Key == r.Key })
}

// canSendRefund reports whether a server that sends the refund before sendBy may do so; see canSend.
func (a *Account) canSendRefund(r RefundAttempt, now, sendBy time.Time) bool {
	return r.State == AttemptStored || r.State == AttemptClaimed && a.canSendAgain(r.Attempt, now, sendBy)
}

// ClaimRefund claims a refund of Outbox.Refund for a server that will send it before sendBy. It returns the refund and
// the refunded payment. It returns Conflict in the same cases as Claim.
func (a *Account) ClaimRefund(key string, now, sendBy time.Time) (RefundAttempt, Attempt, error) {
	r, err := a.refundByKey(key)
	if err != nil {
		return r, Attempt{}, err
	}
	payment, err := a.Attempt(r.PaymentKey)
	if err != nil {
		return r, payment, err
	}
	if !a.canSendRefund(r, now, sendBy) {
		return r, payment, fault.New(fault.Conflict, "The refund can't be sent now.")
	}
	if r.Attempt, err = r.Claim(now, sendBy); err != nil {
		return r, payment, err
	}
	r.CheckAt = a.Now.Add(sendBy.Sub(now))
	a.putRefund(r)
	return r, payment, nil
}

// ReportRefund changes the account after the provider has reported the state of a requested refund. It returns NotFound
// for an unknown key.
func (a *Account) ReportRefund(report RefundReport) error {
	r, err := a.refundByKey(report.Key)
	if err == nil {
		a.applyRefundReport(r, report)
	}
	return err
}

// applyRefundReports changes the account after the provider has reported all refunds of a payment.
func (a *Account) applyRefundReports(payment Attempt, reports []RefundReport) {
	for _, report := range reports {
		i := slices.IndexFunc(a.Refunds, func(r RefundAttempt) bool {
			return r.Key == report.Key || r.Ref != "" && r.Ref == report.Ref
		})
		if i >= 0 {
			a.applyRefundReport(a.Refunds[i], report)
		} else {
			a.recordManualRefund(payment, report)
		}
	}
	for _, r := range a.Refunds {
		isReported := slices.ContainsFunc(reports, func(report RefundReport) bool { return report.Key == r.Key })
		if r.PaymentKey == payment.Key && a.isCheckDue(r.Attempt) && !isReported {
			a.reportMissingRefund(r)
		}
	}
}

// reportMissingRefund records that the provider does not know the refund; see ReportMissing.
func (a *Account) reportMissingRefund(r RefundAttempt) {
	var hasFailed bool
	if r.Attempt, hasFailed = a.applyMissingReport(r.Attempt); hasFailed {
		a.applyRefundReport(r, RefundReport{Key: r.Key, State: AttemptFailed})
		return
	}
	a.putRefund(r)
}

// applyRefundReport changes the refund. It also changes the invoice if the refund has failed, or has succeeded after a
// reported failure.
func (a *Account) applyRefundReport(r RefundAttempt, report RefundReport) {
	wasEffective := r.isEffective()
	if r.Attempt = r.AdvanceTo(report.State); report.Ref != "" {
		r.Ref = report.Ref
	}
	r.ReportedAmount = report.Amount
	r.CheckAt = a.refundCheckAt(r)
	a.putRefund(r)
	switch {
	case wasEffective && !r.isEffective():
		a.applyRefundToInvoice(r, -1)
	case !wasEffective && r.isEffective():
		a.applyRefundToInvoice(r, 1)
	}
}

// refundCheckAt returns when to read the refund at the provider unless a report arrives before; zero for never.
func (a *Account) refundCheckAt(r RefundAttempt) time.Time {
	if r.State == AttemptProcessing {
		return a.Now.Add(checkInterval)
	}
	return time.Time{}
}

// applyRefundToInvoice adds a refund to the refunded amount of its invoice, or subtracts it if sign is -1. If the
// payment was charged back, the disputed amount changes in the opposite direction.
func (a *Account) applyRefundToInvoice(r RefundAttempt, sign int64) {
	inv := a.Invoice(r.Invoice)
	payment, err := a.Attempt(r.PaymentKey)
	amount := r.Amount - r.Surplus
	inv.Refunded += sign * amount
	if sign < 0 {
		inv.Returns = inv.Returns.Reduce(billing.ReturnRefund, amount)
	} else {
		inv.addCreditNote(Return{Kind: billing.ReturnRefund, Amount: amount, At: a.Now, Method: payment.MethodDetails})
	}
	a.adjustRefund(inv, sign*r.Amount)
	if err == nil && payment.ChargedBack {
		a.adjustDispute(payment, -sign*r.Amount)
	}
}

// recordManualRefund records a refund that was made at the provider by hand.
func (a *Account) recordManualRefund(payment Attempt, report RefundReport) {
	inv := a.Invoice(payment.Invoice)
	appliedAmount := max(0, min(report.Amount, inv.AmountPaid-inv.Refunded-inv.Dispute.Amount))
	r := RefundAttempt{PaymentKey: payment.Key, Attempt: Attempt{
		Key: report.Ref, Ref: report.Ref, Invoice: inv.ID, Amount: report.Amount, Surplus: report.Amount - appliedAmount,
		Currency: inv.Currency, State: report.State, Created: a.Now,
	}}
	r.CheckAt = a.refundCheckAt(r)
	a.putRefund(r)
	if r.isEffective() {
		a.applyRefundToInvoice(r, 1)
	}
}

// RecordRefund records that an amount of a paid invoice was refunded by bank transfer, and withdraws the amount from the
// customer's credit. It returns the effect of this refund. It returns Invalid for an amount that is not positive or in
// another currency, and Conflict if the invoice is not paid or the amount exceeds the part that can be refunded.
func (a *Account) RecordRefund(invoiceID string, amount money.Amount) (effect ReturnedPayment, err error) {
	return a.recordRefund(invoiceID, amount, billing.PaymentMethod{Kind: billing.OtherMethod, Label: billing.BankTransferLabel})
}

// recordRefund does what RecordRefund does, for a refund to the payment method.
func (a *Account) recordRefund(
	invoiceID string, amount money.Amount, method billing.PaymentMethod,
) (effect ReturnedPayment, err error) {
	inv := a.Invoice(invoiceID)
	if err := a.checkRefund(inv, amount); err != nil {
		return ReturnedPayment{}, err
	}
	inv.Refunded += amount.Minor()
	inv.addCreditNote(Return{Kind: billing.ReturnRefund, Amount: amount.Minor(), At: a.Now, Method: method})
	return a.adjustRefund(inv, amount.Minor()), nil
}

// checkRefund returns the reason why the amount of the invoice can't be refunded, or nil.
func (a *Account) checkRefund(inv Invoice, amount money.Amount) error {
	refundable := inv.AmountPaid - inv.Refunded - inv.Dispute.Amount
	switch {
	case amount.Minor() <= 0 || amount.Currency().Code != inv.Currency:
		return fault.Newf(fault.Invalid, "The refund must be a positive amount of %s.", inv.Currency)
	case inv.Status != billing.InvoicePaid:
		return fault.Newf(fault.Conflict, "Invoice %s is %s, and only a paid one can be refunded. "+
			"Payments of a void invoice are credit, which is returned separately.", a.Terms.InvoiceNumber(inv.Number), inv.Status)
	case amount.Minor() > refundable:
		return fault.Newf(fault.Conflict, "Only %s of invoice %s can be refunded: the rest was refunded before.",
			mustAmount(refundable, inv.Currency), a.Terms.InvoiceNumber(inv.Number))
	}
	return nil
}

// adjustRefund stores the invoice after a refund, withdraws the amount from the customer's credit and returns the effect.
// The amount is negative to undo a refund that was recorded by mistake or has failed.
func (a *Account) adjustRefund(inv Invoice, amount int64) ReturnedPayment {
	total := a.adjustReturnedPayment(inv, inv.Refund, amount)
	effect := ReturnedPayment{
		Amount: amount, At: total.At,
		Withdrawn: total.Withdrawn - inv.Refund.Withdrawn, Spent: total.Spent - inv.Refund.Spent,
	}
	inv.Refund = total
	a.putInvoice(inv)
	return effect
}

// adjustReturnedPayment adds the amount to r, the refunded or disputed part of the invoice's payment, and returns the
// result. It also changes the customer's credit.
func (a *Account) adjustReturnedPayment(inv Invoice, r ReturnedPayment, amount int64) ReturnedPayment {
	usedCredit := CreditUsedSince(inv.ID, a.invoiceCredits())
	r, creditChange := r.SetAmount(max(0, r.Amount+amount), a.unspentCredit(), usedCredit, a.Now)
	a.adjustCredit(creditChange)
	return r
}
