package httpapi

import "net/http"

type passwordResetWire struct {
	Token          string `json:"token"`
	Password       string `json:"password"`
	PasswordRepeat string `json:"password_repeat"`
}

// forgotPassword answers every address alike.
func (a *api) forgotPassword(w http.ResponseWriter, r *http.Request) error {
	in, err := decode[struct {
		Email string `json:"email"`
	}](r)
	if err != nil {
		return err
	}
	err = a.limited(r, forgotUses(r, in.Email), func() error {
		return a.UseCases.ForgotPassword.Do(r.Context(), in.Email)
	})
	if err != nil {
		return err
	}
	return reply(w, http.StatusAccepted, done{})
}

// resetPassword makes the browser known for the address, whose mailbox the person can read.
func (a *api) resetPassword(w http.ResponseWriter, r *http.Request) error {
	in, err := decode[passwordResetWire](r)
	if err != nil {
		return err
	}
	var email string
	err = a.limited(r, addressUses(r, resetsOfAddress), func() (err error) {
		email, err = a.UseCases.ResetPassword.Do(r.Context(), in.Token, in.Password, in.PasswordRepeat)
		return err
	})
	if err != nil {
		return err
	}
	a.Browsers.Remember(w, r, email)
	return reply(w, http.StatusOK, struct {
		Email string `json:"email"`
	}{email})
}
