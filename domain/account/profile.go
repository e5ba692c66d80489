package account

import "github.com/vc-admin/diy/domain/fault"

// Profile contains what users change about themselves without further proof.
type Profile struct {
	FirstName string
	LastName  string
	Phone     string // may be empty
}

// Normalise returns the profile in its stored form, or an Invalid fault with a message for each invalid field.
func (p Profile) Normalise() (Profile, error) {
	p = Profile{FirstName: clean(p.FirstName), LastName: clean(p.LastName), Phone: cleanPhone(p.Phone)}
	var f fault.Fields
	addMessage(&f, "firstName", checkName(p.FirstName), firstNameMessages)
	addMessage(&f, "lastName", checkName(p.LastName), lastNameMessages)
	f.Check(p.Phone == "" || checkPhone(p.Phone) == valid, "phone", "Invalid contact details")
	return p, f.Err()
}

// Profile returns the user's profile.
func (u User) Profile() Profile {
	return Profile{FirstName: u.FirstName, LastName: u.LastName, Phone: u.Phone}
}

// SetProfile replaces the user's profile with a normalised one.
func (u *User) SetProfile(p Profile) {
	u.FirstName, u.LastName, u.Phone = p.FirstName, p.LastName, p.Phone
}

// ChangePassword replaces the password and raises the SecurityRevision. Wrong codes are forgotten, because the user has
// signed in and knows the password.
func (u *User) ChangePassword(passwordHash string) {
	u.PasswordHash = passwordHash
	u.WrongCodes, u.WrongCodesOfKnownBrowsers = 0, 0
	u.SecurityRevision++
}
