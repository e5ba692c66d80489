package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/audit"
)

var tokenPattern = regexp.MustCompile(`name="token" value="([^"]+)"`)

// openForm returns the form of ending the sessions of the first member, filled in.
func openForm(t *testing.T, c *console.Console, path, userID string) url.Values {
	t.Helper()
	page := get(c, path, "sue")
	require.Equal(t, http.StatusOK, page.Code)
	match := tokenPattern.FindStringSubmatch(page.Body.String())
	require.NotNil(t, match)
	return url.Values{"token": {match[1]}, "user": {userID}, "reason": {"security"}, "ticket": {"4711"}, "note": {"stolen laptop"}}
}

func TestEndSessions_ActsOnceAndStatesTheReason(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("harbour")
	org := user.Organisation().ID
	c := newConsole(t, env, nil)
	path := "/console/organisations/" + org + "/end-sessions"
	team, err := env.Store.Team(t.Context(), org)
	require.NoError(t, err)
	form := openForm(t, c, path, team.Members[0].UserID)

	for range 2 { // a repeat shows the first entry
		w := send(c, request(http.MethodPost, path, "sue", form))
		require.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
		assert.Equal(t, "/console/organisations/"+org+"#timeline", w.Header().Get("Location"))
	}
	ended := entriesOf(t, env, org, audit.OperatorEndedSessions)
	require.Len(t, ended, 1)
	assert.Equal(t, audit.Operator("sue"), ended[0].Actor)
	assert.Equal(t, audit.Data{"reason": "security", "ticket": "4711"}, ended[0].Data)
	assert.Equal(t, "stolen laptop", ended[0].Note)
	assert.NotEmpty(t, ended[0].Cause)
	assert.Contains(t, get(c, "/console/organisations/"+org, "sue").Body.String(), "Sessions ended")
}

func TestEndSessions_HasNoNoteUnlessOneIsEntered(t *testing.T) {
	env := apptest.New(t)
	org := env.SignUp("harbour").Organisation().ID
	c := newConsole(t, env, nil)
	path := "/console/organisations/" + org + "/end-sessions"
	team, err := env.Store.Team(t.Context(), org)
	require.NoError(t, err)
	form := openForm(t, c, path, team.Members[0].UserID)
	form.Del("note")
	require.Equal(t, http.StatusSeeOther, send(c, request(http.MethodPost, path, "sue", form)).Code)
	ended := entriesOf(t, env, org, audit.OperatorEndedSessions)
	require.Len(t, ended, 1)
	assert.Empty(t, ended[0].Note)
	assert.Equal(t, "security", ended[0].Data["reason"])
}

func TestEndSessions_NeedsAReasonAndATicket(t *testing.T) {
	env := apptest.New(t)
	org := env.SignUp("harbour").Organisation().ID
	c := newConsole(t, env, nil)
	path := "/console/organisations/" + org + "/end-sessions"
	for field, value := range map[string]string{
		"reason": "", "ticket": " ", "note": strings.Repeat("n", 201),
	} {
		form := openForm(t, c, path, "unknown")
		form.Set(field, value)
		assert.Equal(t, http.StatusBadRequest, send(c, request(http.MethodPost, path, "sue", form)).Code, field)
	}
	form := openForm(t, c, path, "unknown")
	form.Set("ticket", "ann@example.com")
	assert.Equal(t, http.StatusBadRequest, send(c, request(http.MethodPost, path, "sue", form)).Code, "an address is no ticket")
	assert.Equal(t, http.StatusNotFound,
		send(c, request(http.MethodPost, path, "sue", openForm(t, c, path, "unknown"))).Code)
	assert.Empty(t, entriesOf(t, env, org, audit.OperatorEndedSessions))
}

func TestToken_IsValidForItsFormOnly(t *testing.T) {
	env := apptest.New(t)
	org, other := env.SignUp("harbour").Organisation().ID, env.SignUp("other").Organisation().ID
	c := newConsole(t, env, nil)
	path := "/console/organisations/" + org + "/end-sessions"
	team, err := env.Store.Team(t.Context(), org)
	require.NoError(t, err)
	form := openForm(t, c, path, team.Members[0].UserID)
	forged := openForm(t, newConsole(t, env, func(o *console.Options) { o.Key = []byte("another key") }), path, "x")
	changed := url.Values{"token": {"x" + form.Get("token")}}

	for name, r := range map[string]*http.Request{
		"another operator":     request(http.MethodPost, path, "olga", form),
		"another organisation": request(http.MethodPost, "/console/organisations/"+other+"/end-sessions", "sue", form),
		"another key":          request(http.MethodPost, path, "sue", forged),
		"a changed token":      request(http.MethodPost, path, "sue", changed),
		"no token":             request(http.MethodPost, path, "sue", url.Values{}),
	} {
		assert.Equal(t, http.StatusForbidden, send(c, r).Code, name)
	}
	env.Advance(time.Hour)
	assert.Equal(t, http.StatusConflict, send(c, request(http.MethodPost, path, "sue", form)).Code, "an old form")
	assert.Empty(t, entriesOf(t, env, org, audit.OperatorEndedSessions))
}
