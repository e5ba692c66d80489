package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
)

// deliverWithRefusal delivers the queued emails through a mail server that refuses the recipient, and returns the log.
func (f *fixture) deliverWithRefusal(recipient string) string {
	f.t.Helper()
	server, log := f.newAppWithMailer(func(_ context.Context, m mail.Message) error {
		if m.To == recipient {
			return fault.Wrap(mail.ErrUnknownMailbox, fault.Invalid, "There is no such mailbox.")
		}
		return nil
	})
	_, err := server.DeliverMail.Do(f.t.Context())
	require.NoError(f.t, err)
	return log.String()
}

// unreachableEmails returns the unreachable addresses that the user sees.
func (f *fixture) unreachableEmails(caller identity.Identity) []string {
	f.t.Helper()
	user, org, err := f.Store.UserWithOrganisation(f.t.Context(), caller.UserID, caller.OrganisationID)
	require.NoError(f.t, err)
	addresses, err := f.ListUnreachableEmails.Do(f.t.Context(), caller, user, org)
	require.NoError(f.t, err)
	return addresses
}

func TestUnreachableEmails_RefusedAddressGetsNoNoticesUntilItIsConfirmedAgain(t *testing.T) {
	const address = "accounts@example.com"
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute)
	assert.Empty(t, f.unreachableEmails(f.caller))

	log := f.deliverWithRefusal(address)

	assert.Contains(t, log, "recipient refused permanently")
	assert.NotContains(t, log, "@", "logs contain no address")
	assert.Equal(t, []string{address}, f.unreachableEmails(f.caller))
	reader := f.caller
	reader.Role = account.ReadingMember
	assert.Empty(t, f.unreachableEmails(reader), "only the own address")

	f.advanceInSteps(15, day)
	f.DeliverEmails(f.UseCases)
	subjects, _ := f.deliverAndReadEmails(address)
	assert.Empty(t, subjects)
	subjects, _ = f.deliverAndReadEmails("ann@example.com")
	assert.Contains(t, subjects, overdueSubject, "other recipients get the notices")

	assertCode(t, fault.Conflict, f.ResendBillingEmailConfirmation.Do(t.Context(), f.caller, "ann@example.com"))
	require.NoError(t, f.ResendBillingEmailConfirmation.Do(t.Context(), f.caller, "Accounts@example.com"))
	token := f.confirmationToken(address)
	assert.Equal(t, []string{address}, f.unreachableEmails(f.caller), "the link was not used yet")
	require.NoError(t, f.ConfirmBillingEmail.Do(t.Context(), token))
	assert.Empty(t, f.unreachableEmails(f.caller))

	f.advanceInSteps(7, day)
	subjects, _ = f.deliverAndReadEmails(address)
	assert.Contains(t, subjects, endedSubject)
}

func TestUnreachableEmails_ConfirmationLinkMakesTheAddressOfTheUserReachable(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute)
	f.deliverWithRefusal("ann@example.com")
	require.Equal(t, []string{"ann@example.com"}, f.unreachableEmails(f.caller))

	require.NoError(t, f.ResendBillingEmailConfirmation.Do(t.Context(), f.caller, "ann@example.com"))
	require.NoError(t, f.ConfirmBillingEmail.Do(t.Context(), f.confirmationToken("ann@example.com")))

	assert.Empty(t, f.unreachableEmails(f.caller))
	details, err := f.ShowBillingDetails.Do(t.Context(), f.caller)
	require.NoError(t, err)
	assert.Equal(t, "accounts@example.com", details.BillingEmail, "the billing email stays as it is")
}

func TestUnreachableEmails_VerificationMakesTheAddressOfTheUserReachable(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	caller := identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID, Role: account.Owner}
	f.deliverWithRefusal(user.Email)
	require.Equal(t, []string{user.Email}, f.unreachableEmails(caller))
	require.NoError(t, f.ResendVerification.Do(t.Context(), user.Email, nil))
	f.DeliverEmails(f.UseCases)

	_, _, err := f.VerifyEmail.Do(t.Context(), f.VerificationToken(user.Email), func(account.User) bool { return true })

	require.NoError(t, err)
	assert.Empty(t, f.unreachableEmails(caller))
}

func TestUnreachableEmails_AreTriedAgainAfterAYear(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	require.NoError(t, f.Store.MarkUnreachable(t.Context(), caller.OrganisationID, "ann@example.com", f.Clock.Now()))
	f.Advance(365 * day)
	require.NoError(t, f.Sweep.Do(t.Context()))
	assert.NotEmpty(t, f.unreachableEmails(caller))
	f.Advance(time.Second)
	require.NoError(t, f.Sweep.Do(t.Context()))
	assert.Empty(t, f.unreachableEmails(caller))
}

func TestUnreachableEmails_AnotherBillingEmailReplacesARefusedOne(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	require.True(t, f.setBillingEmail(caller, bookkeeperEmail))
	f.deliverWithRefusal(bookkeeperEmail)
	require.Equal(t, []string{bookkeeperEmail}, f.unreachableEmails(caller))

	require.True(t, f.setBillingEmail(caller, newBookkeeperEmail))

	assert.Empty(t, f.unreachableEmails(caller))
}

func TestUnreachableEmails_DeliveryFailsIfTheAddressCannotBeMarked(t *testing.T) {
	f := newFixture(t)
	f.signUpUnverified()
	server, _ := f.newAppWithMailer(func(context.Context, mail.Message) error {
		assert.NoError(t, f.Store.Close())
		return fault.Wrap(mail.ErrUnknownMailbox, fault.Invalid, "There is no such mailbox.")
	})
	_, err := server.DeliverMail.Do(t.Context())
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}
