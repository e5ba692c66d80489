// Package accounts contains the use cases of registering, signing in and resetting a password. Package app connects them
// with its own use cases, and package httpapi calls them.
//
// # Registrations
//
// SignUp stores an organisation with its first user, and queues the verification email in the same transaction. A
// registration that is not verified reserves nothing: several can have the same organisation name or email address, and
// the one that is verified first gets them. SignUp replaces earlier unverified registrations with the name or address
// that were made in the same browser, so that a typing error can be corrected. It does not replace those of other
// browsers, because anyone can register an address.
//
// A verification link proves access to the mailbox, and not who chose the password. VerifyEmail therefore verifies the
// address only in the browser that registered it. In another browser, ShowRegistration shows the registration, and the
// user confirms it with its password (ConfirmRegistration) or deletes it (RejectRegistration). The verification creates
// the organisation's customer at the payment provider. If that fails, the plans page requests the customer again.
//
// # Sessions
//
// SignIn compares the password and starts a session. It takes the same time for an unknown address as for a wrong password.
// Of several unverified registrations with an address, it uses the one of this browser, otherwise the newest. After storing
// a session it compares the user's security revision again, because a concurrent change of the password may have missed
// the session. A sign-in from an unknown browser causes an email. identity.Sessions stores the sessions. The caller passes a
// function that reports whether a user has used the browser before.
//
// If two-step verification is on, the password needs a code of an authenticator app or a recovery code too. SignIn
// compares the code after the password, so that only a client that knows the password gets a response about codes. It
// uses up the code before it starts the session. The sessionStarter refuses the password alone for all use cases.
//
// RequestPasskey returns a challenge with a signed state, and SignInWithPasskey verifies the response of the browser and
// starts a session, without a password and a code.
//
// # Links that users request
//
// ResendVerification and ForgotPassword store a request, with the unverified registration of the address that was made in
// the same browser. They do not look up verified users, so the response and its time do not reveal whether the address has
// one. SendRequestedEmails, which a worker calls, finds the user and queues the email. If an address has several unverified
// registrations and none is of the browser, a password reset could verify that of another person, so the verification
// email is sent instead. ResetPassword uses the link: it replaces the password, verifies the address, ends all sessions
// of the user and queues a notification.
//
// Tokens are random. The store has only their hashes, and an unknown, expired or used token is NotFound.
package accounts
