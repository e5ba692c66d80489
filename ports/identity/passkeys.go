package identity

import "github.com/vc-admin/diy/domain/account"

// Passkeys creates and verifies the requests and responses of WebAuthn, in the JSON forms that browsers have. Passkeys are
// discoverable and verify their user, for example with a PIN or a fingerprint. The caller keeps the challenge between a
// request and its response, for at most account.ChallengeLifetime, and accepts each challenge once: the implementation
// does not recognise a replay.
type Passkeys interface {
	// NewRegistration returns the options for creating a passkey, and their challenge. The options exclude the
	// authenticators of the existing passkeys.
	NewRegistration(user account.User, existing []account.Passkey) (options []byte, challenge string, err error)
	// Register returns the new passkey. It returns Invalid for a response that is malformed, has another challenge, user
	// or origin, or was made without verifying the user.
	Register(userID, challenge string, response []byte) (account.Passkey, error)
	// NewSignIn returns the options for signing in, which name no user and no passkey, and their challenge.
	NewSignIn() (options []byte, challenge string, err error)
	// Owner returns the ids of the user and of the passkey to which a response belongs, before it is verified. It returns
	// Credentials for a malformed response.
	Owner(response []byte) (userID, credentialID string, err error)
	// SignIn returns the passkey with its new counter. It returns Credentials for a response that is not of the user and
	// the passkey, has another challenge or origin, or was made without verifying the user, and if the counter shows that
	// the passkey was copied.
	SignIn(userID string, passkey account.Passkey, challenge string, response []byte) (account.Passkey, error)
}
