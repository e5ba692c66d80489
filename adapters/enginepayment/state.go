package enginepayment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// state is stored as JSON in ledger.Customer.State.
type state struct {
	Ref        string                 `json:"ref,omitempty"`  // the customer's at the gateway
	Known      known                  `json:"known,omitzero"` // to the gateway
	Methods    []engine.AccountMethod `json:"methods,omitempty"`
	Default    string                 `json:"default,omitempty"`
	HeldCredit int64                  `json:"held_credit,omitempty"`
	Hold       billing.Hold           `json:"hold,omitempty"`
}

// known contains the details of a customer that were sent to the gateway.
type known struct {
	Name    string          `json:"name"`
	Email   string          `json:"email"`
	Address account.Address `json:"address,omitzero"`
}

const (
	// hasReturnedMoney is the condition on an invoice i of which money went back to the customer.
	hasReturnedMoney = `EXISTS (SELECT 1 FROM gateway_refunds f WHERE f.invoice_id = i.id)
		OR EXISTS (SELECT 1 FROM gateway_attempts a WHERE a.invoice_id = i.id AND a.returned = 1)`

	// selectAttempts selects the attempts that an account needs, see engine.Account.
	selectAttempts = `SELECT a.document FROM gateway_attempts a WHERE a.customer_id = ? AND (a.over = 0 OR a.saving = 1 OR a.invoice_id = ?
		OR a.key IN (%s)
		OR a.invoice_id IN (SELECT i.id FROM gateway_invoices i WHERE i.customer_id = a.customer_id AND i.status = 'open')
		OR a.key IN (SELECT f.payment_key FROM gateway_refunds f WHERE f.customer_id = a.customer_id AND f.over = 0))
		ORDER BY a.position DESC`
	selectAllAttempts = "SELECT a.document FROM gateway_attempts a WHERE a.customer_id = ? ORDER BY a.position DESC"
	selectRefunds     = "SELECT document FROM gateway_refunds WHERE customer_id = ? ORDER BY position DESC"
	upsertAttempt     = `INSERT INTO gateway_attempts (key, customer_id, invoice_id, ref, over, saving, returned, position, document)
		VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT COUNT(*) + 1 FROM gateway_attempts WHERE customer_id = ?), ?)
		ON CONFLICT (key) DO UPDATE SET ref = excluded.ref, over = excluded.over, returned = excluded.returned, document = excluded.document`
	upsertRefund = `INSERT INTO gateway_refunds (key, customer_id, invoice_id, payment_key, over, position, document)
		VALUES (?, ?, ?, ?, ?, (SELECT COUNT(*) + 1 FROM gateway_refunds WHERE customer_id = ?), ?)
		ON CONFLICT (key) DO UPDATE SET over = excluded.over, document = excluded.document`
)

// stateOf returns the state of a customer.
func stateOf(c ledger.Customer) (s state, err error) {
	if len(c.State) > 0 {
		err = json.Unmarshal(c.State, &s)
	}
	return s, err
}

// loadState adds methods, attempts and refunds to the account. It returns the ids of the attempts' invoices.
func loadState(ctx context.Context, tx plugin.Tx, r *ledger.Record, with ledger.Scope) (invoiceIDs []string, err error) {
	a := r.Account
	s, err := stateOf(r.Customer)
	if err != nil {
		return nil, err
	}
	a.NewKey, a.Methods, a.DefaultMethod, a.HeldCredit, a.Hold = newKey, s.Methods, s.Default, s.HeldCredit, s.Hold
	keys := append([]string{""}, with.Attempts...)
	query, args := fmt.Sprintf(selectAttempts, ledger.Placeholders(len(keys))), []any{r.Customer.ID, with.Invoice}
	for _, key := range keys {
		args = append(args, key)
	}
	if with.All {
		query, args = selectAllAttempts, args[:1]
	}
	if a.Attempts, err = queryDocuments[engine.Attempt](ctx, tx, query, args...); err != nil {
		return nil, err
	}
	for _, at := range a.Attempts {
		invoiceIDs = append(invoiceIDs, at.Invoice)
	}
	a.Refunds, err = queryDocuments[engine.AccountRefund](ctx, tx, selectRefunds, r.Customer.ID)
	return invoiceIDs, err
}

// queryDocuments returns the decoded documents of a query.
func queryDocuments[T any](ctx context.Context, tx plugin.Tx, query string, args ...any) ([]T, error) {
	var texts []string
	if err := tx.List(ctx, &texts, query, args...); err != nil {
		return nil, err
	}
	found := make([]T, len(texts))
	for i, text := range texts {
		if err := json.Unmarshal([]byte(text), &found[i]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// saveState stores the methods, and the attempts and refunds that have changed.
func saveState(ctx context.Context, tx plugin.Tx, r *ledger.Record) error {
	a := r.Account
	s, err := stateOf(r.Customer)
	if err != nil {
		return err
	}
	s.Methods, s.Default, s.HeldCredit, s.Hold = a.Methods, a.DefaultMethod, a.HeldCredit, a.Hold
	if r.Customer.State, err = json.Marshal(s); err != nil {
		return err
	}
	for _, at := range slices.Backward(a.Attempts) {
		if a.Changed(at.Key) {
			if err := saveAttempt(ctx, tx, r.Customer.ID, at); err != nil {
				return err
			}
		}
	}
	for _, f := range slices.Backward(a.Refunds) {
		if !a.Changed(f.Key) {
			continue
		}
		text, err := json.Marshal(f)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, upsertRefund, f.Key, r.Customer.ID, f.Invoice, f.Payment, number(isOver(f.Attempt)), r.Customer.ID, string(text)); err != nil {
			return err
		}
	}
	return nil
}

func saveAttempt(ctx context.Context, tx plugin.Tx, customerID string, at engine.Attempt) error {
	text, err := json.Marshal(at)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertAttempt, at.Key, customerID, at.Invoice, at.Ref, number(isOver(at)), number(at.Invoice == ""),
		number(at.State == engine.AttemptReturned), customerID, string(text))
	return err
}

// isOver reports whether the account needs the attempt no more: nothing is expected of it, nor has to be looked up.
func isOver(at engine.Attempt) bool { return at.IsOver() && at.CheckAt.IsZero() }

// number returns a condition as it is stored.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
