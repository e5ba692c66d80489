package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestPastEnd_HasTimeAndCause(t *testing.T) {
	ended := func(status billing.Status, at time.Time, invoice billing.InvoiceStatus, created time.Time) billing.Subscription {
		s := subscription("a", status, 0)
		s.PeriodStart, s.EndsAt = day0, at
		s.LatestInvoice = &billing.Invoice{ID: "in_1", Status: invoice, AmountDue: aud(81600), CreatedAt: created}
		return s
	}
	periodEnd, unpaidEnd, midPeriod := day0.AddDate(1, 0, 0), day0.AddDate(0, 0, 15), day0.AddDate(0, 1, 0)
	for name, c := range map[string]struct {
		sub  billing.Subscription
		want billing.PastEnd
	}{
		"at the end of the period": {ended(billing.Canceled, periodEnd, billing.InvoicePaid, day0),
			billing.PastEnd{At: periodEnd, Cause: billing.CauseRequested}},
		"with a change that was dropped": {ended(billing.Canceled, periodEnd, billing.InvoiceVoid, midPeriod),
			billing.PastEnd{At: periodEnd, Cause: billing.CauseRequested}},
		"with a bill that stays open": {ended(billing.Canceled, unpaidEnd, billing.InvoiceOpen, day0),
			billing.PastEnd{At: unpaidEnd, Cause: billing.CauseUnpaid}},
		"with a bill that was given up": {ended(billing.Canceled, unpaidEnd, billing.InvoiceVoid, day0.Add(time.Hour)),
			billing.PastEnd{At: unpaidEnd, Cause: billing.CauseUnpaid}},
		"unpaid": {ended(billing.Unpaid, time.Time{}, billing.InvoiceOpen, day0),
			billing.PastEnd{Cause: billing.CauseUnpaid}},
		"before it began": {ended(billing.IncompleteExpired, unpaidEnd, billing.InvoiceVoid, day0),
			billing.PastEnd{At: unpaidEnd, Cause: billing.CauseNotBegun}},
		"by an operator": {ended(billing.Canceled, midPeriod, billing.InvoicePaid, day0),
			billing.PastEnd{At: midPeriod}},
		"by an operator, a change dropped": {ended(billing.Canceled, midPeriod, billing.InvoiceVoid, midPeriod),
			billing.PastEnd{At: midPeriod}},
		"reported without a time of its end": {ended(billing.Canceled, time.Time{}, billing.InvoicePaid, day0),
			billing.PastEnd{}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, &c.want, newAccount(c.sub).PastEnd()) })
	}
	assert.Nil(t, newAccount(subscription("a", billing.Active, 0)).PastEnd())

	owed := newAccount(ended(billing.Canceled, unpaidEnd, billing.InvoiceOpen, day0))
	owed.OwingSubscriptionID = "a"
	assert.Equal(t, billing.CauseRequested, owed.PastEnd().Cause)
	voided := newAccount(ended(billing.Canceled, unpaidEnd, billing.InvoiceVoid, day0))
	voided.Voided = billing.VoidedBill{SubscriptionID: "a", At: unpaidEnd}
	assert.Equal(t, billing.CauseRequested, voided.PastEnd().Cause)
}
