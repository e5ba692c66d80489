package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestLastEnd_ReturnsTimeAndCause(t *testing.T) {
	endedSubscription := func(
		status billing.Status, at time.Time, invoiceStatus billing.InvoiceStatus, invoiceCreatedAt time.Time,
	) billing.Subscription {
		s := newSub("a", status, 0)
		s.PeriodStart, s.EndsAt = day0, at
		s.LatestInvoice = &billing.Invoice{ID: "in_1", Status: invoiceStatus, AmountDue: aud(81600), CreatedAt: invoiceCreatedAt}
		return s
	}
	periodEnd, unpaidEnd, midPeriod := day0.AddDate(1, 0, 0), day0.AddDate(0, 0, 15), day0.AddDate(0, 1, 0)
	for name, c := range map[string]struct {
		sub  billing.Subscription
		want billing.LastEnd
	}{
		"at the end of the period": {endedSubscription(billing.Canceled, periodEnd, billing.InvoicePaid, day0),
			billing.LastEnd{At: periodEnd, Cause: billing.CauseRequested}},
		"at the end of the period after a dropped change": {
			endedSubscription(billing.Canceled, periodEnd, billing.InvoiceVoid, midPeriod),
			billing.LastEnd{At: periodEnd, Cause: billing.CauseRequested}},
		"with an open invoice": {endedSubscription(billing.Canceled, unpaidEnd, billing.InvoiceOpen, day0),
			billing.LastEnd{At: unpaidEnd, Cause: billing.CauseUnpaid}},
		"with a voided invoice": {endedSubscription(billing.Canceled, unpaidEnd, billing.InvoiceVoid, day0.Add(time.Hour)),
			billing.LastEnd{At: unpaidEnd, Cause: billing.CauseUnpaid}},
		"unpaid": {endedSubscription(billing.Unpaid, time.Time{}, billing.InvoiceOpen, day0),
			billing.LastEnd{Cause: billing.CauseUnpaid}},
		"before it began": {endedSubscription(billing.IncompleteExpired, unpaidEnd, billing.InvoiceVoid, day0),
			billing.LastEnd{At: unpaidEnd, Cause: billing.CauseNotBegun}},
		"by an operator": {endedSubscription(billing.Canceled, midPeriod, billing.InvoicePaid, day0),
			billing.LastEnd{At: midPeriod}},
		"by an operator after a dropped change": {
			endedSubscription(billing.Canceled, midPeriod, billing.InvoiceVoid, midPeriod),
			billing.LastEnd{At: midPeriod}},
		"without a time": {endedSubscription(billing.Canceled, time.Time{}, billing.InvoicePaid, day0),
			billing.LastEnd{}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, &c.want, newAccount(c.sub).LastEnd()) })
	}
	assert.Nil(t, newAccount(newSub("a", billing.Active, 0)).LastEnd())

	owingAccount := newAccount(endedSubscription(billing.Canceled, unpaidEnd, billing.InvoiceOpen, day0))
	owingAccount.OwingSubscriptionID = "a"
	assert.Equal(t, billing.CauseRequested, owingAccount.LastEnd().Cause)
	voidedAccount := newAccount(endedSubscription(billing.Canceled, unpaidEnd, billing.InvoiceVoid, day0))
	voidedAccount.LastVoidedInvoice = billing.VoidedInvoice{SubscriptionID: "a", At: unpaidEnd}
	assert.Equal(t, billing.CauseRequested, voidedAccount.LastEnd().Cause)
}
