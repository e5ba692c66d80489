package billing

import (
	"slices"
	"strconv"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// MaxFreeMonths is the number of free months that an organisation gets in a period; see FreeMonthsSince.
const MaxFreeMonths = 3

const (
	maxTrialExtension       = 30 // days of one extension
	maxTrialExtensionsInAll = 60 // days of all extensions of a trial
	freeMonthsPeriod        = 12 // months in which an organisation gets at most MaxFreeMonths
)

// FreeMonthsSince returns the time from which free months count towards MaxFreeMonths.
func FreeMonthsSince(now time.Time) time.Time { return now.AddDate(0, -freeMonthsPeriod, 0) }

// MaxTrialDays returns the number of days, at least 1, by which an operator may extend the trial. extendedDays is the sum of
// the earlier extensions. It returns Conflict unless the subscription is trialing, has no pending or scheduled change and is
// not ending, and when the trial was extended by 60 days.
func MaxTrialDays(a *Account, extendedDays int) (int, error) {
	liveSub := a.LiveSubscription()
	switch {
	case liveSub == nil || liveSub.Status != Trialing:
		return 0, fault.New(fault.Conflict, "There is no running trial.")
	case liveSub.Pending != nil:
		return 0, fault.New(fault.Conflict, "A plan change waits for its payment.")
	case liveSub.Scheduled != nil:
		return 0, fault.New(fault.Conflict, "A plan change is scheduled for the end of the trial.")
	case !liveSub.EndsAt.IsZero():
		return 0, fault.New(fault.Conflict, "The plan ends with the trial.")
	case extendedDays >= maxTrialExtensionsInAll:
		return 0, fault.Newf(fault.Conflict, "The trial was extended by %d days already.", extendedDays)
	}
	return min(maxTrialExtension, maxTrialExtensionsInAll-extendedDays), nil
}

// DecideTrialExtension returns the action that extends the trial by the days, or the error of MaxTrialDays. It returns Invalid
// for too many days.
func DecideTrialExtension(a *Account, days, extendedDays int) ([]Action, error) {
	maxDays, err := MaxTrialDays(a, extendedDays)
	if err != nil {
		return nil, err
	}
	var fields fault.Fields
	fields.Check(days >= 1 && days <= maxDays, "days", "Enter 1 to "+strconv.Itoa(maxDays)+" days")
	if err := fields.Err(); err != nil {
		return nil, err
	}
	liveSub := a.LiveSubscription()
	action := a.subscriptionAction(ExtendTrialAction, liveSub.ID)
	action.Until = liveSub.TrialEnd.AddDate(0, 0, days)
	return []Action{action}, nil
}

// Refundable returns the amount of the invoice's payments that can still be refunded. It excludes what was refunded,
// taken back by a bank or turned into credit.
func (i Invoice) Refundable() money.Amount {
	var minor int64
	for _, m := range i.Movements() {
		switch m.Kind {
		case MovementPayment, MovementSurplus, MovementBankReturn, MovementDispute, MovementDisputeWon, MovementRefund, MovementCredited:
			minor -= m.Amount.Minor()
		case MovementCreditUsed, MovementCreditAdded, MovementCarriedOver, MovementCarriedForward, MovementCreditNote,
			MovementVoided, MovementDisputePending, MovementDisputeLost:
		}
	}
	return i.toAmount(max(minor, 0))
}

// CheckRefund returns Conflict if no part of the invoice's payments can be refunded: while a payment is processing or
// disputed, and if nothing was paid or everything went back.
func CheckRefund(a *Account, inv Invoice) error {
	processing := a.ProcessingPayment()
	switch {
	case processing != nil && processing.InvoiceID == inv.ID, inv.Payment != nil && inv.Payment.Status == Processing:
		return fault.New(fault.Conflict, "The payment is still processing.")
	case slices.ContainsFunc(inv.Returns, func(r Return) bool { return r.Dispute == DisputeOpen }):
		return fault.New(fault.Conflict, "The payment is disputed. The bank returns the money if the customer wins.")
	case inv.AmountPaid.Minor() == 0:
		return fault.New(fault.Conflict, "Nothing was paid.")
	case inv.Refundable().Minor() == 0:
		return fault.New(fault.Conflict, "The whole payment went back to the customer already.")
	}
	return nil
}

// DecideRefund returns the action that refunds the amount of an invoice's payments, or the error of CheckRefund. It returns
// Invalid for an amount that is not positive, in another currency or larger than Invoice.Refundable.
func DecideRefund(a *Account, inv Invoice, amount money.Amount) ([]Action, error) {
	if err := CheckRefund(a, inv); err != nil {
		return nil, err
	}
	refundable := inv.Refundable()
	isInRange := amount.Currency() == refundable.Currency() && amount.Minor() > 0 && amount.Minor() <= refundable.Minor()
	var fields fault.Fields
	fields.Check(isInRange, "amount", "Enter an amount up to "+refundable.FormatWithCode())
	if err := fields.Err(); err != nil {
		return nil, err
	}
	return []Action{{Kind: RefundAction, CustomerID: a.CustomerID, InvoiceID: inv.ID, Amount: amount}}, nil
}

// freeMonth returns the credit of DecideFreeMonth, or its error.
func freeMonth(a *Account, grantCount int) (money.Amount, error) {
	liveSub := a.LiveSubscription()
	switch {
	case liveSub == nil:
		return money.Amount{}, fault.New(fault.Conflict, "There is no live plan.")
	case a.Hold() != NoHold:
		return money.Amount{}, fault.New(fault.Conflict, "The organisation is on hold, so credit is not used.")
	case grantCount >= MaxFreeMonths:
		return money.Amount{}, fault.Newf(fault.Conflict, "%d free months were granted in the last %d months.", grantCount, freeMonthsPeriod)
	}
	price, months := liveSub.Amount, int64(liveSub.Price.Interval.Months())
	if price.Minor() <= 0 || months == 0 {
		return money.Amount{}, fault.New(fault.Conflict, "The price of the plan is unknown.")
	}
	return money.New((price.Minor()+months-1)/months, price.Currency().Code)
}

// DecideFreeMonth returns the action that adds the price of a month of the live subscription as credit: the price of a month, or a
// twelfth of the price of a year, rounded up. grantCount is the number of months that were granted since FreeMonthsSince. It
// returns Conflict without a live subscription, during a hold, for a subscription whose price is unknown, and for more than
// MaxFreeMonths.
func DecideFreeMonth(a *Account, grantCount int) ([]Action, error) {
	credit, err := freeMonth(a, grantCount)
	if err != nil {
		return nil, err
	}
	return []Action{{Kind: AddCreditAction, CustomerID: a.CustomerID, Amount: credit}}, nil
}

// DecideLiftHold returns the action that ends the hold. It returns Conflict if there is none.
func DecideLiftHold(a *Account) ([]Action, error) {
	if a.Hold() == NoHold {
		return nil, fault.New(fault.Conflict, "The organisation is not on hold.")
	}
	return []Action{{Kind: LiftHoldAction, CustomerID: a.CustomerID}}, nil
}

// GrantDevLicense gives the organisation a developer license in place of an earlier one. It returns Conflict while a plan is
// live, because the customer would pay for a plan that it can neither use nor end.
func (a *Account) GrantDevLicense(id string, price catalogue.PriceRef) error {
	if err := a.CheckGrantDevLicense(); err != nil {
		return err
	}
	a.DevLicense = &License{ID: id, IsDev: true, Status: Active, Price: price}
	return nil
}

// CheckGrantDevLicense returns the error of GrantDevLicense.
func (a *Account) CheckGrantDevLicense() error {
	if a.LiveSubscription() != nil {
		return fault.New(fault.Conflict, "A plan is live. End it first.")
	}
	return nil
}

// EndDevLicense removes the developer license. It returns Conflict if there is none.
func (a *Account) EndDevLicense() error {
	if err := a.CheckEndDevLicense(); err != nil {
		return err
	}
	a.DevLicense = nil
	return nil
}

// CheckEndDevLicense returns the error of EndDevLicense.
func (a *Account) CheckEndDevLicense() error {
	if a.DevLicense == nil {
		return fault.New(fault.Conflict, "There is no developer license.")
	}
	return nil
}
