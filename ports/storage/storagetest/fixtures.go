package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// noon is when everything begins here: an instant that needs its microseconds.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)

// signup is a sign-up with every field filled in; those of two names share nothing.
func signup(name string) storage.Signup {
	email := name + "@example.test"
	return storage.Signup{
		Organisation: organisation(name),
		User: account.User{
			ID: "user-" + name, OrganisationID: "organisation-" + name,
			FirstName: "Ada", LastName: "King Noel", Email: email,
			PasswordHash: "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
			VerifiedAt:   noon.Add(time.Minute), CreatedAt: noon,
		},
		Verification: verification(name),
		Email:        message(email),
		ExpiryCutoff: noon.Add(-account.VerificationLifetime),
	}
}

func organisation(name string) account.Organisation {
	return account.Organisation{
		ID: "organisation-" + name, Name: "Practice of " + name,
		ContactEmail: name + "@example.test", Phone: "+61 2 9000-0000",
		Address: account.Address{
			Line1: "1 Long Road", Line2: "Level 2", City: "Sydney",
			State: "New South Wales", PostalCode: "2000", Country: "AU",
		},
		Currency: "NZD", Choice: account.Choice{Product: "professional", Interval: catalogue.Yearly},
		CreatedAt: noon,
	}
}

func verification(name string) account.Verification {
	return account.Verification{
		TokenHash: "hash-" + name, UserID: "user-" + name, ExpiresAt: noon.Add(account.VerificationLifetime),
	}
}

func message(to string) mail.Message {
	return mail.Message{To: to, Subject: "Verify your e-mail", Text: "Open\nthis", HTML: "<p>Open<br>this</p>"}
}

// signedUp stores a sign-up.
func signedUp(t *testing.T, s storage.Store, name string) storage.Signup {
	t.Helper()
	in := signup(name)
	require.NoError(t, s.CreateSignup(t.Context(), in))
	return in
}

// subscription is a subscription with every field filled in but the client secrets, which no
// store keeps.
func subscription(id string, status billing.Status, created time.Time) billing.Subscription {
	return billing.Subscription{
		ID: id, CustomerID: "customer of " + id, Status: status,
		Price:     catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "EUR"},
		CreatedAt: created, CurrentPeriodEnd: created.AddDate(0, 1, 0), TrialEnd: created.AddDate(0, 0, 7),
		LatestInvoice: &billing.Invoice{
			ID: "invoice of " + id, Payment: &billing.Intent{ID: "payment of " + id, Status: billing.RequiresAction},
			Status: billing.InvoiceOpen, AmountDue: euros(-1 << 40), CreatedAt: created.Add(time.Second), NextAttemptAt: created.AddDate(0, 0, 3),
		},
		Next: billing.NextAction{
			Kind: billing.Wait, InvoiceID: "invoice of " + id, Until: created.AddDate(0, 0, 1), Reason: "Your card's \"funds\" are low.",
			Instructions: []billing.Instruction{{Label: "Account", Value: "DE 1"}, {Label: "Reference", Value: "é"}},
		},
		Pending: &billing.PendingChange{
			To:        catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "EUR"},
			InvoiceID: "change of " + id, Amount: euros(1 << 40), ExpiresAt: created.Add(23 * time.Hour),
		},
		MadeBy: "key of " + id, ChangedBy: "later key of " + id,
		PendingSetup: &billing.Intent{ID: "setup of " + id, Status: billing.RequiresPaymentMethod},
	}
}

func euros(minor int64) money.Amount {
	amount, err := money.New(minor, "EUR")
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

func operation(key, organisationID string, kind billing.OperationKind, began time.Time) billing.Operation {
	return billing.Operation{
		Key: key, OrganisationID: organisationID, Kind: kind, Fingerprint: "fingerprint of " + key, CreatedAt: began,
	}
}
