package fakepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// once calls do for the first request with the key and returns the stored response, success or
// error, for repeated ones. Another request with the same key is a Conflict.
func once[T any](ctx context.Context, p *Provider, name, key string, request any, do func(*tx) (T, error)) (T, error) {
	var out T
	if key == "" {
		return out, fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	hash, err := fingerprint(name, request)
	if err != nil {
		return out, err
	}
	err = p.transact(ctx, func(t *tx) error {
		if stored, found := t.responses.get(key); found {
			return stored.replay(hash, &out)
		}
		var refusal error
		out, refusal = do(t)
		return t.storeResponse(key, hash, out, refusal)
	})
	if err != nil {
		var none T
		return none, err
	}
	return out, nil
}

// fingerprint returns a hash of the request.
func fingerprint(name string, request any) (string, error) {
	text, err := json.Marshal([]any{name, request})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// replay stores the response's value in out, or returns its error.
func (r response) replay(fingerprint string, out any) error {
	if r.Retired {
		return fault.Wrap(payment.ErrKeyRetired, fault.Conflict, "This request was given up.")
	}
	if r.Fingerprint != fingerprint {
		return fault.New(fault.Conflict, "This key was used for another request.")
	}
	if r.Code != "" {
		return fault.New(r.Code, r.Message)
	}
	return json.Unmarshal(r.Value, out)
}

// storeResponse stores the response in the transaction of the request and returns refusal.
func (t *tx) storeResponse(key, fingerprint string, out any, refusal error) error {
	r := response{Key: key, Fingerprint: fingerprint}
	if refusal != nil {
		r.Code, r.Message = fault.CodeOf(refusal), fault.MessageOf(refusal)
		t.responses.put(r)
		return refusal
	}
	value, err := json.Marshal(out)
	if err != nil {
		return err
	}
	r.Value = value
	t.responses.put(r)
	return nil
}

// Retire marks the key as used, so that a later request with it is refused. It returns Conflict if
// a request with the key has been processed. No request is in progress: they are processed one at
// a time.
func (p *Provider) Retire(ctx context.Context, in payment.Retirement) error {
	return p.transact(ctx, func(t *tx) error {
		if _, err := t.customer(in.CustomerID); err != nil {
			return err
		}
		if in.Key == "" {
			return fault.New(fault.Invalid, "A request that is to be retired has a key.")
		}
		stored, used := t.responses.get(in.Key)
		switch {
		case !used:
			t.responses.put(response{Key: in.Key, Retired: true})
		case !stored.Retired:
			return fault.New(fault.Conflict, "This request has been carried out.")
		}
		return nil
	})
}

// Capabilities reports that everything is supported but a price list. A retired key is safe as soon as
// Retire returns.
func (p *Provider) Capabilities() payment.Capabilities {
	return payment.Capabilities{
		Entry: payment.EntryCardField,
		Missing: map[payment.Capability]string{
			payment.PriceSync: "the fake provider sells the catalogue it is opened with",
		},
	}
}
