package invoicepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const (
	// insertAnswer waits until a concurrent transaction with the same key has ended.
	insertAnswer = "INSERT INTO invoice_answers (key, fingerprint, response) VALUES (?, ?, '') ON CONFLICT (key) DO NOTHING"
	selectAnswer = "SELECT fingerprint, response FROM invoice_answers WHERE key = ?"
	updateAnswer = "UPDATE invoice_answers SET response = ? WHERE key = ?"
)

// answer is the stored response to a request.
type answer struct {
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
	out, replayed, err := respond(ctx, p, key, hash, func(tx plugin.Tx) (out T, response answer, err error) {
		if out, err = do(tx); err == nil {
			response.Value, err = json.Marshal(out)
		}
		return out, response, err
	})
	if replayed || !refused(err) {
		return out, unavailable(err)
	}
	out, replayed, failed := respond(ctx, p, key, hash, func(plugin.Tx) (T, answer, error) {
		return none, answer{Code: fault.CodeOf(err), Message: fault.MessageOf(err)}, nil
	})
	if replayed || failed != nil {
		return out, unavailable(failed)
	}
	return none, err
}

// respond returns the stored response to the request, or calls do and stores its response.
func respond[T any](
	ctx context.Context, p *Provider, key, hash string, do func(plugin.Tx) (T, answer, error),
) (out T, replayed bool, err error) {
	var none T
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		out = none
		claimed, err := tx.Exec(ctx, insertAnswer, key, hash)
		if err != nil {
			return err
		}
		if replayed = claimed == 0; replayed {
			return replay(ctx, tx, key, hash, &out)
		}
		var response answer
		if out, response, err = do(tx); err != nil {
			return err
		}
		return store(ctx, tx, key, response)
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
	if err := tx.Get(ctx, &row, selectAnswer, key); err != nil {
		return err
	}
	switch row.Fingerprint {
	case "":
		return fault.Wrap(payment.ErrKeyRetired, fault.Conflict, "This request was given up.")
	case hash:
	default:
		return fault.New(fault.Conflict, "This key was used for another request.")
	}
	var stored answer
	if err := json.Unmarshal([]byte(row.Response), &stored); err != nil {
		return err
	}
	if stored.Code != "" {
		return fault.New(stored.Code, stored.Message)
	}
	return json.Unmarshal(stored.Value, out)
}

func store(ctx context.Context, tx plugin.Tx, key string, response answer) error {
	text, err := json.Marshal(response)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, updateAnswer, string(text), key)
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
		claimed, err := tx.Exec(ctx, insertAnswer, in.Key, "")
		if err != nil || claimed > 0 {
			return err
		}
		var used string
		if err := tx.Get(ctx, &used, "SELECT fingerprint FROM invoice_answers WHERE key = ?", in.Key); err != nil {
			return err
		}
		if used != "" {
			return fault.New(fault.Conflict, "This request has been carried out.")
		}
		return nil
	}))
}

// changeCustomer changes a customer's ledger once for the key and returns the customer.
func (p *Provider) changeCustomer(
	ctx context.Context, name, key, customerID string, request any, do func(*ledger) error,
) (billing.Customer, error) {
	return once(ctx, p, name, key, request, func(tx plugin.Tx) (billing.Customer, error) {
		l, err := p.change(ctx, tx, customerID, do)
		if err != nil {
			return billing.Customer{}, err
		}
		return l.billingCustomer(), nil
	})
}

// changeSubscription changes a customer's ledger once for the key and returns the subscription whose id
// do returns.
func (p *Provider) changeSubscription(
	ctx context.Context, name, key string, find func(plugin.Tx) (customerID string, err error), request any, do func(*ledger) (string, error),
) (billing.Subscription, error) {
	return once(ctx, p, name, key, request, func(tx plugin.Tx) (billing.Subscription, error) {
		customerID, err := find(tx)
		if err != nil {
			return billing.Subscription{}, err
		}
		var id string
		l, err := p.change(ctx, tx, customerID, func(l *ledger) (err error) {
			id, err = do(l)
			return err
		})
		if err != nil {
			return billing.Subscription{}, err
		}
		s, err := l.subscription(id)
		return l.billingSubscription(s), err
	})
}

// change locks a customer's ledger, processes what is due, calls do and stores the changes.
func (p *Provider) change(ctx context.Context, tx plugin.Tx, customerID string, do func(*ledger) error) (*ledger, error) {
	l, err := p.load(ctx, tx, customerID, true)
	if err != nil {
		return nil, err
	}
	l.advance()
	if err := do(l); err != nil {
		return nil, err
	}
	return l, l.save(ctx, tx)
}

const selectOwner = "SELECT customer_id FROM invoice_subscriptions WHERE id = ?"

// ownerOf finds the customer of a subscription.
func (p *Provider) ownerOf(ctx context.Context, subscriptionID string) func(plugin.Tx) (string, error) {
	return func(tx plugin.Tx) (id string, err error) {
		err = tx.Get(ctx, &id, selectOwner, subscriptionID)
		if fault.Is(err, fault.NotFound) {
			return "", errNoSubscription()
		}
		return id, err
	}
}
