package sessionidentity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
	"time"

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

const (
	// lastUsedPrecision is the minimum time between two writes of the last use of a session.
	lastUsedPrecision = 5 * time.Minute
	tokenSize         = 32 // bytes
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
	store      identity.SessionStore
	cookieName string
	secure     bool
	errorFunc  func(w http.ResponseWriter, r *http.Request, err error)
	// onUserChange is called after every sign-in and sign-out, before the response is written.
	onUserChange func(w http.ResponseWriter, sessionID string)
}

// NewSessions returns Sessions that are kept in the store, which several servers may share.
func NewSessions(store identity.SessionStore, o Options) *Sessions {
	errorFunc := o.ErrorFunc
	if errorFunc == nil {
		errorFunc = func(w http.ResponseWriter, _ *http.Request, _ error) {
			http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		}
	}
	return &Sessions{
		store: store, cookieName: cookieName(o.Secure), secure: o.Secure, errorFunc: errorFunc,
		onUserChange: func(http.ResponseWriter, string) {},
	}
}

func cookieName(secure bool) string {
	if secure {
		return "__Host-diy"
	}
	return "diy" // browsers reject the prefix without https
}

// now returns the real time.
func now() time.Time { return time.Now() } //nolint:forbidigo // see the package comment

// requestState contains the session and the response writer of an HTTP request.
type requestState struct {
	w      http.ResponseWriter
	device string

	mu        sync.Mutex
	tokenHash string            // "" without a session
	user      identity.Identity // zero without a session
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

// currentUser returns the user of the request, or the zero Identity outside of requests and without a session.
func currentUser(ctx context.Context) identity.Identity {
	state, err := requestStateFromContext(ctx)
	if err != nil {
		return identity.Identity{}
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
		state := &requestState{w: w, device: describeDevice(r.UserAgent())}
		if err := s.load(r, state); err != nil {
			s.errorFunc(w, r, unavailableError(err))
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, state)))
	})
}

// load stores the session of the request in state. A token that is not in the store is ignored, and never used for a new
// session.
func (s *Sessions) load(r *http.Request, state *requestState) error {
	cookies := r.CookiesNamed(s.cookieName)
	if len(cookies) == 0 || cookies[0].Value == "" {
		return nil
	}
	tokenHash := hashToken(cookies[0].Value)
	record, err := s.store.Session(r.Context(), tokenHash)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	at := now()
	if hasEnded(record, at) {
		if hasExpired(record, at) {
			// The clock of this server is ahead of the store's. The session stays ended if this clock is set back. It is not
			// deleted, because DeleteSession records a sign-out.
			_ = s.store.TouchSession(r.Context(), tokenHash, record.LastUsedAt, time.Unix(0, 0))
		}
		return nil
	}
	if age := at.Sub(record.LastUsedAt); age >= lastUsedPrecision || age < -clockTolerance {
		// If it fails, the next request tries again, long before IdleLimit.
		_ = s.store.TouchSession(r.Context(), tokenHash, at, expiry(record.CreatedAt, at))
	}
	state.tokenHash, state.user = tokenHash, record.Identity
	return nil
}

// hasEnded reports whether the session has reached one of the limits. It also returns true if the session would live longer
// than AbsoluteLimit from now, because it was started while the clock of a server was far ahead.
func hasEnded(r identity.SessionRecord, at time.Time) bool {
	return hasExpired(r, at) || r.CreatedAt.After(at.Add(clockTolerance))
}

func hasExpired(r identity.SessionRecord, at time.Time) bool {
	return !at.Before(expiry(r.CreatedAt, r.LastUsedAt))
}

// expiry returns the time at which a session ends if it is not used again.
func expiry(createdAt, lastUsedAt time.Time) time.Time {
	idle, absolute := lastUsedAt.Add(IdleLimit), createdAt.Add(AbsoluteLimit)
	if idle.Before(absolute) {
		return idle
	}
	return absolute
}

// newToken returns a random token of 256 bits.
func newToken() string {
	token := make([]byte, tokenSize)
	_, _ = rand.Read(token) // never fails
	return base64.RawURLEncoding.EncodeToString(token)
}

