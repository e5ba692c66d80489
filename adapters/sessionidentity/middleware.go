package sessionidentity

import (
	"context"
	"net/http"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// Middleware makes every request a visit. It only reads: a browser gets a session cookie from
// Start and from nothing else. Where the store can't be read the visit ends with Fail, because to
// go on as a visitor would look like a sign-out.
//
// Writers that buffer an answer's header belong outside of it, since Start and End set cookies on
// the writer it was given.
func (s *Sessions) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Cookie")
		ctx, who, err := s.load(r)
		if err != nil {
			s.fail(w, r, unavailable(err))
			return
		}
		ctx = context.WithValue(ctx, visitKey{}, &visit{w: w, who: who})
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// load reads whose session the request's cookie names. A token that the store does not know is
// nobody's and is never adopted.
func (s *Sessions) load(r *http.Request) (context.Context, person, error) {
	ctx, err := s.manager.Load(r.Context(), s.brought(r))
	if err != nil {
		return nil, nobody, err
	}
	token := s.manager.Token(ctx)
	if token == "" {
		return ctx, nobody, nil
	}
	recently, err := s.seen.check(withOwner(ctx, s.manager.GetString(ctx, userKey)), token, now())
	if err != nil || !recently {
		return ctx, nobody, err
	}
	return ctx, person{
		Identity: identity.Identity{
			UserID:         s.manager.GetString(ctx, userKey),
			OrganisationID: s.manager.GetString(ctx, organisationKey),
		},
		secret: s.manager.GetString(ctx, secretKey),
	}, nil
}

func (s *Sessions) brought(r *http.Request) string {
	cookie, err := r.Cookie(s.manager.Cookie.Name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

func failPlainly(w http.ResponseWriter, _ *http.Request, err error) {
	status := http.StatusInternalServerError
	if fault.Is(err, fault.Unavailable) {
		status = http.StatusServiceUnavailable
	}
	http.Error(w, http.StatusText(status), status)
}
