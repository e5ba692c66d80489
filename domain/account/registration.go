package account

// Registration is what a person types to register an organisation.
type Registration struct {
	FirstName string
	LastName  string
	Org       string
	Email     string
	Password  string
	Address   Address
	Phone     string
	Currency  string // "" when none was chosen
	Choice    Choice
}

// Normalised is the registration as it is stored: texts without what can't be seen, without outer
// blanks and with single spaces inside, the e-mail address in lower case, country and currency in
// upper case. The password stays as it is, and so does a postal code of nothing but blanks, which
// Validate tells apart from one that is missing. Nothing is taken out of an e-mail address: with
// something invisible inside it is invalid.
func (r Registration) Normalised() Registration {
	r.FirstName, r.LastName, r.Org = clean(r.FirstName), clean(r.LastName), clean(r.Org)
	r.Email, r.Phone = EmailKey(r.Email), trim(visible(r.Phone))
	r.Address = r.Address.normalised()
	r.Currency = upper(trim(r.Currency))
	return r
}

func (a Address) normalised() Address {
	postalCode := a.PostalCode
	if text := clean(postalCode); text != "" {
		postalCode = text
	}
	return Address{
		Line1: clean(a.Line1), Line2: clean(a.Line2), City: clean(a.City), State: clean(a.State),
		PostalCode: postalCode, Country: upper(trim(a.Country)),
	}
}
