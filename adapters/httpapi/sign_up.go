package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
)

type registrationWire struct {
	FirstName      string      `json:"firstName"`
	LastName       string      `json:"lastName"`
	Org            string      `json:"org"`
	Email          string      `json:"email"`
	Password       string      `json:"password"`
	Contact        string      `json:"contact"`
	BillingAddress addressWire `json:"billing_address"`
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

type registeredWire struct {
	User struct {
		ID    string `json:"id"`
		Email string `json:"email"`
	} `json:"user"`
	Org struct {
		ID string `json:"id"`
	} `json:"org"`
}

func (a *api) signUp(w http.ResponseWriter, r *http.Request) error {
	in, err := decode[registrationWire](r)
	if err != nil {
		return err
	}
	var user account.User
	err = a.limited(r, addressUses(r, signUpsOfAddress), func() (err error) {
		user, err = a.UseCases.SignUp.Do(r.Context(), in.registration())
		return err
	})
	if err != nil {
		return err
	}
	a.Browsers.Remember(w, r, user.ID) // in it the link of the e-mail verifies
	var answer registeredWire
	answer.User.ID, answer.User.Email = user.ID, user.Email
	answer.Org.ID = user.OrganisationID
	return reply(w, http.StatusCreated, answer)
}

func (in registrationWire) registration() account.Registration {
	return account.Registration{
		FirstName: in.FirstName, LastName: in.LastName, Org: in.Org,
		Email: in.Email, Password: in.Password, Phone: in.Contact,
		Address:  in.BillingAddress.address(),
		Currency: in.Metadata.Currency,
		Choice:   account.Choice{Product: in.Product, Interval: in.Interval},
	}
}

func (in addressWire) address() account.Address {
	return account.Address{
		Line1: in.Line1, Line2: in.Line2, City: in.City,
		State: in.State, PostalCode: in.PostalCode, Country: in.Country,
	}
}

func toAddressWire(a account.Address) addressWire {
	return addressWire{
		Line1: a.Line1, Line2: a.Line2, City: a.City,
		State: a.State, PostalCode: a.PostalCode, Country: a.Country,
	}
}
