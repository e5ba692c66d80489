package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

var (
	day0 = time.Date(2026, time.January, 31, 10, 0, 0, 0, time.UTC)

	standardAUD     = price("standard", catalogue.Monthly, "AUD")
	professionalAUD = price("professional", catalogue.Yearly, "AUD")
	professionalUSD = price("professional", catalogue.Yearly, "USD")

	statuses = []billing.Status{
		billing.Incomplete, billing.IncompleteExpired, billing.Trialing, billing.Active,
		billing.PastDue, billing.Unpaid, billing.Canceled,
	}
)

func price(product string, interval catalogue.Interval, currency string) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: currency}
}

func aud(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

// newAccount returns the account of a customer with the subscriptions, newest first.
func newAccount(subs ...billing.Subscription) *billing.Account {
	a := &billing.Account{CustomerID: "cus_1"}
	a.RecordSubscriptions(subs...)
	return a
}

// newDeveloperAccount returns an account with a developer license and an active subscription.
func newDeveloperAccount() *billing.Account {
	a := newAccount(newSub("a", billing.Active, 0))
	a.DevLicense = &billing.License{IsDev: true}
	return a
}

// newSub returns a subscription to professional_yearly in AUD, created the number of days after
// day0.
func newSub(id string, status billing.Status, day int) billing.Subscription {
	return billing.Subscription{
		ID: id, CustomerID: "cus_1", Status: status, Price: professionalAUD, Amount: aud(81600), Renewal: aud(81600),
		CreatedAt: day0.AddDate(0, 0, day), CurrentPeriodEnd: day0.AddDate(1, 0, day),
	}
}

// newTrialSub returns a subscription with a trial of seven days.
func newTrialSub(id string, status billing.Status, day int) billing.Subscription {
	s := newSub(id, status, day)
	s.TrialEnd = s.CreatedAt.AddDate(0, 0, 7)
	return s
}

// declinedAttempt is the failed attempt of newDeclinedSub.
var declinedAttempt = billing.FailedAttempt{MethodID: "pm_1", At: day0.Add(time.Minute)}

// newDeclinedSub returns a subscription with a declined latest invoice.
func newDeclinedSub(status billing.Status) billing.Subscription {
	s := newSub("a", status, 0)
	s.LatestInvoice = &billing.Invoice{
		ID: "in_1", Status: billing.InvoiceOpen, AmountDue: aud(81600), CreatedAt: day0, NextAttemptAt: day0.AddDate(0, 0, 3),
		Payment: &billing.Intent{
			ID: "pi_1", Status: billing.RequiresPaymentMethod, ClientSecret: "secret", LastFailure: declinedAttempt,
		},
	}
	s.Next = billing.DeriveNextAction(s, "Your card was declined.")
	return s
}

// newUnapprovedSub returns a past due subscription with a payment that the customer has to approve.
func newUnapprovedSub() billing.Subscription {
	s := newDeclinedSub(billing.PastDue)
	s.LatestInvoice.Payment.Status = billing.RequiresAction
	s.Next = billing.DeriveNextAction(s, "")
	return s
}

// bankAccount is a payment method whose payments take days.
var bankAccount = billing.PaymentMethod{
	ID: "pm_1", Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819", Fingerprint: "fp_1",
}

// makePaymentProcessing returns the subscription while the payment of its latest invoice is processing.
func makePaymentProcessing(s billing.Subscription) billing.Subscription {
	inv := *s.LatestInvoice
	inv.NextAttemptAt = time.Time{}
	inv.Payment = &billing.Intent{
		ID: "pi_1", Status: billing.Processing, ChargedMethod: &bankAccount, ExpectedBy: day0.AddDate(0, 0, 3),
	}
	s.LatestInvoice = &inv
	s.Next = billing.DeriveNextAction(s, "")
	return s
}

// newSubWithPendingChange returns a subscription with a declined change to the standard plan.
func newSubWithPendingChange(status billing.Status) billing.Subscription {
	s := newDeclinedSub(status)
	s.LatestInvoice.NextAttemptAt, s.LatestInvoice.AmountDue = time.Time{}, aud(3900)
	s.Pending = &billing.PendingChange{
		To: standardAUD, InvoiceID: "in_1", Amount: aud(3900), ExpiresAt: day0.Add(23 * time.Hour),
	}
	s.Next = billing.DeriveNextAction(s, "Your card was declined.")
	return s
}

// newSubWithScheduledChange returns a subscription that changes to the standard plan at its renewal.
func newSubWithScheduledChange() billing.Subscription {
	s := newSub("a", billing.Active, 0)
	s.Scheduled = &billing.ScheduledChange{To: standardAUD, Amount: aud(3900), At: s.CurrentPeriodEnd}
	s.Renewal = aud(3900)
	return s
}

// newSubWithReplacingChange returns a subscription with a declined change that replaces a scheduled change.
func newSubWithReplacingChange() billing.Subscription {
	s := newSubWithPendingChange(billing.Active)
	s.Pending.Replaces = &billing.ScheduledChange{To: price("standard", catalogue.Yearly, "AUD"), At: s.CurrentPeriodEnd}
	return s
}

// newEndingSub returns a subscription that ends when its period ends.
func newEndingSub() billing.Subscription {
	s := newSub("a", billing.Active, 0)
	s.EndsAt = s.CurrentPeriodEnd
	return s
}

// assertFault asserts that the error has the code and contains the message.
func assertFault(t *testing.T, err error, code fault.Code, message string) {
	t.Helper()
	assert.Equal(t, code, fault.CodeOf(err))
	if message != "" {
		assert.ErrorContains(t, err, message)
	}
}
