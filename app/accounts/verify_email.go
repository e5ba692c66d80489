package accounts

import (
	"context"
)

// VerifyEmail verifies an email address when the link in the verification email is opened. The link
// proves access to the mailbox only. The address may have been registered by another person with a
// password of their own, so the link verifies it only in the browser that registered.
type VerifyEmail struct{ registrations registrations }

// Do verifies the token's user if registeredHere reports that the user was registered in this browser.
// It returns the email address when it has verified it, and whether the user is verified now. If not,
// the person can confirm the registration with its password, or reject it. NotFound when the token is
// unknown or too old.
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
