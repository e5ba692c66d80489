package storagetest

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// noon is the time of most fixtures. Its microseconds test the precision of stored times.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)

// newSignUp returns a sign-up without zero fields. The ids, the email address and the token of sign-ups with different
// names differ.
func newSignUp(name string) storage.SignUp {
	email := name + "@example.test"
	return storage.SignUp{
		Organisation: newOrganisation(name),
		User: account.User{
			ID: "user-" + name, OrganisationID: "organisation-" + name,
			FirstName: "Ada", LastName: "King Noel", Phone: "+61 400 000 000", Email: email,
			PasswordHash: "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
			VerifiedAt:   noon.Add(time.Minute), FirstSignInAt: noon.Add(time.Hour), CreatedAt: noon,
			SecurityRevision: 1 << 40, TwoStepSince: noon.Add(2 * time.Hour), WrongCodes: 3, WrongCodesOfKnownBrowsers: 50,
		},
		Verification: newVerification(name),
		Email:        newMessage(email),
	}
}

func newOrganisation(name string) account.Organisation {
	return account.Organisation{
		ID: "organisation-" + name, Name: "Practice of " + name,
		ContactEmail: name + "@example.test", MemberEmails: []string{name + "@example.test"}, Phone: "+61 2 9000-0000",
		Address: account.Address{
			Line1: "1 Long Road", Line2: "Level 2", City: "Sydney",
			State: "New South Wales", PostalCode: "2000", Country: "AU",
		},
		Currency: "NZD", Choice: account.Choice{Product: "professional", Interval: catalogue.Yearly},
		CreatedAt: noon,
	}
}

func newVerification(name string) account.Verification {
	return account.Verification{
		TokenHash: "hash-" + name, UserID: "user-" + name, ExpiresAt: noon.Add(account.VerificationLifetime),
	}
}

func newMessage(to string) mail.Message {
	return mail.Message{
		ID: "ignored",
		To: to, Subject: "Verify your email", Text: "Open\nthis", HTML: "<p>Open<br>this</p>",
		Unsubscribe: "https://example.test/off",
	}
}

// fractionalTimes returns ascending times with fractions of a second of all lengths, which must sort correctly
// in text columns.
func fractionalTimes() []time.Time {
	second := noon.Truncate(time.Second)
	return []time.Time{
		second.Add(-time.Microsecond), second, second.Add(time.Microsecond), second.Add(5 * time.Millisecond),
		second.Add(10 * time.Millisecond), second.Add(110 * time.Millisecond), second.Add(200 * time.Millisecond),
		second.Add(time.Second), second.AddDate(10, 0, 0),
	}
}

func storeSignUp(t *testing.T, s storage.Store, name string) storage.SignUp {
	t.Helper()
	signUp := newSignUp(name)
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	return signUp
}

// newSubscription returns a subscription without zero fields, except for client secrets.
func newSubscription(id string, status billing.Status, createdAt time.Time) billing.Subscription {
	return billing.Subscription{
		ID: id, CustomerID: "customer of " + id, Status: status,
		Price:  catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "EUR"},
		Amount: euros(1 << 42), Renewal: euros(1 << 43),
		CreatedAt: createdAt, CurrentPeriodEnd: createdAt.AddDate(0, 1, 0), TrialEnd: createdAt.AddDate(0, 0, 7),
		LatestInvoice: &billing.Invoice{
			ID: "invoice of " + id, Payment: &billing.Intent{ID: "payment of " + id, Status: billing.RequiresAction},
			Status: billing.InvoiceOpen, Total: euros(1 << 42), CreditUsed: euros(-3), AmountDue: euros(-1 << 40),
			AmountPaid: euros(1 << 41),
			CreatedAt:  createdAt.Add(time.Second), NextAttemptAt: createdAt.AddDate(0, 0, 3),
		},
		Next: billing.NextAction{
			Kind: billing.Wait, InvoiceID: "invoice of " + id, InvoiceDays: 14, Until: createdAt.AddDate(0, 0, 1),
			Reason:       "Your card's \"funds\" are low.",
			Failed:       billing.FailedAttempt{MethodID: "failed method of " + id, At: createdAt.Add(time.Hour), IsReturn: true},
			Instructions: []billing.Instruction{{Label: "Account", Value: "DE 1", Amount: euros(5)}, {Label: "Reference", Value: "é"}},
			Method: &billing.PaymentMethod{
				ID: "method of " + id, Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819",
				Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2034},
			},
		},
		Pending: &billing.PendingChange{
			To:        catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "EUR"},
			InvoiceID: "change of " + id, Amount: euros(1 << 40), ExpiresAt: createdAt.Add(23 * time.Hour),
			Replaces: &billing.ScheduledChange{
				To:     catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "EUR"},
				Amount: euros(1 << 45),
				At:     createdAt.AddDate(0, 1, 1),
			},
		},
		PeriodStart: createdAt.Add(time.Minute), EndsAt: createdAt.AddDate(0, 2, 0), UnpaidEndsAt: createdAt.AddDate(0, 0, 21),
		Scheduled: &billing.ScheduledChange{
			To:     catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "EUR"},
			Amount: euros(1 << 44), At: createdAt.AddDate(0, 1, 0),
		},
		Managed: true, Invoicing: &billing.Invoicing{DaysUntilDue: 30},
		Method: &billing.PaymentMethod{
			ID: "pm_own", Kind: billing.BankDebitMethod, Label: "BECS •••• 3456",
			Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2040},
		},
		Hold: billing.HoldDisputed, Pause: &billing.Pause{Until: createdAt.AddDate(0, 3, 0)},
		StartKey: "key of " + id, ChangeKey: "later key of " + id,
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

