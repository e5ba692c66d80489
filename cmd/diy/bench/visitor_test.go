package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// visitor asks a server as our pages do.
type visitor struct {
	origin  string
	cookies []*http.Cookie
	token   string // for the header against other sites
	address string // that a proxy names as the client's; "" names none
	client  *http.Client
}

// newVisitor has nobody signed in.
func newVisitor(b *testing.B, s *server) *visitor {
	b.Helper()
	v := &visitor{origin: s.origin(), client: &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 4096}}}
	b.Cleanup(v.client.CloseIdleConnections)
	got, err := v.client.Do(v.request(b.Context(), http.MethodGet, "/vc-admin/diy/config.json", nil))
	require.NoError(b, err)
	require.NoError(b, got.Body.Close())
	v.keep(got.Cookies())
	require.NotEmpty(b, v.token)
	return v
}

// keep takes cookies in place of those it has.
func (v *visitor) keep(cookies []*http.Cookie) {
	v.cookies = cookies
	for _, c := range cookies {
		if c.Name == "XSRF-TOKEN" {
			v.token = c.Value
		}
	}
}

// as is the same browser with a session.
func (v *visitor) as(cookies []*http.Cookie) *visitor {
	signedIn := *v
	signedIn.keep(cookies)
	return &signedIn
}

func (v *visitor) request(ctx context.Context, method, path string, body []byte) *http.Request {
	r, err := http.NewRequestWithContext(ctx, method, v.origin+path, bytes.NewReader(body))
	must(err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	r.Header.Set("X-XSRF-TOKEN", v.token)
	if v.address != "" {
		r.Header.Set("X-Forwarded-For", v.address)
	}
	for _, c := range v.cookies {
		r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	return r
}

// get is a request for a page or a call.
func (v *visitor) get(b *testing.B, path string) *http.Request {
	b.Helper()
	return v.request(b.Context(), http.MethodGet, path, nil)
}

// post sends a call and returns the status.
func (v *visitor) post(ctx context.Context, path string, body any) (int, []byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	got, err := v.client.Do(v.request(ctx, http.MethodPost, path, text))
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = got.Body.Close() }()
	said, err := io.ReadAll(got.Body)
	return got.StatusCode, said, err
}

// people counts those who registered, so that no two are called alike.
var people atomic.Int64

const password = "Secret-pass-1"

// register signs somebody new up and returns the e-mail and the status.
func (v *visitor) register(ctx context.Context) (email string, status int, err error) {
	n := people.Add(1)
	email = fmt.Sprintf("ann%d@clinic.example", n)
	status, _, err = v.post(ctx, "/vc-admin/signup", registration(fmt.Sprintf("Clinic %d", n), email))
	return email, status, err
}

func registration(org, email string) map[string]any {
	return map[string]any{
		"firstName": "Ann", "lastName": "King", "org": org, "email": email, "password": password,
		"contact": "+61 2 9000 0000", "billing_address": map[string]string{
			"line1": "1 Long Road", "city": "Sydney", "state": "New South Wales", "postal_code": "2000", "country": "AU",
		},
	}
}

// took is how long something takes that has to succeed.
func took(b *testing.B, do func() error) time.Duration {
	b.Helper()
	began := time.Now()
	err := do()
	d := time.Since(began)
	require.NoError(b, err)
	return d
}

// wants makes an error of another status than the one that is wanted.
func wants(want, got int, said []byte, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("%d instead of %d: %s", got, want, said)
	}
	return err
}
