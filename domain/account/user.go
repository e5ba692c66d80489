package account

import "time"

// User is a person who signs in for an organisation.
type User struct {
	ID             string
	OrganisationID string
	FirstName      string
	LastName       string
	Email          string // lower case, unique by EmailKey
	PasswordHash   string // never the password; encoded with its own parameters
	VerifiedAt     time.Time
	CreatedAt      time.Time
}

// Verified reports whether the person has shown that the e-mail address is theirs.
func (u User) Verified() bool { return !u.VerifiedAt.IsZero() }
