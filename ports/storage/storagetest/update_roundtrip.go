package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// updateKeepsEveryField fills an organisation from nothing, changes everything, and empties it.
func updateKeepsEveryField(t *testing.T, h Harness) {
	s := h.Open(t)
	requireFilled(t, fullOrganisation(organisation("ada")))
	bystander, start := signedUp(t, s, "bystander").Organisation, signedUp(t, s, "ada").Organisation

	for _, want := range []account.Organisation{fullOrganisation(start), otherOrganisation(start), start} {
		stored := update(t, s, start.ID, func(o *account.Organisation) { *o = want })
		require.Equal(t, want, stored)
		requireOrganisation(t, s, want)
	}
	requireOrganisation(t, s, bystander)
}

// updateReturnsWhatItStored gives instants in another zone, finer than microseconds.
func updateReturnsWhatItStored(t *testing.T, h Harness) {
	s := h.Open(t)
	start := signedUp(t, s, "ada").Organisation
	fine := noon.Add(999 * time.Nanosecond).In(time.FixedZone("west", -9*60*60))
	stored := update(t, s, start.ID, func(o *account.Organisation) {
		*o = fullOrganisation(*o)
		o.Billing.TrialUsedAt, o.Billing.DevLicense.TrialEnd, o.Billing.Subscriptions[0].CreatedAt = fine, fine, fine
	})
	want := fullOrganisation(start)
	want.Billing.TrialUsedAt, want.Billing.DevLicense.TrialEnd, want.Billing.Subscriptions[0].CreatedAt = noon, noon, noon
	require.Equal(t, want, stored)
	requireOrganisation(t, s, want)
}

func fullOrganisation(o account.Organisation) account.Organisation {
	o.Billing = billing.Account{
		CustomerID: "customer", Currency: "EUR", TrialUsedAt: noon.Add(time.Microsecond), Revision: 1 << 40,
		CheckAt: noon.Add(3 * time.Microsecond),
		DevLicense: &billing.License{
			ID: "developer", Status: billing.Active, IsDev: true,
			Price:            catalogue.PriceRef{Product: "enterprise", Interval: catalogue.Yearly, Currency: "AUD"},
			CurrentPeriodEnd: noon.AddDate(1, 0, 0), TrialEnd: noon.AddDate(0, 0, 7),
		},
		Subscriptions: []billing.Subscription{subscription("sub", billing.Trialing, noon)},
	}
	return o
}

func otherOrganisation(o account.Organisation) account.Organisation {
	o = fullOrganisation(o)
	o.Name, o.ContactEmail, o.Phone, o.Currency = "Žižkov clinic", "zz@example.test", "9000.0001", "GBP"
	o.Address = account.Address{Line1: "a", Line2: "b", City: "c", State: "d", PostalCode: "e", Country: "NZ"}
	o.Choice = account.Choice{Product: "standard", Interval: catalogue.Monthly}
	o.Billing.CustomerID, o.Billing.Currency, o.Billing.TrialUsedAt = "other", "GBP", noon.Add(time.Second)
	o.Billing.Revision++
	o.Billing.CheckAt = noon.Add(time.Hour)
	o.Billing.DevLicense = &billing.License{ID: "bare", IsDev: true}
	changed := subscription("changed", billing.PastDue, noon.Add(time.Hour))
	changed.ID = "sub"
	o.Billing.Subscriptions = []billing.Subscription{changed}
	return o
}
