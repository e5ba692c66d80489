package httpapi

import (
	"net/http"
	"strconv"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func (a *api) signIn(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[struct {
		Username     emailAddress `json:"username"`
		Password     string       `json:"password"`
		Code         string       `json:"code"`
		Organisation string       `json:"organisation"`
	}](r)
	if err != nil {
		return err
	}
	login := accounts.Login{
		Email: string(req.Username), Password: req.Password, Code: req.Code, OrganisationID: req.Organisation,
		Network: auditNetwork(r),
	}
	var user account.User
	err = a.callWithinLimits(r, a.signInLimits(r, login), func() error {
		return a.UseCases.SignIn.Do(r.Context(), login, a.newUserRecordingCheck(r, &user))
	})
	if err != nil {
		return err
	}
	a.rememberUser(w, r, user)
	return writeJSON(w, http.StatusOK, emptyObject{})
}

// newUserRecordingCheck returns a function that does what the function of newBrowserCheck does, and stores the user in
// checkedUser.
func (a *api) newUserRecordingCheck(r *http.Request, checkedUser *account.User) func(account.User) bool {
	return func(user account.User) bool {
		*checkedUser = user
		return a.newBrowserCheck(r)(user)
	}
}

// newBrowserCheck returns a function that reports whether the browser is known for the user and the user's current
// security revision.
func (a *api) newBrowserCheck(r *http.Request) func(account.User) bool {
	return func(user account.User) bool {
		_, known := a.KnownBrowsers.Recognise(r, browserIdentifier(user))
		return known
	}
}

// rememberUser makes the browser a known browser of the user. It also gives the email address its own rate limits.
func (a *api) rememberUser(w http.ResponseWriter, r *http.Request, user account.User) {
	a.KnownBrowsers.Remember(w, r, browserIdentifier(user), user.Email)
}

// browserIdentifier identifies the user and the security revision. After a change of password, email or factors the user's
// other browsers are therefore unknown.
func browserIdentifier(user account.User) string {
	return user.ID + " " + strconv.FormatInt(user.SecurityRevision, 10)
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
		return a.UseCases.ForgotPassword.Do(r.Context(), string(req.Email), a.newBrowserCheck(r))
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, emptyObject{})
}

// resetPassword sets a new password. After that the browser is a known browser, because the link proves access to the
// mailbox. That does not suffice if the user has a second factor.
func (a *api) resetPassword(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[passwordResetWire](r)
	if err != nil {
		return err
	}
	var user account.User
	err = a.callWithinLimits(r, addressLimits(r, resetsPerAddress), func() (err error) {
		user, err = a.UseCases.ResetPassword.Do(r.Context(), string(req.Token), req.Password, req.PasswordRepeat)
		return err
	})
	if err != nil {
		return err
	}
	if !user.HasTwoStep() {
		a.rememberUser(w, r, user)
	}
	return writeJSON(w, http.StatusOK, emailWire{user.Email})
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
