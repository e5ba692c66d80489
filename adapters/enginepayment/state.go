package enginepayment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// customerState contains the data of a customer that only this package needs. It is stored as JSON in ledger.Customer.State.
type customerState struct {
	Ref           string                 `json:"ref,omitempty"`         // of the customer at the gateway; "" before the first payment
	SentDetails   customerDetails        `json:"sent_details,omitzero"` // the last details that the gateway has accepted
	Methods       []engine.AccountMethod `json:"methods,omitempty"`
	DefaultMethod string                 `json:"default,omitempty"` // the reference of the default method
	HeldCredit    int64                  `json:"held_credit,omitempty"`
	Hold          billing.Hold           `json:"hold,omitempty"`
}

// customerDetails are the details of a customer that are sent to the gateway.
type customerDetails struct {
	Name    string          `json:"name"`
	Email   string          `json:"email"`
	Address account.Address `json:"address,omitzero"`
}

const (
	// hasReturnedMoneySQL is the SQL condition that a payment of the invoice i was refunded, disputed or returned.
	hasReturnedMoneySQL = `EXISTS (SELECT 1 FROM gateway_refunds f WHERE f.invoice_id = i.id)
		OR EXISTS (SELECT 1 FROM gateway_attempts a WHERE a.invoice_id = i.id AND a.returned = 1)`

	// selectAttemptsSQL selects the attempts that an account needs, see engine.Account. Its subqueries must not refer to
	// the attempt, or else they would run once for each attempt.
	selectAttemptsSQL = `SELECT a.document FROM gateway_attempts a
		WHERE a.customer_id = ? AND (a.complete = 0 OR a.invoice_id IN ('', ?) OR a.key IN (%s)
		OR a.invoice_id IN (SELECT i.id FROM gateway_invoices i WHERE i.customer_id = ? AND i.status = 'open')
		OR a.key IN (SELECT f.payment_key FROM gateway_refunds f WHERE f.customer_id = ? AND f.complete = 0))
		ORDER BY a.position DESC`
	// selectPendingCustomersSQL selects the customers with payments and refunds that are not complete.
	selectPendingCustomersSQL = `SELECT customer_id FROM gateway_attempts WHERE complete = 0
		UNION SELECT customer_id FROM gateway_refunds WHERE complete = 0`
	selectAllAttemptsSQL = "SELECT a.document FROM gateway_attempts a WHERE a.customer_id = ? ORDER BY a.position DESC"
	selectRefundsSQL     = "SELECT document FROM gateway_refunds WHERE customer_id = ? ORDER BY position DESC"
	upsertAttemptSQL     = `INSERT INTO gateway_attempts
		(key, customer_id, invoice_id, ref, complete, returned, position, document)
		VALUES (?, ?, ?, ?, ?, ?, (SELECT COUNT(*) + 1 FROM gateway_attempts WHERE customer_id = ?), ?)
		ON CONFLICT (key) DO UPDATE
		SET ref = excluded.ref, complete = excluded.complete, returned = excluded.returned, document = excluded.document`
	upsertRefundSQL = `INSERT INTO gateway_refunds (key, customer_id, invoice_id, payment_key, complete, position, document)
		VALUES (?, ?, ?, ?, ?, (SELECT COUNT(*) + 1 FROM gateway_refunds WHERE customer_id = ?), ?)
		ON CONFLICT (key) DO UPDATE SET complete = excluded.complete, document = excluded.document`
)

// decodeState decodes the state of a customer, which is the zero state at first.
func decodeState(c ledger.Customer) (s customerState, err error) {
	if len(c.State) > 0 {
		err = json.Unmarshal(c.State, &s)
	}
	return s, err
}

// loadState adds methods, hold, attempts, refunds and the database's time for claims to the account. It returns the ids of
// the invoices of the attempts.
func loadState(ctx context.Context, tx plugin.Tx, r *ledger.Record, scope ledger.Scope) (invoiceIDs []string, err error) {
	a := r.Account
	s, err := decodeState(r.Customer)
	if err != nil {
		return nil, err
	}
	a.NewKey, a.Methods, a.DefaultMethod = newKey, s.Methods, s.DefaultMethod
	a.HeldCredit, a.Hold = s.HeldCredit, s.Hold
	now, err := tx.Now(ctx)
	if err != nil {
		return nil, err
	}
	a.ClaimNow = now.UTC().Truncate(time.Second)
	keys := append([]string{""}, scope.AttemptKeys...)
	query, args := fmt.Sprintf(selectAttemptsSQL, ledger.Placeholders(len(keys))), []any{r.Customer.ID, scope.InvoiceID}
	for _, key := range keys {
		args = append(args, key)
	}
	args = append(args, r.Customer.ID, r.Customer.ID) // of the subqueries
	if scope.AllInvoices {
		query, args = selectAllAttemptsSQL, args[:1]
	}
	if a.Attempts, err = ledger.QueryDocuments[engine.Attempt](ctx, tx, query, args...); err != nil {
		return nil, err
	}
	for _, attempt := range a.Attempts {
		invoiceIDs = append(invoiceIDs, attempt.Invoice)
	}
	a.Refunds, err = ledger.QueryDocuments[engine.RefundAttempt](ctx, tx, selectRefundsSQL, r.Customer.ID)
	return invoiceIDs, err
}

// saveState stores methods and hold, and the attempts and refunds that have changed.
func saveState(ctx context.Context, tx plugin.Tx, r *ledger.Record) error {
	a := r.Account
	s, err := decodeState(r.Customer)
	if err != nil {
		return err
	}
	s.Methods, s.DefaultMethod = a.Methods, a.DefaultMethod
	s.HeldCredit, s.Hold = a.HeldCredit, a.Hold
	if r.Customer.State, err = json.Marshal(s); err != nil {
		return err
	}
	for _, attempt := range slices.Backward(a.Attempts) {
		if a.HasChanged(attempt.Key) {
			if err := saveAttempt(ctx, tx, r.Customer.ID, attempt); err != nil {
				return err
			}
		}
	}
	for _, refund := range slices.Backward(a.Refunds) {
		if a.HasChanged(refund.Key) {
			if err := saveRefund(ctx, tx, r.Customer.ID, refund); err != nil {
				return err
			}
		}
	}
	return nil
}

func saveAttempt(ctx context.Context, tx plugin.Tx, customerID string, attempt engine.Attempt) error {
	text, err := json.Marshal(attempt)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertAttemptSQL, attempt.Key, customerID, attempt.Invoice, attempt.Ref,
		boolToInt(attempt.IsComplete()), boolToInt(attempt.State == engine.AttemptReturned || attempt.Disputed > 0),
		customerID, string(text))
	return err
}

func saveRefund(ctx context.Context, tx plugin.Tx, customerID string, refund engine.RefundAttempt) error {
	text, err := json.Marshal(refund)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, upsertRefundSQL, refund.Key, customerID, refund.Invoice, refund.PaymentKey,
		boolToInt(refund.IsComplete()), customerID, string(text))
	return err
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
