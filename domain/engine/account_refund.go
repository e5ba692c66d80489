package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// AccountRefund is a refund of a payment. It is claimed and sent as an Attempt is; Amount is that of the refund. It is
// comparable and can be stored as JSON.
type AccountRefund struct {
	Attempt
	Payment string `json:"payment"` // key of the attempt that has paid
}

// ReportedRefund is the state of a refund at the provider.
type ReportedRefund struct {
	Key    string // "" if it was made at the provider by hand
	Ref    string
	Amount int64
	State  AttemptState // processing, paid or failed
}

// applies reports whether the refund reduces what was paid: it has not failed.
func (r AccountRefund) applies() bool { return r.State != AttemptFailed }

// RequestRefund returns a part of what was paid for an invoice, see Refund. Due lists it until it is reported. If it fails,
// the customer gets the withdrawn credit back.
func (a *Account) RequestRefund(key, invoiceID string, amount money.Amount) (settled Returned, err error) {
	inv := a.Invoice(invoiceID)
	if err := a.checkRefund(inv, amount); err != nil {
		return Returned{}, err
	}
	for _, paid := range a.attemptsOf(invoiceID) {
		if paid.State == AttemptPaid {
			a.putRefund(AccountRefund{Payment: paid.Key, Attempt: Attempt{
				Key: key, Invoice: invoiceID, Amount: amount.Minor(), Currency: inv.Currency, State: AttemptStored, Created: a.Now,
			}})
			return a.Refund(invoiceID, amount)
		}
	}
	return Returned{}, fault.New(fault.Conflict, "There is no payment that can be refunded.")
}

// refund returns the refund with the key, or NotFound.
func (a *Account) refund(key string) (AccountRefund, error) {
	if i := slices.IndexFunc(a.Refunds, func(r AccountRefund) bool { return r.Key == key }); i >= 0 {
		return a.Refunds[i], nil
	}
	return AccountRefund{}, fault.New(fault.NotFound, "There is no such refund.")
}

func (a *Account) putRefund(r AccountRefund) {
	a.mark(r.Key)
	a.Refunds = slices.Clone(a.Refunds)
	if i := slices.IndexFunc(a.Refunds, func(known AccountRefund) bool { return known.Key == r.Key }); i >= 0 {
		a.Refunds[i] = r
	} else {
		a.Refunds = slices.Insert(a.Refunds, 0, r)
	}
}

func (a *Account) canSendRefund(r AccountRefund, now, sendBy time.Time) bool {
	return r.State == AttemptStored || r.State == AttemptClaimed && !now.Before(r.SendBy) && a.remembersKey(r.Attempt, sendBy)
}

// ClaimRefund claims a refund of Outbox.Refund for a server that sends it until a time, and returns it with the payment.
// Conflict as for Claim.
func (a *Account) ClaimRefund(key string, now, sendBy time.Time) (AccountRefund, Attempt, error) {
	r, err := a.refund(key)
	if err != nil {
		return r, Attempt{}, err
	}
	payment, err := a.Attempt(r.Payment)
	if err == nil && !a.canSendRefund(r, now, sendBy) {
		err = fault.New(fault.Conflict, "The refund can't be sent now.")
	}
	if err == nil {
		r.Attempt, err = r.Claim(now, sendBy)
	}
	if err != nil {
		return r, payment, err
	}
	r.CheckAt = sendBy
	a.putRefund(r)
	return r, payment, nil
}

// ReportRefund changes the account after the provider has reported the state of a requested refund. NotFound for an unknown
// key.
func (a *Account) ReportRefund(reported ReportedRefund) error {
	r, err := a.refund(reported.Key)
	if err == nil {
		a.reportRefund(r, reported)
	}
	return err
}

// reportRefunds changes the account after the provider has reported all refunds of a payment.
func (a *Account) reportRefunds(payment Attempt, all []ReportedRefund) {
	for _, reported := range all {
		i := slices.IndexFunc(a.Refunds, func(r AccountRefund) bool {
			return r.Key == reported.Key || r.Ref != "" && r.Ref == reported.Ref
		})
		if i >= 0 {
			a.reportRefund(a.Refunds[i], reported)
		} else {
			a.addRefund(payment, reported)
		}
	}
	for _, r := range a.Refunds {
		isReported := slices.ContainsFunc(all, func(reported ReportedRefund) bool { return reported.Key == r.Key })
		if r.Payment == payment.Key && a.checkDue(r.Attempt) && !isReported {
			a.reportMissingRefund(r)
		}
	}
}

// reportMissingRefund is ReportMissing for a refund.
func (a *Account) reportMissingRefund(r AccountRefund) {
	var failed bool
	if r.Attempt, failed = a.missing(r.Attempt); failed {
		a.reportRefund(r, ReportedRefund{Key: r.Key, State: AttemptFailed})
		return
	}
	a.putRefund(r)
}

func (a *Account) reportRefund(r AccountRefund, reported ReportedRefund) {
	before := r
	if r.Attempt = r.Report(reported.State); reported.Ref != "" {
		r.Ref = reported.Ref
	}
	r.CheckAt = time.Time{}
	if r.State == AttemptProcessing {
		r.CheckAt = a.Now.Add(checkInterval)
	}
	a.putRefund(r)
	switch {
	case before.applies() && !r.applies():
		a.countRefund(r, -1)
	case !before.applies() && r.applies():
		a.countRefund(r, 1)
	}
}

// countRefund adds a refund to what was returned of its invoice, or subtracts it with the sign -1. What a bank has returned
// of the whole payment changes by the opposite.
func (a *Account) countRefund(r AccountRefund, sign int64) {
	inv := a.Invoice(r.Invoice)
	inv.Refunded += sign * (r.Amount - r.Surplus)
	a.settleReturned(inv, sign*r.Amount)
	if payment, err := a.Attempt(r.Payment); err == nil && payment.Lost {
		a.dispute(inv.ID, -sign*r.Amount)
	}
}

// addRefund accounts for a refund that was made at the provider by hand.
func (a *Account) addRefund(payment Attempt, reported ReportedRefund) {
	inv := a.Invoice(payment.Invoice)
	applied := max(0, min(reported.Amount, inv.Paid-inv.Refunded-inv.Dispute.Amount))
	r := AccountRefund{Payment: payment.Key, Attempt: Attempt{
		Key: reported.Ref, Ref: reported.Ref, Invoice: inv.ID, Amount: reported.Amount, Surplus: reported.Amount - applied,
		Currency: inv.Currency, State: reported.State, Created: a.Now,
	}}
	if r.State == AttemptProcessing {
		r.CheckAt = a.Now.Add(checkInterval)
	}
	a.putRefund(r)
	if r.applies() {
		a.countRefund(r, 1)
	}
}
