package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var finishedEmailScenarios = []scenario{
	{"FinishEmail keeps emails about billing", testFinishedEmails},
	{"ResendEmail adds a copy and its entry once", testResendEmail},
}

// newStoreWithFinishedEmails returns a store of the organisation "organisation-ada" with two finished emails of a notice, to
// "owner" and "copy", and a finished email about the account.
func newStoreWithFinishedEmails(t *testing.T, h Harness) storage.Store {
	t.Helper()
	s, _ := newStoreWithUser(t, h)
	updateBilling(t, s, "organisation-ada", storage.BillingUpdate{EmailsDueAt: noon, Notices: []storage.QueuedNotice{newNotice("1")}})
	for i, email := range claimEmails(t, s, noon, 10) {
		outcome := storage.EmailOutcome{SentAt: noon.Add(time.Duration(i) * time.Minute)}
		require.NoError(t, s.FinishEmail(t.Context(), email.ID, outcome))
	}
	return s
}

// finishedEmails returns the finished emails of "organisation-ada".
func finishedEmails(t *testing.T, s storage.Store, since time.Time, limit int) []storage.FinishedEmail {
	t.Helper()
	emails, err := s.FinishedEmails(t.Context(), "organisation-ada", since, limit)
	require.NoError(t, err)
	return emails
}

func testFinishedEmails(t *testing.T, h Harness) {
	s := newStoreWithFinishedEmails(t, h)
	emails := finishedEmails(t, s, noon, 10)
	require.Len(t, emails, 2)
	for i, recipient := range []string{"copy", "owner"} {
		want := storage.FinishedEmail{
			ID: emails[i].ID, Recipient: recipient, Subject: newMessage(recipient).Subject, Notice: newNotice("1").Notice,
			FinishedAt: noon.Add(time.Duration(1-i) * time.Minute),
		}
		assert.Equal(t, want, emails[i])
	}
	assert.Len(t, finishedEmails(t, s, noon, 1), 1)
	assert.Len(t, finishedEmails(t, s, noon.Add(time.Second), 10), 1)
	others, err := s.FinishedEmails(t.Context(), "organisation-bob", noon, 10)
	require.NoError(t, err)
	assert.Empty(t, others)

	require.NoError(t, s.SweepFinishedEmails(t.Context(), noon.Add(time.Minute)))
	assert.Equal(t, emails[:1], finishedEmails(t, s, noon, 10))
}

func testResendEmail(t *testing.T, h Harness) {
	s := newStoreWithFinishedEmails(t, h)
	id := finishedEmails(t, s, noon, 10)[0].ID
	entry := newAuditEntry("organisation-ada", noon)
	entry.Kind, entry.Subject, entry.Data = audit.OperatorResentEmail, id, nil
	at := noon.Add(time.Hour)
	requireFault(t, fault.NotFound, s.ResendEmail(t.Context(), "organisation-bob", id, at, entry))
	requireFault(t, fault.NotFound, s.ResendEmail(t.Context(), "organisation-ada", "0", at, entry))

	require.NoError(t, s.ResendEmail(t.Context(), "organisation-ada", id, at, entry))
	requireFault(t, fault.Conflict, s.ResendEmail(t.Context(), "organisation-ada", id, at, entry))

	require.Empty(t, claimEmails(t, s, at.Add(-time.Microsecond), 10))
	resent := claimEmails(t, s, at, 10)
	require.Len(t, resent, 1)
	message := newMessage("copy")
	message.ID = resent[0].ID
	assert.NotEqual(t, id, message.ID)
	assert.Equal(t, message, resent[0].Message)
	assert.Equal(t, newNotice("1").Notice, resent[0].Notice)
	assert.Equal(t, "organisation-ada", resent[0].OrganisationID)
	assert.Contains(t, kindsOf(t, s, "organisation-ada"), audit.OperatorResentEmail)
}
