package httpapi

import (
	"net/http"
	"net/url"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

type registrationWire struct {
	FirstName      string       `json:"firstName"`
	LastName       string       `json:"lastName"`
	Org            string       `json:"org"`
	Email          emailAddress `json:"email"`
	Password       string       `json:"password"`
	Contact        string       `json:"contact"`
	BillingAddress addressWire  `json:"billing_address"`
	Metadata       struct {
		Currency string `json:"currency"`
	} `json:"metadata"`
	Product  string             `json:"product"`
	Interval catalogue.Interval `json:"interval"`
}

type addressWire struct {
	Line1      string `json:"line1"`
	Line2      string `json:"line2"`
	Country    string `json:"country"`
	State      string `json:"state"`
	PostalCode string `json:"postal_code"`
	City       string `json:"city"`
}

type signUpResponseWire struct {
	User struct {
		ID    string `json:"id"`
		Email string `json:"email"`
	} `json:"user"`
	Org struct {
		ID string `json:"id"`
	} `json:"org"`
}

func (a *api) signUp(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[registrationWire](r)
	if err != nil {
		return err
	}
	var user account.User
	registration := req.toRegistration()
	err = a.callWithinLimits(r, signUpLimits(r, registration.Email), func() (err error) {
		user, err = a.UseCases.SignUp.Do(r.Context(), registration, a.newBrowserCheck(r))
		return err
	})
	if err != nil {
		return err
	}
	a.KnownBrowsers.Remember(w, r, browserIdentifier(user)) // so that verifyEmail needs no password in this browser
	var response signUpResponseWire
	response.User.ID, response.User.Email = user.ID, user.Email
	response.Org.ID = user.OrganisationID
	return writeJSON(w, http.StatusCreated, response)
}

func (req registrationWire) toRegistration() account.Registration {
	return account.Registration{
		FirstName: req.FirstName, LastName: req.LastName, Org: req.Org,
		Email: string(req.Email), Password: req.Password, Phone: req.Contact,
		Address:  req.BillingAddress.toAddress(),
		Currency: req.Metadata.Currency,
		Choice:   account.Choice{Product: req.Product, Interval: req.Interval},
	}
}

func (req addressWire) toAddress() account.Address {
	return account.Address{
		Line1: req.Line1, Line2: req.Line2, City: req.City,
		State: req.State, PostalCode: req.PostalCode, Country: req.Country,
	}
}

func toAddressWire(a account.Address) addressWire {
	return addressWire{
		Line1: a.Line1, Line2: a.Line2, City: a.City,
		State: a.State, PostalCode: a.PostalCode, Country: a.Country,
	}
}

// verifyEmail handles the link in a verification email. It verifies the address only in the browser in which the
// user registered, so a program that fetches the links in emails has no effect. Other browsers are
// redirected to a page that requires the password. The same page states why a registration can't be verified. Either it
// was replaced, or another one with the same name or address was verified first.
func (a *api) verifyEmail(w http.ResponseWriter, r *http.Request) error {
	token := cleanToken(r.URL.Query().Get("token"))
	email, verified, err := a.UseCases.VerifyEmail.Do(r.Context(), token, a.newBrowserCheck(r))
	target := "/vc-admin/dash?verified=1"
	switch {
	case fault.Is(err, fault.NotFound):
		target = "/vc-admin/dash?verified=0"
	case err != nil:
		return err
	case !verified:
		target = "/vc-admin/auth/confirm?token=" + url.QueryEscape(token)
	case email != "":
		a.KnownBrowsers.Remember(w, r, email)
	}
	w.Header().Set("Referrer-Policy", "no-referrer") // the URL contains the token
	http.Redirect(w, r, target, http.StatusSeeOther)
	return nil
}

// serveTokenPage serves a page with a token in its URL, which other sites must not receive as a referrer.
func (a *api) serveTokenPage(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Referrer-Policy", "no-referrer")
	return a.servePage(w, r)
}

type tokenWire struct {
	Token linkToken `json:"token"`
}

type registrationSummaryWire struct {
	Org      string   `json:"org"`
	Email    string   `json:"email"`
	Replaced bool     `json:"replaced,omitempty"`
	Taken    []string `json:"taken,omitempty"`
}

func (a *api) showRegistration(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	registration, err := a.UseCases.ShowRegistration.Do(r.Context(), string(req.Token))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, registrationSummaryWire{
		Org: registration.Organisation.Name, Email: registration.User.Email,
		Replaced: registration.User.IsReplaced(), Taken: registration.TakenFields,
	})
}

// confirmRegistration verifies the address with the password. It shares the rate limits of sign-ins.
func (a *api) confirmRegistration(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[struct {
		Token    linkToken `json:"token"`
		Password string    `json:"password"`
		Org      string    `json:"org"` // replaces the organisation's name unless it is empty
	}](r)
	if err != nil {
		return err
	}
	registration, err := a.UseCases.ShowRegistration.Do(r.Context(), string(req.Token))
	if err != nil {
		return err
	}
	user := registration.User
	err = a.callWithinLimits(r, a.signInLimits(r, accounts.Login{Email: user.Email}), func() error {
		return a.UseCases.ConfirmRegistration.Do(
			r.Context(), string(req.Token), req.Password, req.Org, a.newUserRecordingCheck(r, &user))
	})
	if err != nil {
		return err
	}
	a.rememberUser(w, r, user)
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) rejectRegistration(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.RejectRegistration.Do(r.Context(), string(req.Token)); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

func (a *api) resendVerification(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[struct {
		Email emailAddress `json:"email"`
	}](r)
	if err != nil {
		return err
	}
	err = a.callWithinLimits(r, resendLimits(r, string(req.Email)), func() error {
		return a.UseCases.ResendVerification.Do(r.Context(), string(req.Email), a.newBrowserCheck(r))
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusAccepted, emptyObject{})
}
