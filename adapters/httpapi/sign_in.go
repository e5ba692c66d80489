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
	if err := a.UseCases.SignIn.Do(r.Context(), in.Username, in.Password); err != nil {
		return err
	}
	return reply(w, http.StatusOK, done{})
}
