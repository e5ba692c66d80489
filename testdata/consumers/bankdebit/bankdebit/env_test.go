package bankdebit_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.test/bankdebit/fakeapi"

	"github.com/vc-admin/diy/ports/payment"
)

func (e *env) advance(t *testing.T, d time.Duration) {
	_, err := e.clock.Advance(d)
	require.NoError(t, err)
}

// visit chooses an account on the page.
func (e *env) visit(t *testing.T, address string, account fakeapi.Behaviour) string {
	form := strings.NewReader(url.Values{"account": {string(account)}}.Encode())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, form)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusSeeOther, response.StatusCode)
	return response.Header.Get("Location")
}

func (e *env) receive(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.received = append(e.received, payment.Delivery{Header: r.Header, Body: body})
}

func (e *env) deliveries(t *testing.T) []payment.Delivery {
	require.NoError(t, e.bank.Deliver(t.Context(), http.DefaultClient, e.webhook))
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.received)
}

// lossyTransport loses the response of one POST request when it is told to.
type lossyTransport struct{ loses *atomic.Bool }

func (l lossyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && r.Method == http.MethodPost && l.loses.CompareAndSwap(true, false) {
		return nil, errors.Join(errors.New("the response was lost"), response.Body.Close())
	}
	return response, err
}
