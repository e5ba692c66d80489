package crash

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

// browser sends what our pages do, and sends it again when there was no answer.
type browser struct {
	site *site
	http *http.Client
}

func newBrowser(s *site) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err) // it has no options that could be wrong
	}
	return &browser{site: s, http: &http.Client{
		Jar: jar, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is what came back in the end.
type answer struct {
	status   int
	location string
	body     []byte
	again    bool // it was sent before without an answer, and may have had its effect then
}

// into reads the answer as JSON.
func (a answer) into(out any) error {
	if err := json.Unmarshal(a.body, out); err != nil {
		return fmt.Errorf("%w: %s", err, a)
	}
	return nil
}

// is reports whether the answer is a failure of the name.
func (a answer) is(name string) bool { return strings.Contains(string(a.body), `"name":"`+name+`"`) }

func (a answer) String() string { return fmt.Sprintf("%d %s", a.status, a.body) }

// ask sends the request until it is answered, whichever server does.
func (b *browser) ask(ctx context.Context, method, path string, body any) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var before answer
	for again := false; ctx.Err() == nil; pause(ctx, 10*time.Millisecond) {
		address := b.site.address.Load()
		if address == nil {
			continue
		}
		got, err := b.once(ctx, method, *address+path, body)
		got.again = again
		if before = got; err == nil && !b.comesBack(ctx, *address, got) {
			return got, nil
		}
		again = true
	}
	return answer{}, fmt.Errorf("no answer to %s %s, at last: %s", method, path, before)
}

// comesBack reports whether the answer asks to send the request again: the server has a moment's
// trouble, another request is still under way, or the page has outlived its token.
func (b *browser) comesBack(ctx context.Context, address string, a answer) bool {
	if a.is("ERRXSRF") {
		_, _ = b.once(ctx, http.MethodGet, address+"/vc-admin/user/detail", nil) // for the new token; else it comes here again
		return true
	}
	busy := a.is("ERRCONFLICT") && strings.Contains(string(a.body), "still being processed")
	// A server whose clock jumped takes over what another request is at, which is then given up.
	givenUp := *clocks && a.is("ERRCONFLICT") && strings.Contains(string(a.body), "given up")
	return busy || givenUp || a.status == http.StatusServiceUnavailable
}

func (b *browser) once(ctx context.Context, method, address string, body any) (answer, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(sent))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	r.Header.Set("X-XSRF-TOKEN", b.token(r.URL))
	got, err := b.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	return answer{status: got.StatusCode, location: got.Header.Get("Location"), body: text}, err
}

func (b *browser) token(address *url.URL) string {
	for _, cookie := range b.http.Jar.Cookies(address) {
		if cookie.Name == "XSRF-TOKEN" {
			return cookie.Value
		}
	}
	return ""
}

func (b *browser) get(ctx context.Context, path string) (answer, error) {
	return b.ask(ctx, http.MethodGet, path, nil)
}

func (b *browser) post(ctx context.Context, path string, body any) (answer, error) {
	return b.ask(ctx, http.MethodPost, path, body)
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
