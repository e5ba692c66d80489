package storagetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var searchScenarios = []scenario{
	{"SearchOrganisations finds a sign-up by name, person and email", testSearchSignUp},
	{"SearchOrganisations ignores case, diacritics and punctuation", testSearchFolding},
	{"SearchOrganisations finds the organisations with all words", testSearchAllWords},
	{"SearchOrganisations leads from an id to its organisation", testSearchIDs},
	{"SearchOrganisations refuses queries without words and survives hostile ones", testSearchQueries},
	{"SearchOrganisations returns at most the limit, exact words first", testSearchLimit},
	{"search terms follow the organisation", testSearchTermsOfOrganisation},
	{"search terms follow the members", testSearchTermsOfMembers},
	{"search terms follow the email address of a user", testSearchTermsOfEmailChange},
	{"search terms of concurrent changes are complete", testConcurrentSearchTerms},
	{"search terms are deleted with the registration", testSearchTermsOfDeletedRegistration},
}

// search returns the result for a query, with a limit of 26.
func search(t *testing.T, s storage.Store, query string) storage.SearchResult {
	t.Helper()
	result, err := s.SearchOrganisations(t.Context(), query, 26)
	require.NoError(t, err, query)
	require.False(t, result.TimedOut, query)
	return result
}

// requireFound requires the query to find exactly the organisations.
func requireFound(t *testing.T, s storage.Store, query string, organisationIDs ...string) {
	t.Helper()
	ids := []string{}
	for _, match := range search(t, s, query).Matches {
		ids = append(ids, match.Organisation.ID)
	}
	require.ElementsMatch(t, organisationIDs, ids, query)
}

// storeNamedSignUp stores a sign-up with a name of its organisation.
func storeNamedSignUp(t *testing.T, s storage.Store, id, name string) account.Organisation {
	t.Helper()
	signUp := newSignUp(id)
	signUp.Organisation.Name = name
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	return signUp.Organisation
}

func testSearchSignUp(t *testing.T, h Harness) {
	s := h.Open(t)
	org := storeNamedSignUp(t, s, "ada", "Harbour Physiotherapy")
	storeNamedSignUp(t, s, "bob", "Wharf Street Clinic")
	for query, kinds := range map[string][]storage.TermKind{
		"harbour": {storage.NameTerm}, "  HARB phys ": {storage.NameTerm}, "ada@example.test": {storage.EmailTerm},
		"ada@ex": {storage.EmailTerm}, "ada": {storage.EmailTerm, storage.PersonTerm}, "harbour noel": {storage.NameTerm, storage.PersonTerm},
	} {
		if query == "ada" {
			continue // both organisations have a member of this name
		}
		result := search(t, s, query)
		require.Len(t, result.Matches, 1, query)
		match := result.Matches[0]
		storedOrg, err := s.Organisation(t.Context(), org.ID)
		require.NoError(t, err)
		assert.Equal(t, storedOrg, match.Organisation)
		assert.Equal(t, kinds, match.Kinds, query)
		assert.Equal(t, "harbour physiotherapy", match.NameKey)
		assert.False(t, result.IsExact)
		require.Len(t, match.Members, 1)
		assert.Equal(t, "ada@example.test", match.Members[0].Email)
	}
	requireFound(t, s, "ada", "organisation-ada", "organisation-bob")
	for _, query := range []string{"arbour", "harbour wharf", "ada@example.testing", "bob@example.test harbour"} {
		requireFound(t, s, query)
	}
}

func testSearchFolding(t *testing.T, h Harness) {
	s := h.Open(t)
	for i, c := range []struct {
		name    string
		queries []string
	}{
		{"Clínica Ñandú", []string{"clinica nandu", "CLÍNICA", "n\u0303andu\u0301"}},
		{"Großmann & Søn", []string{"grossmann", "GROSSMANN son", "søn"}},
		{"St. Mary's Łódź", []string{"marys", "mary’s", "st mary", "lodz"}},
		{"Smith-Jones/Partners", []string{"smith-jones", "smith jones", "partners", "jones-smith"}},
		{"Ｆｕｌｌ Ｗｉｄｔｈ", []string{"full width"}},
		{"東京診療所", []string{"東京"}},
		{"ΟΔΟΣ Кліника", []string{"οδος", "КЛІНИКА"}},
	} {
		org := storeNamedSignUp(t, s, fmt.Sprintf("org%d", i), c.name)
		for _, query := range c.queries {
			requireFound(t, s, query, org.ID)
		}
	}
}

func testSearchAllWords(t *testing.T, h Harness) {
	s := h.Open(t)
	one := storeNamedSignUp(t, s, "one", "Common Practice One Unique")
	two := storeNamedSignUp(t, s, "two", "Common Practice Two")
	requireFound(t, s, "common practice", one.ID, two.ID)
	requireFound(t, s, "practice uni common", one.ID)
	requireFound(t, s, "common & practice", one.ID, two.ID)
	requireFound(t, s, "common unknown")
}

