package app_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

const (
	bookkeeperEmail    = "accounts@practice.example"
	newBookkeeperEmail = "new@practice.example"
)

// setBillingEmail enters a billing email and reports whether a confirmation was sent.
func (f *fixture) setBillingEmail(caller identity.Identity, email string) (isEmailSent bool) {
	f.t.Helper()
	_, isEmailSent, err := f.EditBillingDetails.Do(f.t.Context(), caller, func(d *account.BillingDetails) { d.BillingEmail = email })
	require.NoError(f.t, err)
	return isEmailSent
}

// deliverAndReadEmails delivers the queued emails and returns those to the address, newest first.
func (f *fixture) deliverAndReadEmails(address string) (subjects, texts []string) {
	f.t.Helper()
	f.DeliverEmails(f.UseCases)
	for _, email := range f.Mailbox.Emails() {
		if email.To == address {
			subjects, texts = append(subjects, email.Subject), append(texts, email.Text)
		}
	}
	return subjects, texts
}

var confirmationLink = regexp.MustCompile(`https://diy\.test/vc-admin/auth/billing-email\?token=(\w+)`)

// confirmationToken returns the token of the newest email to the address.
func (f *fixture) confirmationToken(address string) string {
	f.t.Helper()
	_, texts := f.deliverAndReadEmails(address)
	require.NotEmpty(f.t, texts)
	link := confirmationLink.FindStringSubmatch(texts[0])
	require.NotNil(f.t, link, texts[0])
	return link[1]
}

func TestBillingEmail_IsSentToTheProviderAfterItsConfirmation(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	provider := f.useDetailsProvider(flakypayment.NoFaults)
	customerID := f.account(caller).CustomerID
	require.True(t, f.setBillingEmail(caller, bookkeeperEmail))
	assert.Empty(t, provider.details[customerID].BillingEmail)
	assert.Empty(t, provider.details[customerID].UnconfirmedEmail)
	token := f.confirmationToken(bookkeeperEmail)

	address, org, err := f.ShowBillingEmailConfirmation.Do(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, []string{bookkeeperEmail, "Practice of ann"}, []string{address, org.Name})
	details, err := f.ShowBillingDetails.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, bookkeeperEmail, details.UnconfirmedEmail, "showing the link confirms nothing")

	for range 2 {
		require.NoError(t, f.ConfirmBillingEmail.Do(t.Context(), token))
		details, err = f.ShowBillingDetails.Do(t.Context(), caller)
		require.NoError(t, err)
		assert.Equal(t, []string{bookkeeperEmail, ""}, []string{details.BillingEmail, details.UnconfirmedEmail})
		assert.Equal(t, bookkeeperEmail, provider.details[customerID].BillingEmail)
	}
	assert.False(t, f.setBillingEmail(caller, bookkeeperEmail), "the address is confirmed already")
}

// The confirmation is made while the provider handles an edit to another address.
func TestBillingEmail_ConfirmedDuringAnEditStaysConfirmed(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	provider := f.useDetailsProvider(flakypayment.NoFaults)
	customerID := f.account(caller).CustomerID
	f.setBillingEmail(caller, bookkeeperEmail)
	token := f.confirmationToken(bookkeeperEmail)
	provider.onUpdate = func() {
		_, err := f.Store.UpdateOrganisation(t.Context(), caller.OrganisationID, func(o *account.Organisation) error {
			assert.True(t, o.ConfirmBillingEmail(bookkeeperEmail))
			return nil
		})
		require.NoError(t, err)
	}

	require.True(t, f.setBillingEmail(caller, newBookkeeperEmail))

	details, err := f.ShowBillingDetails.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, []string{bookkeeperEmail, newBookkeeperEmail}, []string{details.BillingEmail, details.UnconfirmedEmail})
	_, _, err = f.EditBillingDetails.Do(t.Context(), caller, setPurchaseOrder("PO 1"))
	require.NoError(t, err)
	assert.Equal(t, bookkeeperEmail, provider.details[customerID].BillingEmail)
	require.NoError(t, f.ConfirmBillingEmail.Do(t.Context(), f.confirmationToken(newBookkeeperEmail)))
	assert.Equal(t, newBookkeeperEmail, provider.details[customerID].BillingEmail)
	assertCode(t, fault.NotFound, f.ConfirmBillingEmail.Do(t.Context(), token))
}

