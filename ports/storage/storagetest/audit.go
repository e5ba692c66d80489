package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
	"github.com/vc-admin/diy/ports/trace"
)

var auditScenarios = []scenario{
	{"AddAuditEntries completes an entry from the context", testAddAuditEntries},
	{"an action of an operator has one entry", testEntryOfActionIsUnique},
	{"AddAuditEntries refuses an entry without an actor or with unknown data", testRefusedAuditEntries},
	{"OrganisationAuditEntries returns pages, newest first", testAuditPages},
	{"AuditEntries returns what matches the query", testAuditQuery},
	{"an entry is stored with the change and rolled back with it", testAuditEntryOfChange},
	{"the audit log keeps the entries of a deleted registration", testAuditOfDeletedRegistration},
	{"changes of users, factors, teams and organisations add entries", testAuditOfAccounts},
	{"FinishEmail adds the outcome to the audit log", testAuditOfEmails},
	{"operations and reports of the provider are in the audit log", testAuditOfBilling},
	{"SealAuditLog leaves MinSealInterval between two seals, so that a late commit is no alteration", testSealInterval},
	{"SealAuditLog seals what the previous call has seen", testSealAuditLog},
	{"SweepAuditLog deletes whole seals of the class access", testSweepAuditLog},
}

// newAuditEntry returns an entry without zero fields, except for the ID.
func newAuditEntry(organisationID string, at time.Time) audit.Entry {
	return audit.Entry{
		At: at, OrganisationID: organisationID, Actor: audit.Operator("émile"), Kind: audit.SignIn, Subject: "user-ada",
		Outcome: audit.Refused, Data: audit.Data{"methods": "password,totp", "browser": "known"}, Cause: "op_1", RequestID: "REQUEST",
		Note: "called back 🔑",
	}
}

// addAuditEntry adds the entry and returns it with its ID.
func addAuditEntry(t *testing.T, s storage.Store, e audit.Entry) audit.Entry {
	t.Helper()
	require.NoError(t, s.AddAuditEntries(t.Context(), e))
	entries, err := s.OrganisationAuditEntries(t.Context(), e.OrganisationID, 0, 1)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	e.ID = entries[0].ID
	require.Equal(t, e, entries[0])
	return e
}

func testEntryOfActionIsUnique(t *testing.T, h Harness) {
	s := h.Open(t)
	entry := newAuditEntry("organisation-ada", noon)
	entry.Kind, entry.Data = audit.OperatorEndedSessions, nil
	otherOrganisation, otherKind, otherCause := entry, entry, entry
	otherOrganisation.OrganisationID, otherKind.Kind, otherCause.Cause = "organisation-bob", audit.OperatorReadAgain, "op_2"
	require.NoError(t, s.AddAuditEntries(t.Context(), entry, otherOrganisation, otherKind, otherCause))
	withoutNote := entry
	withoutNote.Note = ""
	for _, repeated := range []audit.Entry{entry, withoutNote} {
		requireFault(t, fault.Conflict, s.AddAuditEntries(t.Context(), newAuditEntry("organisation-ada", noon), repeated))
	}
	require.Len(t, kindsOf(t, s, "organisation-ada"), 3, "the refused call stores nothing")
	entry.Kind, entry.Cause = audit.OperatorViewed, ""
	require.NoError(t, s.AddAuditEntries(t.Context(), entry, entry), "views have no cause")
}

// kindsOf returns the kinds of an organisation's entries, oldest first.
func kindsOf(t *testing.T, s storage.Store, organisationID string) (kinds []audit.Kind) {
	t.Helper()
	entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{OrganisationID: organisationID, Limit: 100})
	require.NoError(t, err)
	for _, e := range entries {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func testAddAuditEntries(t *testing.T, h Harness) {
	s := h.Open(t)
	requireNoZeroFields(t, addAuditEntry(t, s, newAuditEntry("org", noon)))
	ctx := trace.WithID(audit.WithCause(audit.WithActor(t.Context(), audit.User("user-ada")), "op_2"), "TRACE")
	require.NoError(t, s.AddAuditEntries(ctx, audit.Entry{OrganisationID: "other", Kind: audit.EmailVerified}))

	for _, store := range h.sharedStores(t, s) {
		entries, err := store.OrganisationAuditEntries(t.Context(), "other", 0, 10)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		assert.NotZero(t, entries[0].ID)
		assert.NotZero(t, entries[0].At)
		assert.Equal(t, audit.Entry{
			ID: entries[0].ID, At: entries[0].At, OrganisationID: "other", Actor: audit.User("user-ada"), Kind: audit.EmailVerified,
			Outcome: audit.Done, Cause: "op_2", RequestID: "TRACE",
		}, entries[0])
	}
}

func testRefusedAuditEntries(t *testing.T, h Harness) {
	s := h.Open(t)
	for name, change := range map[string]func(*audit.Entry){
		"no actor":        func(e *audit.Entry) { e.Actor = audit.Actor{} },
		"unknown kind":    func(e *audit.Entry) { e.Kind = "unknown" },
		"unknown key":     func(e *audit.Entry) { e.Data = audit.Data{"email": "x"} },
		"email address":   func(e *audit.Entry) { e.Data = audit.Data{"methods": "ada@example.com"} },
		"unknown outcome": func(e *audit.Entry) { e.Outcome = "good" },
	} {
		e := newAuditEntry("org", noon)
		change(&e)
		requireFault(t, fault.Internal, s.AddAuditEntries(t.Context(), newAuditEntry("org", noon), e))
		entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{Limit: 10})
		require.NoError(t, err)
		assert.Empty(t, entries, name)
	}
}

