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

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// client sends requests as the web app does. It repeats a request until it gets a response.
type client struct {
	launcher *serverLauncher
	http     *http.Client
}

func newClient(s *serverLauncher) *client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		panic(err)
	}
	return &client{launcher: s, http: &http.Client{
		Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// response is the response to a request.
type response struct {
	status      int
	location    string
	body        []byte
	wasRepeated bool // whether an earlier request without a response may have had the effect
}

// decode decodes the JSON body into value.
func (r response) decode(value any) error {
	if err := json.Unmarshal(r.body, value); err != nil {
		return fmt.Errorf("%w: %s", err, r)
	}
	return nil
}

// isError reports whether the response is the error with the name.
func (r response) isError(name string) bool {
	return strings.Contains(string(r.body), `"name":"`+name+`"`)
}

// isAccepted reports whether the request had its effect. If the request was repeated or sent from several tabs, a conflict
// means that an earlier request or another tab had the effect.
func (r response) isAccepted(tabs int) bool {
	return r.status == http.StatusOK || (r.wasRepeated || tabs > 1) && r.isError("ERRCONFLICT")
}

func (r response) String() string { return fmt.Sprintf("%d %s", r.status, r.body) }

// send sends a request until a server responds.
func (c *client) send(ctx context.Context, method, path string, body any) (response, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var last response
	for repeated := false; ctx.Err() == nil; sleep(ctx, 10*time.Millisecond) {
		origin := c.launcher.origin.Load()
		if origin == nil {
			continue
		}
		res, err := c.sendOnce(ctx, method, *origin+path, body)
		res.wasRepeated = repeated
		last = res
		if err == nil && !c.prepareRepetition(ctx, *origin, res) {
			return res, nil
		}
		repeated = true
	}
	return response{}, fmt.Errorf("no response to %s %s; the last one: %s", method, path, last)
}

// prepareRepetition reports whether the client must repeat the request, because the server is unavailable, another request
// is in progress, or the XSRF token has expired. It renews an expired token.
func (c *client) prepareRepetition(ctx context.Context, origin string, res response) bool {
	if res.isError("ERRXSRF") {
		_, _ = c.sendOnce(ctx, http.MethodGet, origin+"/vc-admin/user/detail", nil) // sets a new token
		return true
	}
	isBusy := res.isError("ERRCONFLICT") && strings.Contains(string(res.body), "still being processed")
	// A server whose clock has jumped takes over the operation of a running request, which then fails.
	isTakenOver := (*useSkewedClocks || c.launcher.wasClockMoved.Load()) && res.isError("ERRCONFLICT") &&
		strings.Contains(string(res.body), "given up")
	return isBusy || isTakenOver || res.status == http.StatusServiceUnavailable
}

func (c *client) sendOnce(ctx context.Context, method, rawURL string, body any) (response, error) {
	requestBody, err := json.Marshal(body)
	if err != nil {
		return response{}, err
	}
	r, err := http.NewRequestWithContext(ctx, method, rawURL, bytes.NewReader(requestBody))
	if err != nil {
		return response{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	r.Header.Set("X-XSRF-TOKEN", c.xsrfToken(r.URL))
	res, err := c.http.Do(r)
	if err != nil {
		return response{}, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	return response{status: res.StatusCode, location: res.Header.Get("Location"), body: text}, err
}

func (c *client) xsrfToken(target *url.URL) string {
	for _, cookie := range c.http.Jar.Cookies(target) {
		if cookie.Name == "XSRF-TOKEN" {
			return cookie.Value
		}
	}
	return ""
}

func (c *client) get(ctx context.Context, path string) (response, error) {
	return c.send(ctx, http.MethodGet, path, nil)
}

func (c *client) post(ctx context.Context, path string, body any) (response, error) {
	return c.send(ctx, http.MethodPost, path, body)
}

// sleep waits until d has passed or ctx is done.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// createCard creates a card at the provider, as the card form in the browser does.
func (h *harness) createCard(ctx context.Context, u *user, number string) (string, error) {
	if h.stripe != nil {
		card, err := h.stripe.fake.CreatePaymentMethod(ctx,
			fakepayment.CardEntry{Number: number, ExpMonth: 12, ExpYear: 2034, CVC: "123"})
		return card.ID, err
	}
	res, err := u.post(ctx, "/dev/payments/payment_methods", map[string]any{
		"card": map[string]any{"number": number, "exp_month": 12, "exp_year": 2034, "cvc": "123"},
	})
	if err != nil {
		return "", err
	}
	var card struct{ ID string }
	if res.status != http.StatusOK || res.decode(&card) != nil {
		return "", u.reportUnexpectedResponse("card field", res)
	}
	return card.ID, nil
}
