package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unseen is pasted around every text: it turns what follows back to front, here, in letters and
// at the payment provider, and nobody sees where it came from.
func unseen(text string) string { return "\u202e\u2066" + text + "\u200b\x1b\ufeff" }

// pasted is a registration whose every text was pasted with something along with it.
func pasted(org, email string) map[string]any {
	in := registration(org, email)
	for _, field := range []string{"firstName", "lastName", "org", "contact"} {
		in[field] = unseen(in[field].(string))
	}
	address := in["billing_address"].(map[string]any)
	for _, field := range []string{"line1", "line2", "state", "postal_code", "city"} {
		address[field] = unseen(address[field].(string))
	}
	return in
}

func TestWhatCannotBeSeenGoesNowhere(t *testing.T) {
	h := newHouse(t)
	b := h.browser(t)

	a := b.post("/vc-admin/signup", pasted("Sunrise\tClinic", "ada@sunrise.example"))
	require.Equal(t, http.StatusCreated, a.Status, "%s", a.Body)
	letter := h.deliverMail(t)
	b.get(verifyLink.FindStringSubmatch(letter)[1])
	b.signIn("ada@sunrise.example")

	assert.Contains(t, letter, "Hello Ada,")
	for _, written := range []string{letter, h.mailbox.Emails()[0].Subject, h.mailbox.Emails()[0].HTML} {
		assert.NotRegexp(t, `[\x{200b}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{feff}\x1b]`, written)
	}
	person := b.detail().Detail
	assert.Equal(t, "Ada Lovelace", person.FirstName+" "+person.LastName)
	type orgDetail struct {
		Name, Phone    string
		BillingAddress map[string]string `json:"billing_address"`
	}
	assert.Equal(t, orgDetail{
		Name: "Sunrise Clinic", Phone: "+61 2 5550 0100",
		BillingAddress: map[string]string{
			"line1": "1 Example Street", "line2": "", "country": "AU", "state": "New South Wales",
			"postal_code": "2000", "city": "Sydney",
		},
	}, into[orgDetail](b.get("/vc-admin/org/detail/"+person.OrgID)))
}

func TestNamesThatLookAlikeBecauseOfWhatCannotBeSeenAreOneName(t *testing.T) {
	h := newHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")

	for _, org := range []string{"\u202eSunrise Clinic", "Sun\u200brise Clinic\u2069", "Sun\u200drise\u0085Clinic"} {
		a := h.browser(t).post("/vc-admin/signup", registration(org, "bob@sunrise.example"))
		a.refused(http.StatusBadRequest, "ERRDUPLICATE")
		assert.Contains(t, a.Fields, "org", "%q", org)
		assert.NotContains(t, a.Fields, "email", "%q", org)
	}
}

func TestAPasswordIsKeptToTheLastCharacterThatCannotBeSeen(t *testing.T) {
	h := newHouse(t)
	b := h.browser(t)
	in := registration("Sunrise Clinic", "ada@sunrise.example")
	in["password"] = unseen(password)
	require.Equal(t, http.StatusCreated, b.post("/vc-admin/signup", in).Status)
	b.get(verifyLink.FindStringSubmatch(h.deliverMail(t))[1])

	b.post("/auth/login", map[string]any{"username": "ada@sunrise.example", "password": password}).
		refused(http.StatusUnauthorized, "ERRCREDENTIALS")
	a := b.post("/auth/login", map[string]any{"username": "ada@sunrise.example", "password": in["password"]})
	assert.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
}