func testAuditPages(t *testing.T, h Harness) {
	s := h.Open(t)
	var want []audit.Entry
	for i := range 5 {
		e := addAuditEntry(t, s, newAuditEntry("org", noon.Add(-time.Duration(i)*time.Hour))) // clocks may be set back
		addAuditEntry(t, s, newAuditEntry("other", noon))
		want = append([]audit.Entry{e}, want...)
	}
	var all []audit.Entry
	for before := int64(0); ; {
		page, err := s.OrganisationAuditEntries(t.Context(), "org", before, 2)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		all, before = append(all, page...), page[len(page)-1].ID
	}
	assert.Equal(t, want, all)
	renamed := newAuditEntry("org", noon)
	renamed.Kind, renamed.Data = audit.OrganisationRenamed, nil
	renamed = addAuditEntry(t, s, renamed)
	for before, wantOfKinds := range map[int64][]audit.Entry{0: {renamed}, renamed.ID: nil} {
		page, err := s.OrganisationAuditEntries(t.Context(), "org", before, 2, audit.PlanChanged, audit.OrganisationRenamed)
		require.NoError(t, err)
		assert.Equal(t, wantOfKinds, page)
	}
}

func testAuditQuery(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, ben := newAuditEntry("org-a", noon), newAuditEntry("org-b", noon.Add(time.Hour))
	ben.Actor, ben.RequestID, ben.Kind, ben.Data = audit.User("ben"), "OTHER", audit.EmailVerified, nil
	ben.Cause = "op_ben"
	ada, ben = addAuditEntry(t, s, ada), addAuditEntry(t, s, ben)
	for name, tt := range map[string]struct {
		query storage.AuditQuery
		want  []audit.Entry
	}{
		"all":          {storage.AuditQuery{}, []audit.Entry{ada, ben}},
		"organisation": {storage.AuditQuery{OrganisationID: "org-b"}, []audit.Entry{ben}},
		"actor":        {storage.AuditQuery{Actor: "ben"}, []audit.Entry{ben}},
		"request":      {storage.AuditQuery{RequestID: "REQUEST"}, []audit.Entry{ada}},
		"class":        {storage.AuditQuery{Class: audit.Access}, []audit.Entry{ada}},
		"kind":         {storage.AuditQuery{Kind: audit.EmailVerified}, []audit.Entry{ben}},
		"cause":        {storage.AuditQuery{Cause: "op_ben"}, []audit.Entry{ben}},
		"from":         {storage.AuditQuery{From: noon.Add(time.Minute)}, []audit.Entry{ben}},
		"before":       {storage.AuditQuery{Before: noon.Add(time.Minute)}, []audit.Entry{ada}},
		"after an id":  {storage.AuditQuery{AfterID: ada.ID}, []audit.Entry{ben}},
		"until an id":  {storage.AuditQuery{UntilID: ada.ID}, []audit.Entry{ada}},
		"nothing":      {storage.AuditQuery{Actor: "ben", Class: audit.Access}, nil},
	} {
		tt.query.Limit = 10
		entries, err := s.AuditEntries(t.Context(), tt.query)
		require.NoError(t, err)
		assert.Equal(t, tt.want, entries, name)
	}
}

func testAuditEntryOfChange(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := storeSignUp(t, s, "ada")
	_, err := s.UpdateCredentials(t.Context(), signUp.User.ID, noon,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.User.ChangePassword("new")
			return storage.CredentialsEffects{Entries: []audit.Entry{{Kind: "unknown"}}}, nil
		})
	requireFault(t, fault.Internal, err) // the log refuses the entry
	requireUser(t, s, signUp.User)
	assert.Equal(t, []audit.Kind{audit.SignedUp}, kindsOf(t, s, signUp.Organisation.ID))

	updateOrganisation(t, s, signUp.Organisation.ID, func(o *account.Organisation) { o.Name = "Other" })
	entries, err := s.OrganisationAuditEntries(t.Context(), signUp.Organisation.ID, 0, 1)
	require.NoError(t, err)
	assert.Equal(t, audit.OrganisationRenamed, entries[0].Kind)
	assert.Equal(t, audit.System, entries[0].Actor)
}

func testAuditOfDeletedRegistration(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := newSignUp("ada")
	signUp.User.VerifiedAt = time.Time{}
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	_, err := s.DeleteRegistration(t.Context(), signUp.User.ID)
	require.NoError(t, err)
	assert.Equal(t, []audit.Kind{audit.SignedUp, audit.RegistrationDeleted}, kindsOf(t, s, signUp.Organisation.ID))
}

