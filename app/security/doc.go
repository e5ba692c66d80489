// Package security contains the use cases with which signed-in users change how they sign in, and those with which
// operators help users who can't sign in.
//
// # Profile, password and sessions
//
// ShowAccount returns everything that the account page shows. EditProfile changes the names and the phone number.
// ChangePassword needs the current password. EndSession signs the user out in one browser, EndOtherSessions in all other
// browsers.
//
// # Email address
//
// RequestEmailChange notifies the current address and sends a link to the new one. ConfirmEmailChange needs the link and a
// session of the same user, so that a person who gets the link by mistake, or by malice, can't adopt the account.
// CancelEmailChange voids the link. ShowEmailChange returns the masked address of the user who must sign in.
//
// # Undo
//
// The emails about a change of the address, about two-step verification, and about a new app or passkey have a link that
// takes the account back. UndoChange restores the address to which the email was sent, sets a new password and deletes
// the factors of the last seven days. A reader of the mailbox can therefore remove a factor in its first week. It also
// deletes the invitations that were sent in the user's name.
//
// # Two-step verification
//
// StartTwoStep returns a secret for an authenticator app and recovery codes, together with a signed state that contains
// them. It stores nothing. ConfirmTwoStep stores the content of the state, after the user has entered a code of the app and
// confirmed that the recovery codes are saved. If two-step verification is on already, they either replace the recovery
// codes or add an app. An added app leaves the recovery codes unchanged. A state is valid for ten minutes, for one user,
// and until the user's SecurityRevision changes, so that it can be used once.
//
// # Passkeys
//
// StartPasskey returns the options with which a browser creates a passkey, and a signed state with their challenge, which
// is valid for five minutes. AddPasskey stores the passkey. The state works once, because adding a passkey raises the
// SecurityRevision. accounts.SignInWithPasskey stores the hash of a used challenge.
//
// # Changes
//
// Every change of the factors raises the SecurityRevision, ends the user's other sessions and is reported by email. The
// caller must have authenticated recently.
package security