func testSearchIDs(t *testing.T, h Harness) {
	s := h.Open(t)
	org := fullOrganisation(newOrganisation("ada"))
	storeSignUp(t, s, "ada")
	storeNamedSignUp(t, s, "bob", "K7Q2-0001 named like an invoice")
	updateOrganisation(t, s, org.ID, func(o *account.Organisation) {
		o.Billing.CustomerID, o.Billing.Subscriptions = "cus_Q1", []billing.Subscription{newSubscription("sub_1", billing.Active, noon)}
	})
	_, err := s.UpdateBilling(t.Context(), org.ID, storage.BillingUpdate{Invoices: []billing.Invoice{
		{ID: "in_1", Number: "K7Q2-0001", Total: euros(1), CreatedAt: noon},
	}}, func(*account.Organisation) error { return nil })
	require.NoError(t, err)
	for _, query := range []string{org.ID, "user-ada", "cus_Q1", "sub_1", "K7Q2-0001", " k7q2-0001\n", "CUS_q1"} {
		result := search(t, s, query)
		require.Len(t, result.Matches, 1, query)
		assert.Equal(t, org.ID, result.Matches[0].Organisation.ID, query)
		assert.True(t, result.IsExact, query)
		assert.Empty(t, result.Matches[0].Kinds, query)
	}
	requireFound(t, s, "K7Q2-00", org.ID)
	requireFound(t, s, "sub_2")
}

func testSearchQueries(t *testing.T, h Harness) {
	s := h.Open(t)
	storeNamedSignUp(t, s, "ada", "Practice % _ \\ '")
	for _, query := range []string{"", "  ", "a", "a b c", "-", "%", "&& _", "\x00", "🩺"} {
		_, err := s.SearchOrganisations(t.Context(), query, 26)
		requireFault(t, fault.Invalid, err)
		assert.Equal(t, "q", fault.FieldsOf(err)[0].Name, "%q", query)
	}
	for _, query := range []string{
		"%%", "__", "' OR 1=1 --", "\xff\xfe", "x\x00y", "\U0010FFFF\U0010FFFF", strings.Repeat("word ", 10_000),
		strings.Repeat("x", 10_000), "zz'; DROP TABLE search_terms",
	} {
		result, err := s.SearchOrganisations(t.Context(), query, 26)
		if err != nil {
			requireFault(t, fault.Invalid, err)
		}
		assert.Empty(t, result.Matches, "%q", query)
	}
	requireFound(t, s, "practice", "organisation-ada")
	requireFound(t, s, "practice a b", "organisation-ada")
}

func testSearchLimit(t *testing.T, h Harness) {
	s := h.Open(t)
	for i := range 5 {
		storeNamedSignUp(t, s, fmt.Sprintf("org%d", i), fmt.Sprintf("Maryland %d", i))
	}
	exact := storeNamedSignUp(t, s, "exact", "Mary")
	result, err := s.SearchOrganisations(t.Context(), "mary", 3)
	require.NoError(t, err)
	require.Len(t, result.Matches, 3)
	assert.Equal(t, exact.ID, result.Matches[0].Organisation.ID)
}

func testSearchTermsOfOrganisation(t *testing.T, h Harness) {
	s := h.Open(t)
	org := storeNamedSignUp(t, s, "ada", "Harbour Clinic")
	updateOrganisation(t, s, org.ID, func(o *account.Organisation) {
		o.Name = "Wharf Clinic"
		o.Details = &account.BillingDetails{LegalName: "Clinic Holding", BillingEmail: "bills@wharf.example"}
		o.Billing.CustomerID = "cus_1"
		sub := newSubscription("sub_1", billing.Active, noon)
		sub.Next.Method = nil
		sub.Method = &billing.PaymentMethod{Kind: billing.CardMethod, Card: billing.Card{Brand: "visa", Last4: "4242"}}
		o.Billing.Subscriptions = []billing.Subscription{sub}
	})
	requireFound(t, s, "harbour")
	for query, kind := range map[string]storage.TermKind{
		"wharf": storage.NameTerm, "holding": storage.NameTerm, "bills@": storage.BillingEmailTerm, "cus_": storage.CustomerTerm, "4242": storage.MethodTerm,
	} {
		requireFound(t, s, query, org.ID)
		assert.Equal(t, []storage.TermKind{kind}, search(t, s, query).Matches[0].Kinds, query)
	}
	charged := billing.PaymentMethod{Kind: billing.CardMethod, Card: billing.Card{Brand: "visa", Last4: "4242"}}
	returned := billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "BECS •••• 3456"}
	_, err := s.UpdateBilling(t.Context(), org.ID, storage.BillingUpdate{Invoices: []billing.Invoice{{
		ID: "in_1", Number: "A-1", Total: euros(1), CreatedAt: noon, ReceivedPayments: []billing.ReceivedPayment{{Method: &charged}},
		Returns: []billing.Return{{Method: &returned}},
	}}}, func(o *account.Organisation) error {
		o.Details, o.Billing.Subscriptions[0].Method.Card.Last4 = nil, "1881"
		return nil
	})
	require.NoError(t, err)
	for _, query := range []string{"holding", "bills@"} {
		requireFound(t, s, query)
	}
	for _, query := range []string{"wharf clinic", "1881", "4242", "3456", "a-1"} {
		requireFound(t, s, query, org.ID)
	}
	_, err = s.UpdateOrganisation(t.Context(), org.ID, func(o *account.Organisation) error {
		o.Name = "Refused"
		return assert.AnError
	})
	require.ErrorIs(t, err, assert.AnError)
	requireFound(t, s, "refused")
}

