package storagetest

import (
	"encoding/json"
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
)

var privacyScenarios = []scenario{
	{"an export contains the organisation and its members without credentials and operators", testExportOrganisation},
	{"a request for an erasure is stored once, is due after its delay, and can be withdrawn", testRequestErasure},
	{"a request for an erasure that the check refuses is not stored", testRefusedErasure},
	{"an erasure deletes the organisation and keeps invoices, the audit log and other organisations", testEraseOrganisation},
	{"kept invoices are deleted when their time has passed", testSweepKeptInvoices},
}

func allowErasure(storage.ErasureState) error { return nil }

func testExportOrganisation(t *testing.T, h Harness) {
	s := h.Open(t)
	user := storeSignUp(t, s, "Ada").User
	org, err := s.Organisation(t.Context(), user.OrganisationID)
	require.NoError(t, err)
	entry := newAuditEntry(org.ID, noon)
	entry.Actor, entry.Note = audit.Operator("olga"), "private note"
	require.NoError(t, s.AddAuditEntries(t.Context(), entry))

	export, err := s.ExportOrganisation(t.Context(), org.ID)

	require.NoError(t, err)
	text, err := json.Marshal(export)
	require.NoError(t, err)
	assert.Contains(t, string(text), org.Name)
	assert.Contains(t, string(text), user.Email)
	assert.Contains(t, string(text), string(audit.SignIn))
	for _, secret := range []string{user.PasswordHash, "olga", "private note"} {
		assert.NotContains(t, string(text), secret)
	}
	_, err = s.ExportOrganisation(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
}

func erasureEntry(organisationID string, kind audit.Kind) audit.Entry {
	return audit.Entry{OrganisationID: organisationID, Actor: audit.System, Kind: kind}
}

func testRequestErasure(t *testing.T, h Harness) {
	s := h.Open(t)
	id := storeSignUp(t, s, "Ada").Organisation.ID
	e := account.NewErasure(id, "user", noon)
	emails := []mail.Message{{To: "ada@example.com", Subject: "erasure"}}
	request := func() error {
		return s.RequestErasure(t.Context(), e, allowErasure, emails, erasureEntry(id, audit.ErasureRequested))
	}
	require.NoError(t, request())
	requireFault(t, fault.Conflict, request())

	state, err := s.ErasureState(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, e, state.Erasure)
	assert.Equal(t, id, state.Organisation.ID)
	for at, want := range map[time.Time][]account.Erasure{e.DueAt.Add(-time.Second): nil, e.DueAt: {e}} {
		due, err := s.DueErasures(t.Context(), at, "", 10)
		require.NoError(t, err)
		assert.Equal(t, want, due)
	}
	next, err := s.DueErasures(t.Context(), e.DueAt, id, 10)
	require.NoError(t, err)
	assert.Empty(t, next)

	withdraw := func() error {
		return s.WithdrawErasure(t.Context(), id, noon, emails, erasureEntry(id, audit.ErasureWithdrawn))
	}
	require.NoError(t, withdraw())
	requireFault(t, fault.NotFound, withdraw())
	kinds := kindsOf(t, s, id)
	assert.Equal(t, []audit.Kind{audit.ErasureRequested, audit.ErasureWithdrawn}, kinds[len(kinds)-2:])
}

func testRefusedErasure(t *testing.T, h Harness) {
	s := h.Open(t)
	id := storeSignUp(t, s, "Ada").Organisation.ID
	refusal := fault.New(fault.Conflict, "There is a plan.")
	refuse := func(storage.ErasureState) error { return refusal }
	err := s.RequestErasure(t.Context(), account.NewErasure(id, "user", noon), refuse, nil, erasureEntry(id, audit.ErasureRequested))
	require.ErrorIs(t, err, refusal)
	err = s.EraseOrganisation(t.Context(), storage.OrganisationErasure{
		OrganisationID: id, At: noon, Entry: erasureEntry(id, audit.OrganisationErased),
	}, refuse)
	require.ErrorIs(t, err, refusal)
	state, err := s.ErasureState(t.Context(), id)
	require.NoError(t, err)
	assert.Zero(t, state.Erasure)
}

func testEraseOrganisation(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, ben := storeSignUp(t, s, "Ada").User, storeSignUp(t, s, "Ben").User
	id := ada.OrganisationID
	// Ben is also a member of Ada's organisation and keeps his account.
	_, err := s.UpdateTeam(t.Context(), id, noon, func(team *account.Team) (storage.TeamEffects, error) {
		team.Members = append(team.Members, account.Member{Membership: account.Membership{
			UserID: ben.ID, OrganisationID: id, Role: account.Owner, JoinedAt: noon, LastUsedAt: noon,
		}})
		return storage.TeamEffects{}, nil
	})
	require.NoError(t, err)
	org, err := s.Organisation(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, s.AddAuditEntries(t.Context(), newAuditEntry(id, noon)))
	invoice := billing.Invoice{ID: "in_1", Number: "INV-0001", Status: billing.InvoicePaid, CreatedAt: noon}
	_, err = s.UpdateBilling(t.Context(), id, storage.BillingUpdate{Invoices: []billing.Invoice{invoice}},
		func(*account.Organisation) error { return nil })
	require.NoError(t, err)
	kept := storage.KeptInvoice{
		OrganisationID: id, CustomerID: "cus_1", Invoice: invoice.Summary(), Addressee: billing.Buyer{Name: org.Name}, KeepUntil: noon.AddDate(10, 0, 0),
	}

	require.NoError(t, s.EraseOrganisation(t.Context(), storage.OrganisationErasure{
		OrganisationID: id, At: noon, Invoices: []storage.KeptInvoice{kept}, Entry: erasureEntry(id, audit.OrganisationErased),
		Emails: []mail.Message{{To: ada.Email, Subject: "erased"}},
	}, allowErasure))

	for _, store := range h.sharedStores(t, s) {
		_, err := store.Organisation(t.Context(), id)
		requireFault(t, fault.NotFound, err)
		_, err = store.UserByEmail(t.Context(), ada.Email)
		requireFault(t, fault.NotFound, err)
		remaining, err := store.UserByEmail(t.Context(), ben.Email)
		require.NoError(t, err)
		assert.Equal(t, ben.ID, remaining.ID)
		require.NoError(t, store.CheckAvailable(t.Context(), org.Name, ada.Email))
		requireFound(t, store, ada.Email)
		requireFound(t, store, "INV-0001")
		found, err := store.KeptInvoices(t.Context(), "INV-0001")
		require.NoError(t, err)
		assert.Equal(t, []storage.KeptInvoice{kept}, found)
	}
	entries, err := s.OrganisationAuditEntries(t.Context(), id, 0, 100)
	require.NoError(t, err)
	assert.Equal(t, audit.OrganisationErased, entries[0].Kind)
	for _, e := range entries {
		assert.Empty(t, e.Note)
	}
	requireFault(t, fault.NotFound, s.EraseOrganisation(t.Context(), storage.OrganisationErasure{
		OrganisationID: id, At: noon, Entry: erasureEntry(id, audit.OrganisationErased),
	}, allowErasure))
}

func testSweepKeptInvoices(t *testing.T, h Harness) {
	s := h.Open(t)
	id := storeSignUp(t, s, "Ada").Organisation.ID
	kept := storage.KeptInvoice{OrganisationID: id, Invoice: billing.Invoice{ID: "in_1", Number: "INV-0001"}, KeepUntil: noon}
	require.NoError(t, s.EraseOrganisation(t.Context(), storage.OrganisationErasure{
		OrganisationID: id, At: noon, Invoices: []storage.KeptInvoice{kept}, Entry: erasureEntry(id, audit.OrganisationErased),
	}, allowErasure))
	count, err := s.SweepKeptInvoices(t.Context(), noon.Add(-time.Second))
	require.NoError(t, err)
	assert.Zero(t, count)
	count, err = s.SweepKeptInvoices(t.Context(), noon)
	require.NoError(t, err)
	assert.Equal(t, 1, count)
	found, err := s.KeptInvoices(t.Context(), "INV-0001")
	require.NoError(t, err)
	assert.Empty(t, found)
}
