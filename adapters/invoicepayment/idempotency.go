package invoicepayment

import (
	"context"
	"encoding/json"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const (
	insertResponse = `INSERT INTO invoice_responses (key, fingerprint, response, created_at) VALUES (?, ?, '', ?)
		ON CONFLICT (key) DO NOTHING`
	selectResponse = "SELECT fingerprint, response FROM invoice_responses WHERE key = ?"
	updateResponse = "UPDATE invoice_responses SET response = ? WHERE key = ?"
	// deleteResponses keeps those of unknown age, which servers of an earlier version store during an update.
	deleteResponses = `DELETE FROM invoice_responses WHERE key IN
		(SELECT key FROM invoice_responses WHERE created_at > 0 AND created_at < ? ORDER BY created_at LIMIT ?)`
)

const (
	// keepResponses is how long responses and retired keys are kept: much longer than
	// payment.KeyRetention, because it costs little.
	keepResponses = 30 * day
	forgetBatch   = 500
)

// runOnce calls do for the first request with the key and returns the stored response, success or refusal,
// for repeated ones. Another request with the same key is a Conflict. An error of do rolls its
// changes back.
func runOnce[T any](ctx context.Context, p *Provider, name, key string, request any, do func(plugin.Tx) (T, error)) (T, error) {
	var none T
	hash, err := payment.Fingerprint(name, key, request)
	if err != nil {
		return none, err
	}
	out, replayed, err := respond(ctx, p, key, hash, func(tx plugin.Tx) (out T, refusal, err error) {
		out, err = do(tx)
		return out, nil, err
	})
	if replayed || !isResponse(err) {
		return out, unavailable(err)
	}
	out, replayed, failed := respond(ctx, p, key, hash, func(plugin.Tx) (T, error, error) { return none, err, nil })
	if replayed || failed != nil {
		return out, unavailable(failed)
	}
	return none, err
}

// respond returns the stored response to the request, or calls do and stores its response.
func respond[T any](
	ctx context.Context, p *Provider, key, hash string, do func(plugin.Tx) (value T, refusal, err error),
) (out T, replayed bool, err error) {
	var none T
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		out = none
		claimed, err := claim(ctx, tx, key, hash)
		if err != nil {
			return err
		}
		if replayed = !claimed; replayed {
			return replay(ctx, tx, key, hash, &out)
		}
		var refusal error
		if out, refusal, err = do(tx); err != nil {
			return err
		}
		r, err := payment.NewResponse(hash, out, refusal)
		if err != nil {
			return err
		}
		return storeResponse(ctx, tx, key, r)
	})
	if err != nil {
		return none, replayed, err
	}
	return out, replayed, nil
}

// isResponse reports whether the error is the provider's response, and not a failure.
func isResponse(err error) bool {
	switch fault.CodeOf(err) {
	case fault.Invalid, fault.Conflict, fault.NotFound, fault.Unsupported:
		return true
	}
	return false
}

// replay reads the stored response into out, or returns its refusal.
func replay(ctx context.Context, tx plugin.Tx, key, hash string, out any) error {
	stored, err := storedResponse(ctx, tx, key)
	if err != nil {
		return err
	}
	return stored.Replay(hash, out)
}

func storedResponse(ctx context.Context, tx plugin.Tx, key string) (r payment.Response, err error) {
	var row struct {
		Fingerprint string `db:"fingerprint"`
		Response    string `db:"response"`
	}
	if err := tx.Get(ctx, &row, selectResponse, key); err != nil || row.Fingerprint == "" {
		return r, err
	}
	err = json.Unmarshal([]byte(row.Response), &r)
	r.Fingerprint = row.Fingerprint
	return r, err
}

func storeResponse(ctx context.Context, tx plugin.Tx, key string, r payment.Response) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, updateResponse, string(text), key)
	return err
}

// claim stores the key, and returns false if it is stored already. It waits until a concurrent
// transaction with the same key has ended. The age of the key is by the database's clock, because the
// clocks of servers may differ.
func claim(ctx context.Context, tx plugin.Tx, key, fingerprint string) (bool, error) {
	now, err := tx.Now(ctx)
	if err != nil {
		return false, err
	}
	claimed, err := tx.Exec(ctx, insertResponse, key, fingerprint, now.Unix())
	return claimed > 0, err
}

// forgetResponses deletes the oldest responses that need not be kept any more, forgetBatch at most.
func (p *Provider) forgetResponses(ctx context.Context) error {
	return unavailable(p.Database.Write(ctx, func(tx plugin.Tx) error {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, deleteResponses, now.Add(-keepResponses).Unix(), forgetBatch)
		return err
	}))
}

// Retire implements payment.Fence. Without a response, the key is marked as used.
func (p *Provider) Retire(ctx context.Context, in payment.Retirement) error {
	return unavailable(p.Database.Write(ctx, func(tx plugin.Tx) error {
		if _, err := p.load(ctx, tx, in.CustomerID, false); err != nil {
			return err
		}
		if in.Key == "" {
			return fault.New(fault.Invalid, "The key of a request is required.")
		}
		claimed, err := claim(ctx, tx, in.Key, "")
		if claimed || err != nil {
			return err
		}
		stored, err := storedResponse(ctx, tx, in.Key)
		if err != nil {
			return err
		}
		return stored.CheckRetired()
	}))
}
