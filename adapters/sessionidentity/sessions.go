package sessionidentity

import (
	"context"
	"crypto/rand"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

const (
	// IdleLimit ends a session whose browser was not seen for as long.
	IdleLimit = 12 * time.Hour
	// AbsoluteLimit ends a session this long after the sign-in, however busy it is.
	AbsoluteLimit = 7 * 24 * time.Hour
)

// What a session's record holds.
const (
	userKey         = "user"
	organisationKey = "organisation"
	secretKey       = "secret" // never leaves the server; XSRF tokens are bound to it
)

// Options says how a Sessions speaks to browsers.
type Options struct {
	// Secure is true where the public URL is https: the cookies are Secure then, and the session
	// cookie has the __Host- prefix, so that no other host can plant one.
	Secure bool
	// Fail answers a visit whose session could not be read, with the Unavailable fault it is
	// given. Without it the answer is a bare 503.
	Fail func(w http.ResponseWriter, r *http.Request, err error)
}

// Sessions is an identity.Sessions on cookies.
type Sessions struct {
	manager *scs.SessionManager
	seen    seen
	fail    func(w http.ResponseWriter, r *http.Request, err error)
	// changed hears of every sign-in and sign-out while its answer can still get cookies.
	changed func(w http.ResponseWriter, secret string)
}

// NewSessions keeps sessions in the store, which several servers may share.
func NewSessions(store scs.Store, o Options) *Sessions {
	if users, ok := store.(UserStore); ok {
		store = ownedStore{users}
	}
	manager := scs.New()
	manager.Store = store
	manager.HashTokenInStore = true
	manager.Lifetime = AbsoluteLimit
	manager.Cookie = scs.SessionCookie{
		Name: cookieName(o.Secure), Path: "/", HttpOnly: true, Secure: o.Secure,
		SameSite: http.SameSiteLaxMode,
		Persist:  false, // gone with the browser window: practices share their computers
	}
	s := &Sessions{manager: manager, seen: seen{store}, fail: o.Fail}
	if s.fail == nil {
		s.fail = failPlainly
	}
	s.changed = func(http.ResponseWriter, string) {}
	return s
}

func cookieName(secure bool) string {
	if secure {
		return "__Host-diy"
	}
	return "diy" // browsers refuse the prefix without https
}

// Start signs the person in under a fresh token, and makes the one this visit brought worthless.
// Unavailable when the store fails: nobody is signed in then, except that whoever was signed in
// before may still be. Call it before the answer is written, because it sets a cookie.
func (s *Sessions) Start(ctx context.Context, who identity.Identity) error {
	v, err := visitOf(ctx)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := s.manager.RenewToken(ctx); err != nil {
		return unavailable(err)
	}
	secret := rand.Text()
	token, expiry, err := s.save(ctx, who, secret)
	if err != nil {
		s.turn(ctx, v, nobody, "", time.Time{})
		return unavailable(err)
	}
	s.turn(ctx, v, person{Identity: who, secret: secret}, token, expiry)
	return nil
}

// save writes the session before the cookie is given out, so that no browser is told of a session
// that does not exist.
func (s *Sessions) save(ctx context.Context, who identity.Identity, secret string) (string, time.Time, error) {
	s.manager.Put(ctx, userKey, who.UserID)
	s.manager.Put(ctx, organisationKey, who.OrganisationID)
	s.manager.Put(ctx, secretKey, secret)
	ctx = withOwner(ctx, who.UserID)
	if err := s.seen.note(ctx, s.manager.Token(ctx), now()); err != nil {
		return "", time.Time{}, err
	}
	return s.manager.Commit(ctx)
}

// Current is who is signed in on this visit.
func (s *Sessions) Current(ctx context.Context) (identity.Identity, bool) {
	p := personOf(ctx)
	return p.Identity, p.signedIn()
}

// End deletes the session, whoever else holds its token. Unavailable when the store fails: the
// session is as it was then. Call it before the answer is written, because it takes the cookie
// back.
func (s *Sessions) End(ctx context.Context) error {
	v, err := visitOf(ctx)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if token := s.manager.Token(ctx); token != "" {
		if err := s.manager.Destroy(ctx); err != nil {
			return unavailable(err)
		}
		s.seen.forget(ctx, token)
	}
	s.turn(ctx, v, nobody, "", time.Time{})
	return nil
}

func unavailable(err error) error {
	return fault.Wrap(err, fault.Unavailable, "Please try again later!")
}