func newOperation(key, organisationID string, kind billing.OperationKind, createdAt time.Time) billing.Operation {
	return billing.Operation{
		Key: key, OrganisationID: organisationID, Kind: kind, Fingerprint: "fingerprint of " + key, CreatedAt: createdAt,
	}
}

// unstoredFields lists the fields that stores ignore or store elsewhere.
var unstoredFields = map[string]bool{
	"ClientSecret": true, "Secret": true, "URL": true, "EmailUnreachable": true, "HasOtherOrganisations": true, "SurplusSubscriptionIDs": true,
	"HardDecline": true, "QuoteDifference": true,
	"Attachment": true,                     // made when the email is delivered
	"Replaces":   true, "ReplacedAt": true, // only of an unverified user, after another sign-up
	"Lapsed": true, "ScheduleLapsed": true, "DisputedAt": true, "DisputeTimeZone": true,
	"Fingerprint": true, "ChargedMethod": true, "ExpectedBy": true, "LastFailure": true,
	// Only Invoices returns these fields, so the latest invoice of a subscription lacks them.
	"Number": true, "SubscriptionID": true, "Lines": true, "Tax": true, "Refunded": true, "Credited": true, "Returned": true, "Returns": true,
	"CarriedForward": true,
	"FailedRefunds":  true,
	"DueAt":          true, "PaidAt": true, "HasPDF": true, "ReceivedPayments": true, "TimeZone": true, "Buyer": true, "Seller": true,
	"TaxName": true,
}

// requireNoZeroFields requires that every field has a value. It fails if the fixture lacks a field that was added to the
// domain.
func requireNoZeroFields(t *testing.T, fixture any) {
	t.Helper()
	assertNonZero(t, reflect.ValueOf(fixture), "")
}

func assertNonZero(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	assert.False(t, v.IsZero(), "%s is empty", path)
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
	case v.Kind() == reflect.Pointer && !v.IsNil():
		assertNonZero(t, v.Elem(), path)
	case v.Kind() == reflect.Slice && v.Len() > 0:
		assertNonZero(t, v.Index(0), path)
	case v.Kind() == reflect.Struct:
		for field, value := range v.Fields() {
			if !unstoredFields[field.Name] {
				assertNonZero(t, value, path+"."+field.Name)
			}
		}
	}
}

// requireFault requires a fault with the code and a message.
func requireFault(t *testing.T, code fault.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, fault.CodeOf(err), "%v", err)
	var faultErr *fault.Error
	require.ErrorAs(t, err, &faultErr)
	assert.NotEmpty(t, faultErr.Message)
}

// updateOrganisation updates an organisation and returns it.
func updateOrganisation(
	t *testing.T, s storage.Store, id string, change func(*account.Organisation),
) account.Organisation {
	t.Helper()
	updatedOrg, err := s.UpdateOrganisation(t.Context(), id, func(o *account.Organisation) error {
		change(o)
		return nil
	})
	require.NoError(t, err)
	return updatedOrg
}

// requireOrganisation requires the store to contain exactly this organisation.
func requireOrganisation(t *testing.T, s storage.Store, want account.Organisation) {
	t.Helper()
	storedOrg, err := s.Organisation(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, storedOrg)
}

// requireUser requires the store to contain exactly this user.
func requireUser(t *testing.T, s storage.Store, want account.User) {
	t.Helper()
	storedUser, err := s.User(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, storedUser)
}

// claimEmails claims emails for an hour.
func claimEmails(t *testing.T, s storage.Store, now time.Time, limit int) []storage.Email {
	t.Helper()
	emails, err := s.ClaimEmails(t.Context(), now, time.Hour, limit)
	require.NoError(t, err)
	return emails
}

// recipients returns the recipients of the emails, in order.
func recipients(emails []storage.Email) []string {
	addresses := []string{}
	for _, email := range emails {
		addresses = append(addresses, email.Message.To)
	}
	return addresses
}
