package account

// The messages of the specification, and of the few rules that it leaves open: how long a text may
// be, what it can't contain, and which countries there are.
var (
	firstNameMessages = map[verdict]string{
		missing: "First name is required",
		invalid: "Invalid first name",
		tooLong: "First name is too long",
	}
	lastNameMessages = map[verdict]string{
		missing: "Last name is required",
		invalid: "Invalid last name",
		tooLong: "Last name is too long",
	}
	orgMessages = map[verdict]string{
		missing: "Org name is required",
		invalid: "Org name contains invalid characters",
		tooLong: "Org name is too long",
	}
	emailMessages = map[verdict]string{
		missing: "email is required",
		invalid: "Invalid email address!",
	}
	countryMessages = map[verdict]string{
		missing: "Country is required",
		invalid: "Unknown country",
	}
	stateMessages = map[verdict]string{
		missing: "state is required",
		invalid: "State contains invalid characters",
		tooLong: "State is too long",
	}
	line1Messages = map[verdict]string{
		missing: "Billing address line 1 is required",
		invalid: "Billing address line 1 contains invalid characters",
		tooLong: "Billing address line 1 is too long",
	}
	line2Messages = map[verdict]string{
		invalid: "Billing address line 2 contains invalid characters",
		tooLong: "Billing address line 2 is too long",
	}
	cityMessages = map[verdict]string{
		missing: "City is required",
		invalid: "City contains invalid characters",
		tooLong: "City is too long",
	}
	postalCodeMessages = map[verdict]string{
		missing: "Zip/Postal code is required",
		invalid: "Invalid zipcode",
		tooLong: "Zip/Postal code is too long",
	}
	phoneMessages = map[verdict]string{
		missing: "Phone no. required",
		invalid: "Invalid contact details",
	}
)
