package tables

import (
	"context"
	"encoding/json"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// KeyRetention is how long responses and retired keys are kept. It is much longer than payment.KeyRetention, because
// storage is cheap.
const KeyRetention = 30 * 24 * time.Hour

// deleteBatch is the maximum number of responses that one call of DeleteExpired deletes.
const deleteBatch = 500

// Keys stores the response to each request by its key, in a table with the columns
//
//	key         TEXT NOT NULL PRIMARY KEY,
//	fingerprint TEXT NOT NULL,            -- of the request; '' for a retired key
//	response    TEXT NOT NULL,            -- a payment.Response
//	created_at  BIGINT NOT NULL           -- seconds since 1970 by the database's clock
//
// Errors without a fault code come from the database.
type Keys struct {
	Database plugin.Database
	Table    string
}

// DoOnce calls do for the first request with the key, in a transaction that also stores its response. For repeated
// requests it returns the stored response, which is a value or a refusal. It returns Conflict if the key was used with
// another name or other parameters. If do returns an error, the changes of do are rolled back. DoOnce stores the error if
// it is a refusal: Invalid, Conflict, NotFound or Unsupported.
func DoOnce[T any](
	ctx context.Context, k Keys, name, key string, request any, do func(plugin.Tx) (T, error),
) (T, error) {
	var zero T
	fingerprint, err := payment.Fingerprint(name, key, request)
	if err != nil {
		return zero, err
	}
	value, isReplay, err := respond(ctx, k, key, fingerprint, func(tx plugin.Tx) (value T, refusal, err error) {
		value, err = do(tx)
		return value, nil, err
	})
	if isReplay || !isRefusal(err) {
		return value, err
	}
	refusal := err
	value, isReplay, err = respond(ctx, k, key, fingerprint, func(plugin.Tx) (T, error, error) { return zero, refusal, nil })
	if isReplay || err != nil {
		return value, err
	}
	return zero, refusal
}

func isRefusal(err error) bool {
	switch fault.CodeOf(err) {
	case fault.Invalid, fault.Conflict, fault.NotFound, fault.Unsupported:
		return true
	}
	return false
}

// respond returns the stored response to the request, or calls do and stores its response.
func respond[T any](
	ctx context.Context, k Keys, key, fingerprint string, do func(plugin.Tx) (value T, refusal, err error),
) (value T, isReplay bool, err error) {
	var zero T
	err = k.Database.Write(ctx, func(tx plugin.Tx) error {
		value = zero // clear the value of an earlier run of the transaction
		isNew, err := k.claim(ctx, tx, key, fingerprint)
		if err != nil {
			return err
		}
		if isReplay = !isNew; isReplay {
			response, err := k.readResponse(ctx, tx, key)
			if err != nil {
				return err
			}
			return response.Replay(fingerprint, &value)
		}
		var refusal error
		if value, refusal, err = do(tx); err != nil {
			return err
		}
		return k.storeResponse(ctx, tx, key, fingerprint, value, refusal)
	})
	if err != nil {
		return zero, isReplay, err
	}
	return value, isReplay, nil
}

// Retire implements payment.Fence. It stores the key without a response, so that a later request with the key is
// refused. checkCustomer returns NotFound if the customer does not exist.
func (k Keys) Retire(ctx context.Context, req payment.Retirement, checkCustomer func(plugin.Tx) error) error {
	return k.Database.Write(ctx, func(tx plugin.Tx) error {
		if err := checkCustomer(tx); err != nil {
			return err
		}
		if err := req.Check(); err != nil {
			return err
		}
		isNew, err := k.claim(ctx, tx, req.Key, "")
		if isNew || err != nil {
			return err
		}
		response, err := k.readResponse(ctx, tx, req.Key)
		if err != nil {
			return err
		}
		return response.CheckRetired()
	})
}

// DeleteExpired deletes expired responses, oldest first and at most deleteBatch.
func (k Keys) DeleteExpired(ctx context.Context) error {
	return k.Database.Write(ctx, func(tx plugin.Tx) error {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "DELETE FROM "+k.Table+" WHERE key IN (SELECT key FROM "+k.Table+
			" WHERE created_at < ? ORDER BY created_at LIMIT ?)", now.Add(-KeyRetention).Unix(), deleteBatch)
		return err
	})
}

// claim stores the key, and sets isNew to false if the key was stored before. It uses the database's clock, because the
// clocks of servers may differ. It waits until a concurrent transaction with the same key has ended.
func (k Keys) claim(ctx context.Context, tx plugin.Tx, key, fingerprint string) (isNew bool, err error) {
	now, err := tx.Now(ctx)
	if err != nil {
		return false, err
	}
	rowCount, err := tx.Exec(ctx, "INSERT INTO "+k.Table+" (key, fingerprint, response, created_at) VALUES (?, ?, '', ?)"+
		" ON CONFLICT (key) DO NOTHING", key, fingerprint, now.Unix())
	return rowCount > 0, err
}

// readResponse returns the response that is stored for the key, or the zero response for a retired key.
func (k Keys) readResponse(ctx context.Context, tx plugin.Tx, key string) (r payment.Response, err error) {
	var row struct {
		Fingerprint string `db:"fingerprint"`
		Response    string `db:"response"`
	}
	err = tx.Get(ctx, &row, "SELECT fingerprint, response FROM "+k.Table+" WHERE key = ?", key)
	if err != nil || row.Fingerprint == "" {
		return r, err
	}
	err = json.Unmarshal([]byte(row.Response), &r)
	r.Fingerprint = row.Fingerprint
	return r, err
}

func (k Keys) storeResponse(ctx context.Context, tx plugin.Tx, key, fingerprint string, value any, refusal error) error {
	r, err := payment.NewResponse(fingerprint, value, refusal)
	if err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "UPDATE "+k.Table+" SET response = ? WHERE key = ?", string(text), key)
	return err
}
