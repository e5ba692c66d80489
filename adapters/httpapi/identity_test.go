package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWrongEmailAndWrongPasswordAnswerAlike(t *testing.T) {
	h := newHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	b := h.browser(t)

	unknown := b.post("/auth/login?strategy=local", map[string]any{"username": "bob@sunrise.example", "password": password})
	wrong := b.post("/auth/login", map[string]any{"username": "ada@sunrise.example", "password": "Wrong1horse"})

	unknown.refused(http.StatusUnauthorized, "ERRCREDENTIALS")
	assert.Equal(t, string(unknown.Body), string(wrong.Body))
}

func TestLogoutEndsTheSessionOnTheServer(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	stolen := b.cookie("diy")

	a := b.get("/vc-admin/auth/logout")
	assert.Equal(t, http.StatusSeeOther, a.Status)
	assert.Equal(t, "/vc-admin/dash", a.Header.Get("Location"))
	assert.Nil(t, b.detail().Detail)

	r := b.request(http.MethodGet, "/vc-admin/user/detail", nil)
	r.AddCookie(&http.Cookie{Name: "diy", Value: stolen})
	assert.Nil(t, into[detail](b.send(r)).Detail)
}

func TestLogoutAnswersScriptsPlainly(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	r := b.request(http.MethodGet, "/vc-admin/auth/logout", nil)
	r.Header.Set("X-Requested-With", "XMLHttpRequest")

	a := b.send(r)

	assert.Equal(t, http.StatusOK, a.Status)
	assert.JSONEq(t, `{}`, string(a.Body))
}

func TestVerificationLinks(t *testing.T) {
	h := newHouse(t)
	b := h.browser(t)
	const failed = "/vc-admin/dash?verified=0"

	assert.Equal(t, failed, b.get("/vc-admin/auth/verify").Header.Get("Location"))
	assert.Equal(t, failed, b.get("/vc-admin/auth/verify?token=guess").Header.Get("Location"))

	link := b.register("Sunrise Clinic", "ada@sunrise.example")
	for range 2 {
		a := b.get(link)
		assert.Equal(t, "/vc-admin/dash?verified=1", a.Header.Get("Location"), "opening it twice is harmless")
		assert.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"))
	}

	old := b.register("Sunset Clinic", "bob@sunset.example")
	h.advance(t, 49*time.Hour)
	assert.Equal(t, failed, b.get(old).Header.Get("Location"))
}

func TestResendAlwaysAnswersAlike(t *testing.T) {
	h := newHouse(t)
	b := h.browser(t)
	b.register("Sunrise Clinic", "ada@sunrise.example")
	letters := len(h.mailbox.Emails())

	for _, email := range []string{"nobody@sunrise.example", "no address", "ADA@sunrise.example"} {
		a := b.post("/vc-admin/auth/verify/resend", map[string]any{"email": email})
		assert.Equal(t, http.StatusAccepted, a.Status)
		assert.JSONEq(t, `{}`, string(a.Body))
	}

	h.deliverMail(t)
	assert.Len(t, h.mailbox.Emails(), letters+1, "only who waits for a letter gets one")
}

func TestNewUserIsASignUpUnderItsOtherAddress(t *testing.T) {
	b := newHouse(t).browser(t)

	a := b.post("/vc-admin/user-diy/new-user?debug=true", registration("Sunrise Clinic", "ada@sunrise.example"))

	assert.Equal(t, http.StatusCreated, a.Status)
	made := into[struct {
		User struct{ ID, Email string }
		Org  struct{ ID string }
	}](a)
	assert.Equal(t, "ada@sunrise.example", made.User.Email)
	assert.NotEmpty(t, made.User.ID)
	assert.NotEmpty(t, made.Org.ID)
}
