package sessionidentity

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

const (
	// IdleLimit ends a session that was not used for this long.
	IdleLimit = 12 * time.Hour
	// AbsoluteLimit ends a session this long after the sign-in, even if it is in use.
	AbsoluteLimit = 7 * 24 * time.Hour
)

// clockTolerance is the difference between the clocks of two servers that does not end sessions.
const clockTolerance = time.Hour

// Keys of a session's values.
const (
	userKey         = "user"
	organisationKey = "organisation"
	secretKey       = "secret" // binds XSRF tokens to the session; never leaves the server
)

// Options configures Sessions.
type Options struct {
	// Secure must be true if the public URL is https. It makes the cookies Secure and gives the session
	// cookie the prefix __Host-, so that no other host can set it.
	Secure bool
	// ErrorFunc writes the response to a request whose session can't be read. err is an Unavailable fault. The default
	// responds with 503.
	ErrorFunc func(w http.ResponseWriter, r *http.Request, err error)
}

// Sessions implements identity.Sessions with cookies. Its methods need the context of a request that
// passed through Middleware.
type Sessions struct {
	manager   *scs.SessionManager
	lastSeen  lastSeenStore
	errorFunc func(w http.ResponseWriter, r *http.Request, err error)
	// onUserChange is called after every sign-in and sign-out, before the response is written.
	onUserChange func(w http.ResponseWriter, secret string)
}

// NewSessions returns Sessions that are kept in the store, which several servers may share.
func NewSessions(store scs.Store, o Options) *Sessions {
	if users, ok := store.(UserStore); ok {
		store = userStore{users}
	}
	manager := scs.New()
	manager.Store = store
	manager.Codec = newCachingCodec(manager.Codec)
	manager.HashTokenInStore = true
	manager.Lifetime = AbsoluteLimit
	manager.Cookie = scs.SessionCookie{
		Name: cookieName(o.Secure), Path: "/", HttpOnly: true, Secure: o.Secure,
		SameSite: http.SameSiteLaxMode,
		Persist:  false, // ends with the browser session, because practices share computers
	}
	errorFunc := o.ErrorFunc
	if errorFunc == nil {
		errorFunc = func(w http.ResponseWriter, _ *http.Request, _ error) {
			http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		}
	}
	return &Sessions{
		manager: manager, lastSeen: lastSeenStore{store}, errorFunc: errorFunc, onUserChange: func(http.ResponseWriter, string) {},
	}
}

func cookieName(secure bool) string {
	if secure {
		return "__Host-diy"
	}
	return "diy" // browsers reject the prefix without https
}

// user is the user of a request. The zero user is not signed in.
type user struct {
	identity.Identity
	secret string // the session's, see secretKey
}

func (u user) isSignedIn() bool { return u.secret != "" }

// requestState contains the user and the response writer of an HTTP request.
type requestState struct {
	w http.ResponseWriter

	mu   sync.Mutex
	user user
}

// requestKey is the context key of the requestState.
type requestKey struct{}

func requestStateFromContext(ctx context.Context) (*requestState, error) {
	state, ok := ctx.Value(requestKey{}).(*requestState)
	if !ok {
		return nil, fault.New(fault.Internal, "sessionidentity: the request did not pass through the middleware")
	}
	return state, nil
}

