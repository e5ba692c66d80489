package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func (a *api) signIn(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[struct {
		Username emailAddress `json:"username"`
		Password string       `json:"password"`
	}](r)
	if err != nil {
		return err
	}
	email := string(req.Username)
	err = a.callWithinLimits(r, a.signInLimits(r, email), func() error {
		return a.UseCases.SignIn.Do(r.Context(), email, req.Password, a.hasUsedBrowser(r))
	})
	if err != nil {
		return err
	}
	a.KnownBrowsers.Remember(w, r, email)
	return writeJSON(w, http.StatusOK, emptyObject{})
}

// hasUsedBrowser returns a function that reports whether the user has signed in or registered with the browser before.
func (a *api) hasUsedBrowser(r *http.Request) func(account.User) bool {
	return func(user account.User) bool {
		_, signedIn := a.KnownBrowsers.Recognise(r, user.Email)
		_, registered := a.KnownBrowsers.Recognise(r, user.ID)
		return signedIn || registered
	}
}

type passwordResetWire struct {
	Token          linkToken `json:"token"`
	Password       string    `json:"password"`
	PasswordRepeat string    `json:"password_repeat"`
}

// forgotPassword sends the same response whether or not the email has an account.
func (a *api) forgotPassword(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[struct {
		Email emailAddress `json:"email"`
	}](r)
	if err != nil {
		return err
	}
	err = a.callWithinLimits(r, resetEmailLimits(r, string(req.Email)), func() error {
		return a.UseCases.ForgotPassword.Do(r.Context(), string(req.Email))
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, emptyObject{})
}

// resetPassword sets a new password. After that the browser is a known browser, because the link proves access to the
// mailbox.
func (a *api) resetPassword(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[passwordResetWire](r)
	if err != nil {
		return err
	}
	var email string
	err = a.callWithinLimits(r, addressLimits(r, resetsPerAddress), func() (err error) {
		email, err = a.UseCases.ResetPassword.Do(r.Context(), string(req.Token), req.Password, req.PasswordRepeat)
		return err
	})
	if err != nil {
		return err
	}
	a.KnownBrowsers.Remember(w, r, email)
	return writeJSON(w, http.StatusOK, struct {
		Email string `json:"email"`
	}{email})
}

// signOut handles a GET request, because the specification requires a link. It refuses requests from all other origins,
// including other subdomains. Requests without Sec-Fetch-Site are accepted, because browsers omit the header on plain
// HTTP.
func (a *api) signOut(w http.ResponseWriter, r *http.Request) error {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return fault.New(fault.Forbidden, "Please sign out from within the area.")
	}
	if err := a.UseCases.SignOut.Do(r.Context()); err != nil {
		return err
	}
	if r.Header.Get("X-Requested-With") == "XMLHttpRequest" {
		return writeJSON(w, http.StatusOK, emptyObject{})
	}
	http.Redirect(w, r, "/vc-admin/dash", http.StatusSeeOther)
	return nil
}
