package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/ports/payment"
)

// responseRetention is the age at which responses are deleted. It exceeds payment.KeyRetention, because a test can move
// the clock.
const responseRetention = 30 * day

// runOnce calls execute for the first request with the key and returns the stored response, success or
// error, for repeated requests. It returns Conflict for a different request with the same key.
func runOnce[T any](ctx context.Context, p *Provider, name, key string, req any, execute func(*tx) (T, error)) (T, error) {
	fingerprint, err := payment.Fingerprint(name, key, req)
	if err != nil {
		var zero T
		return zero, err
	}
	return run(ctx, p, func(t *tx) (T, error) {
		if previous, ok := t.responses.get(key); ok {
			var result T
			err := previous.Replay(fingerprint, &result)
			return result, err
		}
		result, requestErr := execute(t)
		return result, t.storeResponse(key, fingerprint, result, requestErr)
	})
}

// storeResponse stores the result and error of a request in the transaction of the request, and returns the error.
func (t *tx) storeResponse(key, fingerprint string, out any, requestErr error) error {
	r, err := payment.NewResponse(fingerprint, out, requestErr)
	if err != nil {
		return err
	}
	t.addResponse(key, r)
	return requestErr
}

func (t *tx) addResponse(key string, r payment.Response) {
	t.responses.put(response{Key: key, Response: r, Created: t.now})
	t.responseKeys = append(t.responseKeys, key)
}

// deleteExpiredResponses deletes the oldest responses that have expired, at most maxBatch.
func (t *tx) deleteExpiredResponses() {
	for range maxBatch {
		if len(t.responseKeys) == 0 {
			return
		}
		oldest := t.responseKeys[0]
		if t.responses.rows[oldest].Created.Add(responseRetention).After(t.now) {
			return
		}
		t.responses.remove(oldest)
		t.responseKeys = t.responseKeys[1:]
	}
}

// Retire marks the key as used, so that a later request with it is refused. It returns Conflict if a request with the
// key has been processed. No other request is in progress during this call, because requests are processed one at a
// time.
func (p *Provider) Retire(ctx context.Context, req payment.Retirement) error {
	return p.transact(ctx, func(t *tx) error {
		if _, err := t.customer(req.CustomerID); err != nil {
			return err
		}
		if err := req.Check(); err != nil {
			return err
		}
		if previous, ok := t.responses.get(req.Key); ok {
			return previous.CheckRetired()
		}
		t.addResponse(req.Key, payment.Response{})
		return nil
	})
}
