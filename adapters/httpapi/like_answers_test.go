package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// alike fails the test when the answers tell their questions apart.
func alike(t *testing.T, one, other answer) {
	t.Helper()
	for _, a := range []answer{one, other} {
		for _, own := range []string{"Date", "X-Request-Id", "Set-Cookie"} {
			a.Header.Del(own) // differ between any two answers; cookies are compared by name below
		}
	}
	assert.Equal(t, one.Status, other.Status)
	assert.Equal(t, string(one.Body), string(other.Body))
	assert.Equal(t, one.Header, other.Header)
}

func cookieNames(a answer) (names []string) {
	for _, cookie := range (&http.Response{Header: a.Header}).Cookies() {
		names = append(names, cookie.Name)
	}
	return names
}

func TestSigningInDoesNotTellWhoHasAnAccount(t *testing.T) {
	h := newHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	h.browser(t).register("Harbour Clinic", "unverified@harbour.example")
	ask := func(email string) answer {
		return h.browser(t).post("/auth/login", map[string]any{"username": email, "password": "Not-the-password-1"})
	}
	unknown := ask("nobody@sunrise.example")
	unknown.refused(http.StatusUnauthorized, "ERRCREDENTIALS")

	for _, known := range []string{"ada@sunrise.example", "unverified@harbour.example"} {
		a := ask(known)
		assert.Equal(t, cookieNames(unknown), cookieNames(a))
		alike(t, ask("nobody@sunrise.example"), a)
	}
}

func TestResendingDoesNotTellWhoHasAnAccount(t *testing.T) {
	h := newHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	h.browser(t).register("Harbour Clinic", "unverified@harbour.example")
	ask := func(email string) answer {
		return h.browser(t).post("/vc-admin/auth/verify/resend", map[string]any{"email": email})
	}
	for _, known := range []string{"ada@sunrise.example", "unverified@harbour.example"} {
		alike(t, ask("nobody@sunrise.example"), ask(known))
	}
}

// What belongs to somebody else is as good as unknown.
func TestForeignThingsAnswerAsUnknownOnesDo(t *testing.T) {
	h := newHouse(t)
	bob := h.member(t, "Harbour Clinic", "bob@harbour.example")
	foreignCard, foreignOrg := bob.addCard("4242424242424242"), bob.detail().Detail.OrgID
	ada := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	ada.post("/vc-admin/user-diy/new-customer", nil)

	alike(t, ada.get("/vc-admin/org/detail/org_unknown"), ada.get("/vc-admin/org/detail/"+foreignOrg))
	for path, body := range map[string]func(id string) map[string]any{
		"/vc-admin/org/customer/cards/add": func(id string) map[string]any { return map[string]any{"paymentMethodId": id} },
		"/vc-admin/org/customer/cards/del": func(id string) map[string]any { return map[string]any{"paymentMethodId": id} },
		"/vc-admin/user-diy/subscribe":     yearly,
		"/vc-admin/org/customer/edit": func(id string) map[string]any {
			return map[string]any{"invoice_settings": map[string]any{"default_payment_method": id}}
		},
	} {
		unknown := ada.post(path, body("pm_unknown"))
		assert.Equal(t, http.StatusNotFound, unknown.Status, path)
		alike(t, unknown, ada.post(path, body(foreignCard)))
	}
}
