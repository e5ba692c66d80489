package app

import "context"

// VerifyEmail is what happens when the link in a verification email is opened. Opening it proves who
// reads the mailbox, but not who registered: somebody else may have registered the address with a
// password of their own. So it verifies only in the browser that registered.
type VerifyEmail struct{ registrations registrations }

// Do verifies the token's user if registeredHere reports that the user was registered in this browser.
// It returns whether the user is verified now, as after a first opening. If not, the person has to
// confirm the registration with its password, or can reject it. A token that is unknown or too old is
// NotFound.
func (u *VerifyEmail) Do(ctx context.Context, token string, registeredHere func(userID string) bool) (email string, verified bool, err error) {
	user, err := u.registrations.find(ctx, token)
	switch {
	case err != nil:
		return "", false, err
	case user.Verified():
		return "", true, nil
	case !registeredHere(user.ID):
		return "", false, nil
	}
	if err := u.registrations.verify(ctx, user); err != nil {
		return "", false, err
	}
	return user.Email, true, nil
}
