package httpapi

import (
	"net/http"
	"net/url"

	"github.com/vc-admin/diy/domain/fault"
)

// verifyEmail answers the link in a verification email. It changes something only in the browser that
// registered, so that a program which fetches the links in emails does nothing by it.
func (a *api) verifyEmail(w http.ResponseWriter, r *http.Request) error {
	token := r.URL.Query().Get("token")
	email, verified, err := a.UseCases.VerifyEmail.Do(r.Context(), token, func(userID string) bool {
		_, registered := a.Browsers.Known(r, userID)
		return registered
	})
	target := "/vc-admin/dash?verified=1"
	switch {
	case fault.Is(err, fault.NotFound):
		target = "/vc-admin/dash?verified=0"
	case err != nil:
		return err
	case !verified:
		target = "/vc-admin/auth/confirm?token=" + url.QueryEscape(token)
	case email != "":
		a.Browsers.Remember(w, r, email)
	}
	w.Header().Set("Referrer-Policy", "no-referrer") // the address holds the token
	http.Redirect(w, r, target, http.StatusSeeOther)
	return nil
}

// tokenPage serves a screen whose address holds a token, until the screen takes it out.
func (a *api) tokenPage(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Referrer-Policy", "no-referrer")
	return a.page(w, r)
}

type tokenWire struct {
	Token string `json:"token"`
}

type registrationShownWire struct {
	Org   string `json:"org"`
	Email string `json:"email"`
}

func (a *api) showRegistration(w http.ResponseWriter, r *http.Request) error {
	in, err := decode[tokenWire](r)
	if err != nil {
		return err
	}
	user, org, err := a.UseCases.ShowRegistration.Do(r.Context(), in.Token)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, registrationShownWire{Org: org.Name, Email: user.Email})
}

// confirmRegistration counts wrong passwords as a sign-in does.
func (a *api) confirmRegistration(w http.ResponseWriter, r *http.Request) error {
	in, err := decode[struct {
		Token    string `json:"token"`
		Password string `json:"password"`
	}](r)
	if err != nil {
		return err
	}
	user, _, err := a.UseCases.ShowRegistration.Do(r.Context(), in.Token)
	if err != nil {
		return err
	}
	err = a.limited(r, a.signInUses(r, user.Email), func() error {
		return a.UseCases.ConfirmRegistration.Do(r.Context(), in.Token, in.Password)
	})
	if err != nil {
		return err
	}
	a.Browsers.Remember(w, r, user.Email)
	return reply(w, http.StatusOK, done{})
}

func (a *api) rejectRegistration(w http.ResponseWriter, r *http.Request) error {
	in, err := decode[tokenWire](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.RejectRegistration.Do(r.Context(), in.Token); err != nil {
		return err
	}
	return reply(w, http.StatusOK, done{})
}

func (a *api) resendVerification(w http.ResponseWriter, r *http.Request) error {
	in, err := decode[struct {
		Email string `json:"email"`
	}](r)
	if err != nil {
		return err
	}
	err = a.limited(r, resendUses(r, in.Email), func() error {
		return a.UseCases.ResendVerification.Do(r.Context(), in.Email)
	})
	if err != nil {
		return err
	}
	return reply(w, http.StatusAccepted, done{})
}