func TestBillingEmail_ConfirmedDuringAnOutageIsSentToTheProviderLater(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.setBillingEmail(caller, bookkeeperEmail)
	token := f.confirmationToken(bookkeeperEmail)
	provider := f.useDetailsProvider(failOnce("UpdateCustomer", flakypayment.TimeoutBeforeExecution))
	require.NoError(t, f.ConfirmBillingEmail.Do(t.Context(), token), "the address is confirmed")

	f.Advance(takeoverWait)
	_, err := f.Reconcile.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, bookkeeperEmail, provider.details[f.account(caller).CustomerID].BillingEmail)
}

func TestBillingEmail_UnconfirmedAddressReceivesOnlyTheLink(t *testing.T) {
	f := newInvoiceFixture(t)
	require.True(t, f.setBillingEmail(f.caller, newBookkeeperEmail))
	f.advanceInSteps(1, time.Minute)
	f.deliverAndListAllSubjects()
	f.advanceInSteps(15, day)

	assert.Equal(t, []string{issuedSubject, overdueSubject}, f.deliverAndListAllSubjects(), "the user and the earlier billing email receive them")
	subjects, texts := f.deliverAndReadEmails(newBookkeeperEmail)
	require.Equal(t, []string{"Confirm your email address for invoices of Vision"}, subjects)
	assert.NotContains(t, texts[0], "Practice", "the email contains no text that the customer has entered")

	require.NoError(t, f.ResendBillingEmailConfirmation.Do(t.Context(), f.caller, ""))
	require.NoError(t, f.ConfirmBillingEmail.Do(t.Context(), f.confirmationToken(newBookkeeperEmail)))
	f.advanceInSteps(7, day)
	subjects, _ = f.deliverAndReadEmails(newBookkeeperEmail)
	assert.Equal(t, endedSubject, subjects[0])
	subjects, _ = f.deliverAndReadEmails("accounts@example.com")
	assert.NotContains(t, subjects, endedSubject)
}

func TestBillingEmail_RefusesReplacedAndExpiredLinks(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.setBillingEmail(caller, bookkeeperEmail)
	oldToken := f.confirmationToken(bookkeeperEmail)
	f.setBillingEmail(caller, newBookkeeperEmail)
	currentToken := f.confirmationToken(newBookkeeperEmail)

	assertUnknownLink := func(token string) {
		t.Helper()
		_, _, err := f.ShowBillingEmailConfirmation.Do(t.Context(), token)
		assert.EqualError(t, err, "not_found: This link is unknown or too old.")
		assert.EqualError(t, f.ConfirmBillingEmail.Do(t.Context(), token), "not_found: This link is unknown or too old.")
	}
	for _, token := range []string{"", "unknown", oldToken} {
		assertUnknownLink(token)
	}
	_, err := f.Store.EmailConfirmation(t.Context(), currentToken)
	assertCode(t, fault.NotFound, err) // only the hash is stored
	f.Advance(account.EmailConfirmationLifetime)
	assertUnknownLink(currentToken)
	require.NoError(t, f.Sweep.Do(t.Context()))

	require.NoError(t, f.ResendBillingEmailConfirmation.Do(t.Context(), caller, ""))
	require.NoError(t, f.ConfirmBillingEmail.Do(t.Context(), f.confirmationToken(newBookkeeperEmail)))
	assertCode(t, fault.Conflict, f.ResendBillingEmailConfirmation.Do(t.Context(), caller, ""))
}

func TestBillingEmail_AddressOfTheUserNeedsNoConfirmation(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	assert.False(t, f.setBillingEmail(caller, "ANN@example.com"))
	details, err := f.ShowBillingDetails.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.Equal(t, "ann@example.com", details.BillingEmail)
}

func TestBillingEmail_SavingTheSameAddressAgainSendsNoSecondConfirmation(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	assert.True(t, f.setBillingEmail(caller, bookkeeperEmail))
	assert.False(t, f.setBillingEmail(caller, bookkeeperEmail))
	_, isEmailSent, err := f.EditBillingDetails.Do(t.Context(), caller, setPurchaseOrder("PO 1"))
	require.NoError(t, err)
	assert.False(t, isEmailSent)
	subjects, _ := f.deliverAndReadEmails(bookkeeperEmail)
	assert.Len(t, subjects, 1)
}
