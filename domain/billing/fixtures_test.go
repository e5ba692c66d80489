package billing_test

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

var (
	day0 = time.Date(2026, time.January, 31, 10, 0, 0, 0, time.UTC)

	standardAUD     = price("standard", catalogue.Monthly, "AUD")
	professionalAUD = price("professional", catalogue.Yearly, "AUD")
	professionalUSD = price("professional", catalogue.Yearly, "USD")
)

func price(product string, interval catalogue.Interval, currency string) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: currency}
}

// subscription is one for professional_yearly in AUD, created so many days after day0.
func subscription(id string, status billing.Status, day int) billing.Subscription {
	return billing.Subscription{
		ID: id, CustomerID: "cus_1", Status: status, Price: professionalAUD,
		CreatedAt: day0.AddDate(0, 0, day), CurrentPeriodEnd: day0.AddDate(1, 0, day),
	}
}

// onTrial is a subscription whose trial ends seven days after it was created.
func onTrial(id string, status billing.Status, day int) billing.Subscription {
	s := subscription(id, status, day)
	s.TrialEnd = s.CreatedAt.AddDate(0, 0, 7)
	return s
}

// customer is the account of an organisation with these subscriptions.
func customer(subs ...billing.Subscription) *billing.Account {
	a := &billing.Account{CustomerID: "cus_1"}
	a.Record(subs...)
	return a
}
