package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

var attentionScenarios = []scenario{
	{"OverdueOrganisations returns organisations that are past due", testOverdueOrganisations},
	{"DelayedEmails returns emails that were tried, and FailedEmails those that are given up", testDelayedAndFailedEmails},
}

func testOverdueOrganisations(t *testing.T, h Harness) {
	s := h.Open(t)
	overdue := map[string]account.Organisation{}
	for name, status := range map[string]billing.Status{"ada": billing.PastDue, "ben": billing.Active, "cyd": billing.PastDue} {
		o := storeSignUp(t, s, name).Organisation
		o = updateOrganisation(t, s, o.ID, func(o *account.Organisation) {
			o.Billing.RecordSubscriptions(newSubscription(name, status, noon))
		})
		if status == billing.PastDue {
			overdue[o.ID] = o
		}
	}

	orgs, err := s.OverdueOrganisations(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, orgs, 2)
	require.Less(t, orgs[0].ID, orgs[1].ID)
	for _, o := range orgs {
		require.Equal(t, overdue[o.ID], o)
	}
	orgs, err = s.OverdueOrganisations(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, orgs, 1)
}

func testDelayedAndFailedEmails(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	for _, to := range []string{"sent", "failed", "waiting", "new"} {
		addEmail(t, s, userID, to, noon)
	}
	emails := claimEmails(t, s, noon, 3)
	require.Equal(t, []string{"sent", "failed", "waiting"}, recipients(emails))
	require.NoError(t, s.FinishEmail(t.Context(), emails[0].ID, storage.EmailOutcome{SentAt: noon}))
	require.NoError(t, s.FinishEmail(t.Context(), emails[1].ID, storage.EmailOutcome{Reason: "expired"}))
	require.NoError(t, s.PostponeEmail(t.Context(), emails[2], noon.Add(time.Minute)))

	delayed, err := s.DelayedEmails(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, delayed, 1)
	require.Equal(t, emails[2].ID, delayed[0].ID)
	require.Equal(t, 1, delayed[0].Attempts)
	require.Equal(t, userID, delayed[0].UserID)
	require.Empty(t, delayed[0].Message)
	failed, err := s.FailedEmails(t.Context(), 10)
	require.NoError(t, err)
	require.NotEmpty(t, failed)
	require.Equal(t, audit.EmailFinished, failed[0].Kind)
	for _, e := range failed {
		require.Equal(t, audit.Refused, e.Outcome)
	}
	require.Equal(t, emails[1].ID, failed[0].Subject)
	backlog, err := s.Backlog(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, backlog.Emails.Count)
}
