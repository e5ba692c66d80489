package fakepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// once does what a request with an idempotency key asks for, the first time, and repeats the
// answer, be it a refusal, every other time.
func once[T any](ctx context.Context, p *Provider, name, key string, request any, do func(*tx) (T, error)) (T, error) {
	var out T
	if key == "" {
		return out, fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	mark, err := fingerprint(name, request)
	if err != nil {
		return out, err
	}
	err = p.act(ctx, func(t *tx) error {
		if known, found := t.answers.get(key); found {
			return known.repeat(mark, &out)
		}
		var refusal error
		out, refusal = do(t)
		return t.remember(key, mark, out, refusal)
	})
	if err != nil {
		var none T
		return none, err
	}
	return out, nil
}

// fingerprint is equal for equal requests only, and tells nothing about them.
func fingerprint(name string, request any) (string, error) {
	text, err := json.Marshal([]any{name, request})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// repeat gives the answer again to the same request.
func (a answer) repeat(mark string, out any) error {
	if a.Retired {
		return fault.Wrap(payment.ErrKeyRetired, fault.Conflict, "This request was given up.")
	}
	if a.Fingerprint != mark {
		return fault.New(fault.Conflict, "This key was used for another request.")
	}
	if a.Code != "" {
		return fault.New(a.Code, a.Message)
	}
	return json.Unmarshal(a.Value, out)
}

// remember keeps the answer together with what the request changed, and returns the refusal.
func (t *tx) remember(key, mark string, out any, refusal error) error {
	a := answer{Key: key, Fingerprint: mark}
	if refusal != nil {
		a.Code, a.Message = fault.CodeOf(refusal), fault.MessageOf(refusal)
		t.answers.put(a)
		return refusal
	}
	value, err := json.Marshal(out)
	if err != nil {
		return err
	}
	a.Value = value
	t.answers.put(a)
	return nil
}