func noChangeAtSignIn(*account.User) (*mail.Message, error) { return nil, nil }

func testAuditOfAccounts(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := storeSignUp(t, s, "ada")
	user := signUp.User
	require.NoError(t, s.RecordSignIn(t.Context(), user.ID, account.SignInEntry(user, true, "password"), noon, noChangeAtSignIn))
	_, err := s.UpdateUser(t.Context(), user.ID, func(u *account.User) error {
		u.SetProfile(account.Profile{FirstName: "Grace", LastName: u.LastName})
		return nil
	})
	require.NoError(t, err)
	operatorCtx := audit.WithActor(t.Context(), audit.Operator("olga"))
	_, err = s.UpdateCredentials(operatorCtx, user.ID, noon, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		c.SignOutEverywhere()
		return storage.CredentialsEffects{Entries: []audit.Entry{{
			OrganisationID: user.OrganisationID, Kind: audit.OperatorEndedSessions, Note: "stolen laptop",
		}}}, nil
	})
	require.NoError(t, err)
	invite(t, s, "ada", account.ReadingMember, "ben@example.test")

	entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{OrganisationID: user.OrganisationID, Limit: 10})
	require.NoError(t, err)
	var got [][3]string
	for _, e := range entries {
		got = append(got, [3]string{string(e.Kind), string(e.Actor.Kind), e.Data["fields"] + e.Data["role"] + e.Note})
	}
	assert.Equal(t, [][3]string{
		{"user.signed_up", "visitor", ""}, {"user.sign_in", "user", ""}, {"user.profile_changed", "user", "first_name,phone"},
		{"user.signed_out_everywhere", "operator", ""}, {"operator.ended_sessions", "operator", "stolen laptop"},
		{"member.invited", "user", "member"},
	}, got)
}

func testAuditOfEmails(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := storeSignUp(t, s, "ada")
	emails := claimEmails(t, s, noon, 1)
	require.Len(t, emails, 1)
	outcome := storage.EmailOutcome{Reason: "recipient_refused", Answer: "550 5.1.1"}
	for range 2 {
		require.NoError(t, s.FinishEmail(t.Context(), emails[0].ID, outcome))
	}

	entries, err := s.OrganisationAuditEntries(t.Context(), signUp.Organisation.ID, 0, 10)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	assert.Equal(t, audit.Entry{
		ID: entries[0].ID, At: entries[0].At, OrganisationID: signUp.Organisation.ID, Actor: audit.System, Kind: audit.EmailFinished,
		Subject: emails[0].ID, Outcome: audit.Refused,
		Data: audit.Data{"user": signUp.User.ID, "attempts": "1", "reason": "recipient_refused", "answer": "550 5.1.1"},
	}, entries[0])
}

func testAuditOfBilling(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID := storeSignUp(t, s, "ada").Organisation.ID
	ctx := audit.WithActor(t.Context(), audit.User("user-ada"))
	op := newOperation("op_1", orgID, billing.SubscriptionOperation, noon)
	for range 2 {
		_, err := s.BeginOperation(ctx, op, 0)
		require.NoError(t, err)
	}
	sub := newSubscription("sub_1", billing.Trialing, noon)
	for _, status := range []billing.Status{billing.Trialing, billing.Active} {
		sub.Status = status
		_, err := s.UpdateBilling(ctx, orgID, storage.BillingUpdate{
			Invoices: []billing.Invoice{{ID: "in@1", Status: billing.InvoicePaid, Total: euros(500), AmountDue: euros(500), AmountPaid: euros(500)}},
			Entries:  []audit.Entry{{OrganisationID: orgID, Kind: audit.OperatorReadAgain}},
		}, func(o *account.Organisation) error {
			o.Billing.Subscriptions = []billing.Subscription{sub}
			return nil
		})
		require.NoError(t, err)
	}
	settlement := billing.Settlement{Result: "sub_1", Outcome: audit.Failed, Reason: "declined"}
	for range 2 {
		_, err := s.SettleOperation(t.Context(), "op_1", settlement, noon)
		require.NoError(t, err)
	}

	entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{OrganisationID: orgID, Limit: 20})
	require.NoError(t, err)
	var got [][4]string
	for _, e := range entries[1:] {
		got = append(got, [4]string{string(e.Kind), string(e.Actor.Kind), e.Subject + e.Cause, e.Data["amount"] + e.Data["to"] + e.Data["result"]})
	}
	assert.Equal(t, [][4]string{
		{"operation.begun", "user", "op_1", ""}, {"plan.started", "provider", "sub_1", ""},
		{"invoice.issued", "provider", "in?1", "500 EUR"}, {"payment.received", "provider", "in?1", "500 EUR"},
		{"operator.read_again", "user", "", ""},
		{"plan.status_changed", "provider", "sub_1", "active"}, {"operator.read_again", "user", "", ""}, {"operation.settled", "system", "op_1", "sub_1"},
	}, got)
	settled := entries[len(entries)-1]
	assert.Equal(t, audit.Failed, settled.Outcome)
	assert.Equal(t, "declined", settled.Data["reason"])
}
