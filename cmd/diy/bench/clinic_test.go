package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// clinic is an organisation that the Stripe knows.
type clinic struct {
	identity.Identity
	customer string
}

// newClinics registers so many organisations without hashing any password. They are customers at
// the Stripe, with a subscription when they have subscribed.
func newClinics(b *testing.B, s *stripe, store *sqlstorage.Store, count int, subscribed bool) []clinic {
	b.Helper()
	var all []clinic
	for range count {
		n := people.Add(1)
		id := fmt.Sprintf("%08d", n*7919%100_000_000) // spread over the whole index
		org := account.Organisation{ID: "org_" + id, Name: "Clinic " + id, CreatedAt: time.Now()}
		org.Billing.CustomerID = s.customer(b, org)
		if subscribed {
			s.subscribe(b, &org)
		}
		require.NoError(b, store.CreateSignup(b.Context(), signup(org, "usr_"+id, "ann"+id+"@clinic.example")))
		all = append(all, clinic{identity.Identity{UserID: "usr_" + id, OrganisationID: org.ID}, org.Billing.CustomerID})
	}
	return all
}

// signup is what the store writes of a registration.
func signup(org account.Organisation, userID, email string) storage.Signup {
	return storage.Signup{
		Organisation: org,
		User:         account.User{ID: userID, OrganisationID: org.ID, FirstName: "Ann", LastName: "King", Email: email, VerifiedAt: time.Now(), CreatedAt: time.Now()},
		Verification: account.Verification{TokenHash: "hash of " + userID, UserID: userID, ExpiresAt: time.Now().Add(time.Hour)},
		Email:        mail.Message{To: email, Subject: "Welcome", Text: "Welcome", HTML: "<p>Welcome</p>"},
	}
}

func (s *stripe) customer(b *testing.B, org account.Organisation) string {
	b.Helper()
	made, err := s.machine.CreateCustomer(b.Context(), payment.NewCustomer{Key: "customer of " + org.ID, OrganisationID: org.ID, Name: org.Name})
	require.NoError(b, err)
	return made.ID
}

func (s *stripe) subscribe(b *testing.B, org *account.Organisation) {
	b.Helper()
	made, err := s.machine.Subscribe(b.Context(), payment.NewSubscription{
		Key: "subscription of " + org.ID, CustomerID: org.Billing.CustomerID, CardID: s.card(b), First: true, Sole: true,
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
	})
	require.NoError(b, err)
	org.Billing.Record(made)
}
