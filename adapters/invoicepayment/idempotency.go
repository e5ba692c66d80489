package invoicepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const (
	// insertResponse waits until a concurrent transaction with the same key has ended.
	insertResponse = "INSERT INTO invoice_responses (key, fingerprint, response) VALUES (?, ?, '') ON CONFLICT (key) DO NOTHING"
	selectResponse = "SELECT fingerprint, response FROM invoice_responses WHERE key = ?"
	updateResponse = "UPDATE invoice_responses SET response = ? WHERE key = ?"
)

// response is the stored response to a request.
type response struct {
	Value   json.RawMessage `json:"value,omitempty"`
	Code    fault.Code      `json:"code,omitempty"` // of a refusal
	Message string          `json:"message,omitempty"`
}

// once calls do for the first request with the key and returns the stored response, success or refusal,
// for repeated ones. Another request with the same key is a Conflict. What do does is rolled back when
// it returns an error.
func once[T any](ctx context.Context, p *Provider, name, key string, request any, do func(plugin.Tx) (T, error)) (T, error) {
	var none T
	if key == "" {
		return none, fault.New(fault.Invalid, "A request that changes something needs a key.")
	}
	hash, err := fingerprint(name, request)
	if err != nil {
		return none, err
	}
	out, replayed, err := respond(ctx, p, key, hash, func(tx plugin.Tx) (out T, r response, err error) {
		if out, err = do(tx); err == nil {
			r.Value, err = json.Marshal(out)
		}
		return out, r, err
	})
	if replayed || !refused(err) {
		return out, unavailable(err)
	}
	out, replayed, failed := respond(ctx, p, key, hash, func(plugin.Tx) (T, response, error) {
		return none, response{Code: fault.CodeOf(err), Message: fault.MessageOf(err)}, nil
	})
	if replayed || failed != nil {
		return out, unavailable(failed)
	}
	return none, err
}

// respond returns the stored response to the request, or calls do and stores its response.
func respond[T any](
	ctx context.Context, p *Provider, key, hash string, do func(plugin.Tx) (T, response, error),
) (out T, replayed bool, err error) {
	var none T
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		out = none
		claimed, err := tx.Exec(ctx, insertResponse, key, hash)
		if err != nil {
			return err
		}
		if replayed = claimed == 0; replayed {
			return replay(ctx, tx, key, hash, &out)
		}
		var r response
		if out, r, err = do(tx); err != nil {
			return err
		}
		return storeResponse(ctx, tx, key, r)
	})
	if err != nil {
		return none, replayed, err
	}
	return out, replayed, nil
}

// refused reports whether the error is the provider's response, and not a failure.
func refused(err error) bool {
	switch fault.CodeOf(err) {
	case fault.Invalid, fault.Conflict, fault.NotFound, fault.Unsupported:
		return true
	}
	return false
}

func fingerprint(name string, request any) (string, error) {
	text, err := json.Marshal([]any{name, request})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// replay reads the stored response into out, or returns its refusal.
func replay(ctx context.Context, tx plugin.Tx, key, hash string, out any) error {
	var row struct {
		Fingerprint string `db:"fingerprint"`
		Response    string `db:"response"`
	}
	if err := tx.Get(ctx, &row, selectResponse, key); err != nil {
		return err
	}
	switch row.Fingerprint {
	case "":
		return fault.Wrap(payment.ErrKeyRetired, fault.Conflict, "This request was given up.")
	case hash:
	default:
		return fault.New(fault.Conflict, "This key was used for another request.")
	}
	var stored response
	if err := json.Unmarshal([]byte(row.Response), &stored); err != nil {
		return err
	}
	if stored.Code != "" {
		return fault.New(stored.Code, stored.Message)
	}
	return json.Unmarshal(stored.Value, out)
}

func storeResponse(ctx context.Context, tx plugin.Tx, key string, r response) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, updateResponse, string(text), key)
	return err
}

// Retire implements payment.Fence. Without a response, the key is marked as used.
func (p *Provider) Retire(ctx context.Context, in payment.Retirement) error {
	return unavailable(p.Database.Write(ctx, func(tx plugin.Tx) error {
		if _, err := p.load(ctx, tx, in.CustomerID, false); err != nil {
			return err
		}
		if in.Key == "" {
			return fault.New(fault.Invalid, "A request that is to be retired has a key.")
		}
		claimed, err := tx.Exec(ctx, insertResponse, in.Key, "")
		if err != nil || claimed > 0 {
			return err
		}
		var used string
		if err := tx.Get(ctx, &used, "SELECT fingerprint FROM invoice_responses WHERE key = ?", in.Key); err != nil {
			return err
		}
		if used != "" {
			return fault.New(fault.Conflict, "This request has been carried out.")
		}
		return nil
	}))
}
