package crash

import (
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/app/apptest"
)

// TestKill_OperatorsActionIsCompletedOnce kills the server during a refund and during a free month, at each step of the operation.
// After the restart, the form that the operator has sent completes the action, or reports that it was completed.
func TestKill_OperatorsActionIsCompletedOnce(t *testing.T) {
	t.Parallel()
	binary := serverBinary(t)
	for name, database := range map[string]func(*testing.T) string{
		"SQLite": func(*testing.T) string { return "" }, "PostgreSQL": func(t *testing.T) string { return postgrestest.URL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, binary, database(t), 30+uint64(len(name)))
			h.startServer("")
			for _, action := range []operatorAction{
				{
					name: "refund", method: "Refund", form: url.Values{"amount": {"10"}}, entry: "Refund requested",
					effect: "<dt>Refunded before</dt><dd>AUD 10.00</dd>",
				},
				{
					name: "free-month", method: "AddCredit", entry: "Free month added",
					effect: "<dt>Free months in the last 12 months</dt><dd>1 of 3</dd>",
				},
			} {
				for _, point := range []string{
					"before BeginOperation", "after BeginOperation", "before " + action.method, "after " + action.method,
					"before SettleOperation", "after SettleOperation",
				} {
					h.requireCompletedOnce(action, point)
				}
			}
			h.kill(h.server, killWhilePaused)
			assert.Empty(t, h.report.problems)
		})
	}
}

// operatorAction is an action of the console.
type operatorAction struct {
	name   string // in the path
	method string // of the payment provider
	form   url.Values
	entry  string // the text of its entry in the timeline
	effect string // what its form shows after the action was made once
}

// requireCompletedOnce sends the form of the action to a server that is killed at the point, and again to the next server.
func (h *harness) requireCompletedOnce(action operatorAction, point string) {
	h.t.Helper()
	organisation := "/console/organisations/" + h.newPayingUser().orgID
	path := organisation + "/" + action.name
	page := h.consolePage(path)
	token := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(page)
	require.NotNil(h.t, token, page)
	form := url.Values{"token": {token[1]}, "reason": {"goodwill"}, "ticket": {"T-1"}}
	maps.Copy(form, action.form)
	creditBefore := figure(page, "Credit today")
	h.kill(h.server, killWhilePaused)

	server := h.startServer(point + " 1")
	_, err := h.sendForm(path, form)
	require.Error(h.t, err, "%s: the server responds", point)
	select {
	case <-server.exited:
	case <-time.After(timeout):
		require.Fail(h.t, "the server was not killed", point)
	}
	h.kill(server, point)

	h.advanceClocks(takeoverDelay)
	h.startServer("")
	for range 2 {
		require.Equal(h.t, http.StatusSeeOther, h.sendFormUntilSettled(path, form), "%s %s", action.name, point)
	}
	page = h.consolePage(path)
	assert.Contains(h.t, page, action.effect, "%s %s", action.name, point)
	if creditBefore != "" {
		assert.Equal(h.t, figure(page, "Credit to add"), figure(page, "Credit today"), "%s: the credit of one month", point)
	}
	assert.Equal(h.t, 1, strings.Count(h.consolePage(organisation), "<p>"+action.entry+"</p>"), "%s %s", action.name, point)
}

// figure returns the figure with the label on the page of a form, or "".
func figure(page, label string) string {
	match := regexp.MustCompile("<dt>" + label + "</dt><dd>([^<]+)</dd>").FindStringSubmatch(page)
	if match == nil {
		return ""
	}
	return match[1]
}

// newPayingUser returns a new user with a paid plan.
func (h *harness) newPayingUser() *user {
	h.t.Helper()
	u := &user{harness: h, rnd: rand.New(rand.NewPCG(h.rnd.Uint64(), 0)), client: newClient(&h.launcher)}
	subscribe := func(u *user, ctx context.Context) error {
		return u.subscribe(ctx, "standard_yearly", apptest.Visa, true, "active")
	}
	for _, s := range append(slices.Clip(registrationSteps), subscribe) {
		require.NoError(h.t, u.runStep(h.t.Context(), s), h.report.problems)
	}
	return u
}

// consolePage returns a page of the console.
func (h *harness) consolePage(path string) string {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, *h.launcher.origin.Load()+path, http.NoBody)
	require.NoError(h.t, err)
	status, body, err := doOnce(r)
	require.NoError(h.t, err)
	require.Equal(h.t, http.StatusOK, status, body)
	return body
}

// sendForm sends a form of the console once.
func (h *harness) sendForm(path string, form url.Values) (status int, err error) {
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, *h.launcher.origin.Load()+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	status, body, err := doOnce(r)
	if status == http.StatusConflict && strings.Contains(body, "still being processed") {
		return http.StatusServiceUnavailable, nil
	}
	return status, err
}

// sendFormUntilSettled sends a form until the server does not report that the action is in progress.
func (h *harness) sendFormUntilSettled(path string, form url.Values) (status int) {
	h.t.Helper()
	for start := time.Now(); time.Since(start) < timeout; sleep(h.t.Context(), 20*time.Millisecond) {
		var err error
		status, err = h.sendForm(path, form)
		require.NoError(h.t, err)
		if status != http.StatusServiceUnavailable {
			break
		}
	}
	return status
}

// doOnce sends a request without following redirects.
func doOnce(r *http.Request) (status int, body string, err error) {
	c := http.Client{
		Timeout: timeout, Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := c.Do(r)
	if err != nil {
		return 0, "", err
	}
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), errors.Join(err, res.Body.Close())
}
