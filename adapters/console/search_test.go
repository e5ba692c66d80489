package console_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
)

func TestSearch_ListsMatchesAndWarnsOfSimilarNames(t *testing.T) {
	env := apptest.New(t)
	c := newConsole(t, env, nil)
	for name, orgName := range map[string]string{"ann": "Harbour <b>Physio</b>", "bob": "Harbour Physio Pty Ltd", "cleo": "Wharf Clinic"} {
		_, err := env.Store.UpdateOrganisation(t.Context(), env.SignUp(name).OrganisationID, func(o *account.Organisation) error {
			o.Name = orgName
			return nil
		})
		require.NoError(t, err)
	}
	body := get(c, "/console/search?q=harbour+lee", "sue").Body.String()
	assert.Contains(t, body, "2 organisations for “harbour lee”")
	assert.Contains(t, body, "Harbour &lt;b&gt;Physio&lt;/b&gt;")
	assert.Contains(t, body, "Found by: name, person")
	assert.Contains(t, body, "Ann Lee · ann@example.com")
	assert.NotContains(t, body, "nearly the same name", "b is a word of the first name")

	body = get(c, "/console/search?q=wharf", "sue").Body.String()
	assert.Contains(t, body, "1 organisation for")
	body = get(c, "/console/search?q=unknown", "sue").Body.String()
	assert.Contains(t, body, "No organisation for “unknown”")
	body = get(c, "/console/search?q=x", "sue").Body.String()
	assert.Contains(t, body, "Enter at least two characters of a word.")

	ann, err := env.Store.UserByEmail(t.Context(), "ann@example.com")
	require.NoError(t, err)
	_, err = env.Store.UpdateOrganisation(t.Context(), ann.OrganisationID, func(o *account.Organisation) error {
		o.Name = "HARBOUR, physio"
		return nil
	})
	require.NoError(t, err)
	assert.Contains(t, get(c, "/console/search?q=harbour", "sue").Body.String(), "Two organisations have nearly the same name.")
}