func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Start signs the user in with a new token and invalidates the token of the request. If the store fails, Start returns
// Unavailable, and the user is either signed out or as before. Call it before the response is written, because it sets a
// cookie.
func (s *Sessions) Start(ctx context.Context, id identity.Identity, methods ...identity.Method) error {
	state, err := requestStateFromContext(ctx)
	if err != nil {
		return err
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.tokenHash != "" {
		if err := s.store.DeleteSession(ctx, state.tokenHash); err != nil {
			return unavailableError(err)
		}
	}
	token, at := newToken(), now()
	id.SessionID = rand.Text()
	record := identity.SessionRecord{
		TokenHash: hashToken(token), Identity: id, Methods: methods, CreatedAt: at, LastUsedAt: at, ExpiresAt: expiry(at, at),
		Device: state.device,
	}
	// The session is stored before its cookie is set, so that no browser gets the token of a session that does not exist.
	// It is read again for the role.
	if err = s.store.AddSession(ctx, record); err == nil {
		record, err = s.store.Session(ctx, record.TokenHash)
	}
	if err != nil {
		s.setSession(state, "", identity.SessionRecord{})
		if fault.Is(err, fault.NotFound) {
			return err
		}
		return unavailableError(err)
	}
	s.setSession(state, token, record)
	return nil
}

// Switch changes the organisation of the session. It sets no cookie, because the token stays.
func (s *Sessions) Switch(ctx context.Context, organisationID string) error {
	state, err := requestStateFromContext(ctx)
	if err != nil {
		return err
	}
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.tokenHash == "" {
		return fault.New(fault.NotFound, "There is no session")
	}
	var record identity.SessionRecord
	if err = s.store.SwitchSession(ctx, state.tokenHash, organisationID); err == nil {
		record, err = s.store.Session(ctx, state.tokenHash) // for the role
	}
	switch {
	case err == nil:
		state.user = record.Identity
		return nil
	case fault.Is(err, fault.NotFound):
		return err
	default:
		return unavailableError(err)
	}
}

// Current returns the signed-in user, or false.
func (s *Sessions) Current(ctx context.Context) (identity.Identity, bool) {
	user := currentUser(ctx)
	return user, user.SessionID != ""
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
	if state.tokenHash != "" {
		if err := s.store.DeleteSession(ctx, state.tokenHash); err != nil {
			return unavailableError(err)
		}
	}
	s.setSession(state, "", identity.SessionRecord{})
	return nil
}

// List returns the sessions of the signed-in user.
func (s *Sessions) List(ctx context.Context) ([]identity.Session, error) {
	user := currentUser(ctx)
	if user.SessionID == "" {
		return nil, nil
	}
	records, err := s.store.SessionsOfUser(ctx, user.UserID)
	if err != nil {
		return nil, unavailableError(err)
	}
	var sessions []identity.Session
	for _, r := range records {
		if hasEnded(r, now()) {
			continue
		}
		sessions = append(sessions, identity.Session{
			ID: r.SessionID, OrganisationID: r.OrganisationID, Methods: r.Methods, AuthenticatedAt: r.AuthenticatedAt,
			CreatedAt: r.CreatedAt, LastUsedAt: r.LastUsedAt, Device: r.Device, IsCurrent: r.SessionID == user.SessionID,
		})
	}
	return sessions, nil
}

// EndByID ends a session of the signed-in user.
func (s *Sessions) EndByID(ctx context.Context, id string) error {
	user := currentUser(ctx)
	if user.SessionID != "" && user.SessionID == id {
		return s.End(ctx)
	}
	err := s.store.DeleteSessionOfUser(ctx, user.UserID, id)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return unavailableError(err)
	}
	return err
}

// EndOthers ends all sessions of the signed-in user except the one of the request.
func (s *Sessions) EndOthers(ctx context.Context) error {
	user := currentUser(ctx)
	if user.SessionID == "" {
		return nil
	}
	if err := s.store.DeleteOtherSessions(ctx, user.UserID, user.SessionID); err != nil {
		return unavailableError(err)
	}
	return nil
}

// setSession changes the session of the request and sets the session cookie. An empty token deletes the cookie.
func (s *Sessions) setSession(state *requestState, token string, r identity.SessionRecord) {
	state.tokenHash, state.user = r.TokenHash, r.Identity
	removeSetCookie(state.w, s.cookieName)
	cookie := &http.Cookie{ //nolint:gosec // development has no https
		Name: s.cookieName, Value: token, Path: "/", Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		// Without MaxAge, the cookie ends with the browser session, because practices share computers.
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(state.w, cookie)
	s.onUserChange(state.w, state.user.SessionID)
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
