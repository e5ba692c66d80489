package httpapi

import "net/http"

func (a *api) signIn(w http.ResponseWriter, r *http.Request) error {
	in, err := decode[struct {
		Username string `json:"username"`
		Password string `json:"password"`
	}](r)
	if err != nil {
		return err
	}
	err = a.limited(r, a.signInUses(r, in.Username), func() error {
		return a.UseCases.SignIn.Do(r.Context(), in.Username, in.Password)
	})
	if err != nil {
		return err
	}
	a.Browsers.Remember(w, r, in.Username)
	return reply(w, http.StatusOK, done{})
}
