package sessionidentity

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// person is who a visit belongs to.
type person struct {
	identity.Identity
	secret string // the session's own; "" for a visitor
}

var nobody person

func (p person) signedIn() bool { return p.secret != "" }

// visit is one request and the answer it will get.
type visit struct {
	w http.ResponseWriter

	mu  sync.Mutex
	who person
}

type visitKey struct{}

func visitOf(ctx context.Context) (*visit, error) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return nil, fault.New(fault.Internal, "sessionidentity: the request did not pass through the middleware")
	}
	return v, nil
}

// personOf is whom the visit belongs to, nobody outside of visits.
func personOf(ctx context.Context) person {
	v, err := visitOf(ctx)
	if err != nil {
		return nobody
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.who
}

// turn hands the visit to somebody else and gives the browser their token, or takes its cookie back
// when the expiry is zero.
func (s *Sessions) turn(ctx context.Context, v *visit, who person, token string, expiry time.Time) {
	v.who = who
	dropCookie(v.w, s.manager.Cookie.Name)
	s.manager.WriteSessionCookie(ctx, v.w, token, expiry)
	s.changed(v.w, who.secret)
}

// dropCookie unsets a cookie that this answer was about to set: the last word is the only one.
func dropCookie(w http.ResponseWriter, name string) {
	lines := w.Header()["Set-Cookie"]
	w.Header().Del("Set-Cookie")
	for _, line := range lines {
		if !strings.HasPrefix(line, name+"=") {
			w.Header().Add("Set-Cookie", line)
		}
	}
}
