package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/domain/fault"
)

func (a *api) verifyEmail(w http.ResponseWriter, r *http.Request) error {
	err := a.UseCases.VerifyEmail.Do(r.Context(), r.URL.Query().Get("token"))
	target := "/vc-admin/dash?verified=1"
	if fault.Is(err, fault.NotFound) {
		target, err = "/vc-admin/dash?verified=0", nil
	}
	if err != nil {
		return err
	}
	w.Header().Set("Referrer-Policy", "no-referrer") // the address holds the token
	http.Redirect(w, r, target, http.StatusSeeOther)
	return nil
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