func testSearchTermsOfMembers(t *testing.T, h Harness) {
	s := h.Open(t)
	org, other := storeSignUp(t, s, "ada").Organisation.ID, storeSignUp(t, s, "bob").Organisation.ID
	newUser := newSignUp("cleo").User
	newUser.FirstName = "Cleopatra"
	join := func(organisationID string, user *account.User) {
		_, err := s.UpdateTeam(t.Context(), organisationID, noon, func(team *account.Team) (storage.TeamEffects, error) {
			team.Members = append(team.Members, account.Member{Membership: account.Membership{
				UserID: newUser.ID, OrganisationID: organisationID, Role: account.ReadingMember, JoinedAt: noon.Add(time.Hour), LastUsedAt: noon,
			}})
			return storage.TeamEffects{NewUser: user}, nil
		})
		require.NoError(t, err)
	}
	join(org, &newUser)
	requireFound(t, s, "cleopatra", org)
	join(other, nil)
	requireFound(t, s, "cleopatra noel", org, other)
	requireFound(t, s, "cleo@example.test", org, other)

	_, err := s.UpdateUser(t.Context(), newUser.ID, func(u *account.User) error {
		u.FirstName, u.LastName = "Ada", "Zenobia"
		return nil
	})
	require.NoError(t, err)
	requireFound(t, s, "cleopatra")
	requireFound(t, s, "zenobia ada", org, other)

	_, err = s.UpdateTeam(t.Context(), org, noon, func(team *account.Team) (storage.TeamEffects, error) {
		team.Members = slices.DeleteFunc(team.Members, func(m account.Member) bool { return m.UserID == newUser.ID })
		return storage.TeamEffects{}, nil
	})
	require.NoError(t, err)
	requireFound(t, s, "zenobia", other)
	requireFound(t, s, "cleo@example.test", other)
	requireFound(t, s, "ada king", org, other) // the name of the other member
}

func testSearchTermsOfEmailChange(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := storeSignUp(t, s, "ada")
	_, err := s.UpdateCredentials(t.Context(), signUp.User.ID, noon, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		c.User.Email = "new@example.test"
		return storage.CredentialsEffects{}, nil
	})
	require.NoError(t, err)
	requireFound(t, s, "new@example.test", signUp.Organisation.ID)
	requireFound(t, s, "ada@example.test")
}

// testConcurrentSearchTerms renames the two members of an organisation to each other's names at the same time.
func testConcurrentSearchTerms(t *testing.T, h Harness) {
	s := h.Open(t)
	org := storeSignUp(t, s, "ada").Organisation.ID
	users := []string{"user-ada"}
	_, err := s.UpdateTeam(t.Context(), org, noon, func(team *account.Team) (storage.TeamEffects, error) {
		user := newSignUp("bob").User
		users = []string{"user-ada", user.ID}
		team.Members = append(team.Members, account.Member{Membership: account.Membership{
			UserID: user.ID, OrganisationID: org, Role: account.ReadingMember, JoinedAt: noon.Add(time.Hour), LastUsedAt: noon,
		}})
		return storage.TeamEffects{NewUser: &user}, nil
	})
	require.NoError(t, err)
	names := []string{"Anna", "Berta", "Carla"}
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		_, err := store.UpdateUser(t.Context(), users[worker%2], func(u *account.User) error {
			u.FirstName = names[worker%len(names)]
			return nil
		})
		assert.NoError(t, err)
	})
	var stored []string
	for _, id := range users {
		user, err := s.User(t.Context(), id)
		require.NoError(t, err)
		stored = append(stored, user.FirstName)
	}
	for _, name := range names {
		if slices.Contains(stored, name) {
			requireFound(t, s, name, org)
		} else {
			requireFound(t, s, name)
		}
	}
}

func testSearchTermsOfDeletedRegistration(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := newSignUp("ada")
	signUp.User.VerifiedAt = time.Time{}
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	requireFound(t, s, "ada@example.test", signUp.Organisation.ID)
	_, err := s.DeleteRegistration(t.Context(), signUp.User.ID)
	require.NoError(t, err)
	requireFound(t, s, "ada@example.test")
	requireFound(t, s, "practice")

	// The same id, so that a remaining term would be found.
	signUp.Organisation.Name = "Another"
	require.NoError(t, s.CreateSignUp(t.Context(), signUp))
	requireFound(t, s, "practice")
}
