package accounts

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// SignIn starts a session for a user who enters the correct password.
type SignIn struct {
	store interface {
		storage.Users
		storage.SignUps
		storage.AuditLog
	}
	passwords identity.Passwords
	checker   secondFactorChecker
	starter   sessionStarter
	refused   *refusedSignIns
	clock     clock.Clock
	log       *slog.Logger
}

// Login contains the data with which a user signs in.
type Login struct {
	Email    string
	Password string
	Code     string // of an authenticator app, or a recovery code; "" for none
	// OrganisationID selects the organisation of the session. It is ignored unless the user is a member.
	OrganisationID string
	Network        string // of the client, such as "192.0.2.0/24", for the audit log; "" if it is unknown
}

// Do signs the user in. isKnownBrowser reports whether the user has used this browser before. After a sign-in from an
// unknown browser the user is notified by email, unless it is the first sign-in. Do returns Credentials for an unknown
// email address and for a wrong password, with the same message and after the same time. It returns Unverified for the
// correct password of an unverified address, SecondFactor for a correct password that needs a code too, and WrongCode for
// a wrong code.
func (u *SignIn) Do(ctx context.Context, login Login, isKnownBrowser func(account.User) bool) error {
	user, err := u.find(ctx, login.Email, isKnownBrowser)
	if err != nil {
		return err
	}
	matches, err := u.passwords.Verify(ctx, login.Password, user.PasswordHash)
	if err != nil {
		return err
	}
	switch {
	case !matches:
		u.refused.add(user, identity.PasswordMethod, login.Network)
		u.log.InfoContext(ctx, "sign-in refused", "user", user.ID, "reason", "wrong_password")
		return errWrongPassword()
	case !user.IsVerified():
		u.log.InfoContext(ctx, "sign-in refused", "user", user.ID, "reason", "unverified")
		if err := u.store.AddAuditEntries(ctx, account.RefusedSignInEntry(user, isKnownBrowser(user), "unverified")); err != nil {
			return err
		}
		return fault.New(fault.Unverified, "Please verify your email address first: follow the link we sent you.")
	}
	isKnown := isKnownBrowser(user)
	methods := []identity.Method{identity.PasswordMethod}
	if user.HasTwoStep() {
		method, err := u.checker.check(ctx, user, login.Code, isKnown)
		if err != nil {
			u.log.InfoContext(ctx, "sign-in refused", "user", user.ID, "reason", fault.CodeOf(err))
			return err
		}
		methods = append(methods, method)
	}
	user, err = u.starter.selectOrganisation(ctx, user, login.OrganisationID)
	if err != nil {
		return err
	}
	return u.starter.start(ctx, user, isKnown, methods...)
}

// find returns the verified user, otherwise the user of the registration that was made in this browser, otherwise that of
// the newest registration. For an unknown email address or an expired registration it returns the zero User, which has
// an empty password hash that no password matches.
func (u *SignIn) find(ctx context.Context, email string, isKnownBrowser func(account.User) bool) (account.User, error) {
	user, err := u.store.UserByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) {
		return account.User{}, nil
	}
	if err != nil || user.IsVerified() {
		return user, err
	}
	registrations, err := findRegistrations(ctx, u.store, email, u.clock.Now())
	if err != nil || len(registrations) == 0 {
		return account.User{}, err
	}
	if own := newestOfBrowser(registrations, isKnownBrowser); own.ID != "" {
		return own, nil
	}
	return registrations[0], nil
}

// sessionStarter starts the sessions of users who have authenticated.
type sessionStarter struct {
	store interface {
		storage.Users
		storage.Organisations
		storage.Memberships
	}
	sessions identity.Sessions
	clock    clock.Clock
	log      *slog.Logger
	writer   accountemails.Writer
}

// selectOrganisation returns the user with the organisation in which the session starts: the requested one if the user is a
// member of it, otherwise the one that was used last. It is called after all factors were verified.
func (s sessionStarter) selectOrganisation(ctx context.Context, user account.User, organisationID string) (account.User, error) {
	if organisationID == "" || organisationID == user.OrganisationID {
		return user, nil
	}
	err := s.store.UseMembership(ctx, user.ID, organisationID, s.clock.Now())
	if err == nil {
		user.OrganisationID = organisationID
	}
	return user, fault.ReplaceNotFound(err, nil)
}

// start starts a session with the methods by which the user has authenticated. It returns SecondFactor for the password
// alone if that needs a code too. After it has stored the session, it compares the security revision again, because a
// concurrent change of the password or of the factors may have missed the new session. In the transaction of this
// comparison it records the sign-in. If the user has signed in before, but not with this browser, it also queues an email.
func (s sessionStarter) start(
	ctx context.Context, user account.User, isKnownBrowser bool, methods ...identity.Method,
) error {
	if user.HasTwoStep() && slices.Equal(methods, []identity.Method{identity.PasswordMethod}) {
		return errSecondFactor()
	}
	email, err := s.newUnknownBrowserEmail(ctx, user, isKnownBrowser)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	caller := identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID, AuthenticatedAt: now}
	if err := s.sessions.Start(ctx, caller, methods...); err != nil {
		return fault.ReplaceNotFound(err, errWrongPassword())
	}
	entry := account.SignInEntry(user, isKnownBrowser, methodNames(methods)...)
	err = s.store.RecordSignIn(ctx, user.ID, entry, now, func(storedUser *account.User) (*mail.Message, error) {
		if storedUser.SecurityRevision != user.SecurityRevision {
			return nil, errWrongPassword()
		}
		if !storedUser.SignIn(now, isKnownBrowser) {
			return nil, nil
		}
		return email, nil
	})
	if err = fault.ReplaceNotFound(err, errWrongPassword()); err != nil {
		if endErr := s.sessions.End(ctx); endErr != nil {
			return endErr
		}
		return err
	}
	s.log.InfoContext(ctx, "signed in", "user", user.ID, "methods", methods, "known_browser", isKnownBrowser)
	return nil
}

func methodNames(methods []identity.Method) (names []string) {
	for _, m := range methods {
		names = append(names, string(m))
	}
	return names
}

// newUnknownBrowserEmail returns the email about a sign-in from an unknown browser, or nil for a known browser.
func (s sessionStarter) newUnknownBrowserEmail(
	ctx context.Context, user account.User, isKnownBrowser bool,
) (*mail.Message, error) {
	if isKnownBrowser {
		return nil, nil //nolint:nilnil // none
	}
	org, err := s.store.Organisation(ctx, user.OrganisationID)
	if err != nil {
		return nil, fault.ReplaceNotFound(err, errWrongPassword())
	}
	email := s.writer.SecurityEmail(emails.NewSignIn, user, s.clock.Now(), org.TimeZone())
	return &email, nil
}

func errWrongPassword() error {
	return fault.New(fault.Credentials, "The email or the password is not right.")
}

// SignOut ends the session.
type SignOut struct{ sessions identity.Sessions }

// Do deletes the session on the server. It does nothing if there is no session.
func (u *SignOut) Do(ctx context.Context) error { return u.sessions.End(ctx) }