// currentUser returns the user of the request, or the zero user outside of requests.
func currentUser(ctx context.Context) user {
	state, err := requestStateFromContext(ctx)
	if err != nil {
		return user{}
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	return state.user
}

// Middleware loads the session of each request. It sets no cookie. If the store can't be read, Middleware can't know
// whether the user is signed in, so it calls Options.ErrorFunc instead of the next handler.
//
// Start and End set cookies on the ResponseWriter that Middleware received. Middleware that buffers the response header
// must therefore wrap this Middleware.
func (s *Sessions) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Cookie")
		ctx, u, err := s.loadUser(r)
		if err != nil {
			s.errorFunc(w, r, unavailableError(err))
			return
		}
		ctx = context.WithValue(ctx, requestKey{}, &requestState{w: w, user: u})
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// loadUser returns the user of the request's session and a context with the session. A token that is not in the store is
// ignored, and never used for a new session.
func (s *Sessions) loadUser(r *http.Request) (context.Context, user, error) {
	ctx, cookieValue := r.Context(), ""
	if c, err := r.Cookie(s.manager.Cookie.Name); err == nil {
		cookieValue = c.Value
		ctx = withPrefetch(ctx, lastSeenKey(cookieValue))
	}
	ctx, err := s.manager.Load(ctx, cookieValue)
	if err != nil {
		return nil, user{}, err
	}
	token := s.manager.Token(ctx)
	if token == "" || s.isOfWrongClock(ctx) {
		return ctx, user{}, nil
	}
	u := user{
		Identity: identity.Identity{
			UserID:         s.manager.GetString(ctx, userKey),
			OrganisationID: s.manager.GetString(ctx, organisationKey),
		},
		secret: s.manager.GetString(ctx, secretKey),
	}
	isActive, err := s.lastSeen.touch(withUser(ctx, u.UserID), token, now())
	if err != nil || !isActive {
		return ctx, user{}, err
	}
	return ctx, u, nil
}

// isOfWrongClock reports whether the session would live longer than AbsoluteLimit from now, because it was started while the
// clock of a server was far ahead.
func (s *Sessions) isOfWrongClock(ctx context.Context) bool {
	return s.manager.Deadline(ctx).After(now().Add(AbsoluteLimit + clockTolerance))
}

// Start signs the user in with a new token and invalidates the token of the request. If the store fails, Start returns
// Unavailable, and the user is either signed out or as before. Call it before the response is written, because it sets a
// cookie.
func (s *Sessions) Start(ctx context.Context, id identity.Identity) error {
	state, err := requestStateFromContext(ctx)
	if err != nil {
		return err
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	if err := s.manager.RenewToken(ctx); err != nil {
		return unavailableError(err)
	}
	u := user{Identity: id, secret: rand.Text()}
	token, expiry, err := s.saveSession(ctx, u)
	if err != nil {
		s.setUser(ctx, state, user{}, "", time.Time{})
		return unavailableError(err)
	}
	s.setUser(ctx, state, u, token, expiry)
	return nil
}

// saveSession stores the session before its cookie is set, so that no browser gets the token of a session that
// does not exist.
func (s *Sessions) saveSession(ctx context.Context, u user) (token string, expiry time.Time, err error) {
	s.manager.Put(ctx, userKey, u.UserID)
	s.manager.Put(ctx, organisationKey, u.OrganisationID)
	s.manager.Put(ctx, secretKey, u.secret)
	ctx = withUser(ctx, u.UserID)
	if err := s.lastSeen.set(ctx, s.manager.Token(ctx), now()); err != nil {
		return "", time.Time{}, err
	}
	return s.manager.Commit(ctx)
}

// Current returns the signed-in user, or false.
func (s *Sessions) Current(ctx context.Context) (identity.Identity, bool) {
	u := currentUser(ctx)
	return u.Identity, u.isSignedIn()
}

// End signs the user out and deletes the session, so that copies of its token are invalid. If the store fails,
// it returns Unavailable and the user stays signed in. Call it before the response is written, because it
// deletes a cookie.
func (s *Sessions) End(ctx context.Context) error {
	state, err := requestStateFromContext(ctx)
	if err != nil {
		return err
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	if token := s.manager.Token(ctx); token != "" {
		if err := s.manager.Destroy(ctx); err != nil {
			return unavailableError(err)
		}
		s.lastSeen.delete(ctx, token)
	}
	s.setUser(ctx, state, user{}, "", time.Time{})
	return nil
}

// setUser changes the user of the request and sets the session cookie. A zero expiry deletes the cookie.
func (s *Sessions) setUser(ctx context.Context, state *requestState, u user, token string, expiry time.Time) {
	state.user = u
	removeSetCookie(state.w, s.manager.Cookie.Name)
	s.manager.WriteSessionCookie(ctx, state.w, token, expiry)
	s.onUserChange(state.w, u.secret)
}

// removeSetCookie removes the response's Set-Cookie headers of the cookie, so that it is set at most once.
func removeSetCookie(w http.ResponseWriter, name string) {
	lines := w.Header()["Set-Cookie"]
	w.Header().Del("Set-Cookie")
	for _, line := range lines {
		if !strings.HasPrefix(line, name+"=") {
			w.Header().Add("Set-Cookie", line)
		}
	}
}

func unavailableError(err error) error {
	return fault.Wrap(err, fault.Unavailable, "Please try again later!")
}
