package sqlstorage

import "github.com/vc-admin/diy/domain/account"

var (
	users      = tableOf[userRow]("users")
	insertUser = users.inserts()
	updateUser = users.updates("organisation_id", "email", "email_key", "created_at")
)

// userRow is a user.
type userRow struct {
	ID             string  `db:"id"`
	OrganisationID string  `db:"organisation_id"`
	FirstName      string  `db:"first_name"`
	LastName       string  `db:"last_name"`
	Email          string  `db:"email"`
	Key            string  `db:"email_key"`
	PasswordHash   string  `db:"password_hash"`
	VerifiedAt     instant `db:"verified_at"`
	CreatedAt      instant `db:"created_at"`
}

func userRowOf(u account.User) userRow {
	return userRow{
		ID: u.ID, OrganisationID: u.OrganisationID, FirstName: u.FirstName, LastName: u.LastName,
		Email: u.Email, Key: account.EmailKey(u.Email), PasswordHash: u.PasswordHash,
		VerifiedAt: at(u.VerifiedAt), CreatedAt: at(u.CreatedAt),
	}
}

func (r userRow) user() account.User {
	return account.User{
		ID: r.ID, OrganisationID: r.OrganisationID, FirstName: r.FirstName, LastName: r.LastName,
		Email: r.Email, PasswordHash: r.PasswordHash, VerifiedAt: r.VerifiedAt.t, CreatedAt: r.CreatedAt.t,
	}
}
