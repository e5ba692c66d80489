package enginepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// ParseEvents implements payment.Provider. It marks the payments for a look-up. It looks up the payments of signed
// deliveries itself, so that the read after the event returns their new states. The worker looks up those of unsigned
// deliveries, because anyone can send these.
func (p *Provider) ParseEvents(ctx context.Context, delivery payment.Delivery) ([]payment.Event, error) {
	if !p.Capabilities().Has(payment.Webhooks) {
		return nil, payment.Unsupported(payment.Webhooks)
	}
	refs, err := p.Gateway.ParseEvents(ctx, delivery)
	if err != nil {
		return nil, err
	}
	attempts, err := p.markAllForLookup(ctx, refs)
	if err != nil {
		return nil, err
	}
	isSigned := p.Gateway.Capabilities().Has(gateway.Signatures)
	var customerIDs []string
	digest := sha256.Sum256(delivery.Body)
	events := make([]payment.Event, 0, len(attempts))
	for _, attempt := range attempts {
		e := payment.Event{
			ID:   eventPrefix + attempt.CustomerID + "_" + hex.EncodeToString(digest[:12]),
			Kind: payment.SubscriptionChanged, Type: "payment.changed",
			CustomerID: attempt.CustomerID, CreatedAt: p.Now(), Unsigned: !isSigned,
		}
		if attempt.InvoiceID == "" {
			e.Kind = payment.CustomerChanged
		} else {
			e.InvoiceIDs = []string{attempt.InvoiceID}
		}
		events = append(events, e)
		if !slices.Contains(customerIDs, attempt.CustomerID) {
			customerIDs = append(customerIDs, attempt.CustomerID)
		}
	}
	if isSigned {
		p.lookUpPayments(ctx, customerIDs...)
	}
	return events, nil
}

// attemptRow contains the key of an attempt and the ids of its customer and invoice.
type attemptRow struct {
	Key        string `db:"key"`
	CustomerID string `db:"customer_id"`
	InvoiceID  string `db:"invoice_id"`
}

const (
	selectAttemptByReferenceSQL = `SELECT key, customer_id, invoice_id FROM gateway_attempts
		WHERE key = ? OR (ref <> '' AND ref = ?)`
	// hasAttemptWithoutReferenceSQL selects whether the gateway may have a payment whose reference is not stored yet.
	hasAttemptWithoutReferenceSQL = "SELECT EXISTS (SELECT 1 FROM gateway_attempts WHERE ref = '' AND complete = 0)"
	// hasUnfinishedAttemptsSQL selects whether a customer has attempts that are not over.
	hasUnfinishedAttemptsSQL = "SELECT EXISTS (SELECT 1 FROM gateway_attempts WHERE customer_id = ? AND complete = 0)"
)

// errUnknownReference is returned for a reference that no attempt has.
var errUnknownReference = fault.New(fault.NotFound, "No payment attempt has this reference.")

// markAllForLookup finds the attempts with the references, marks them for a look-up, and returns them. It skips references
// to payments of other applications. It skips those of deleted customers with a warning, because the change may be a
// dispute, which has to be answered at the provider.
func (p *Provider) markAllForLookup(ctx context.Context, refs []gateway.Reference) (attempts []attemptRow, err error) {
	// Query this before searching for the references: a reference that is stored in between would otherwise be missed.
	var hasAttemptWithoutReference bool
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.Get(ctx, &hasAttemptWithoutReference, hasAttemptWithoutReferenceSQL)
	})
	if err != nil {
		return nil, ledger.AsFault(err)
	}
	lookupCtx, cancel := context.WithTimeout(ctx, findTimeout) // for all look-ups together
	defer cancel()
	for _, ref := range refs {
		attempt, err := p.markForLookup(ctx, ref)
		if errors.Is(err, errUnknownReference) && hasAttemptWithoutReference && ref.Key == "" {
			if key := p.findKey(lookupCtx, ref); key != "" {
				attempt, err = p.markForLookup(ctx, gateway.Reference{Key: key})
			}
		}
		switch {
		case err == nil:
			attempts = append(attempts, attempt)
		case errors.Is(err, payment.ErrCustomerDeleted):
			p.Log.WarnContext(ctx, "a payment of a deleted customer has changed", "key", attempt.Key, "payment", ref.Ref)
		case !errors.Is(err, errUnknownReference):
			return nil, ledger.AsFault(err)
		}
	}
	return attempts, nil
}

// markForLookup finds the attempt with the reference and marks it for a look-up. It returns errUnknownReference if no
// attempt has the reference, and payment.ErrCustomerDeleted if the customer was deleted.
func (p *Provider) markForLookup(ctx context.Context, ref gateway.Reference) (attempt attemptRow, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		err := tx.Get(ctx, &attempt, selectAttemptByReferenceSQL, ref.Key, ref.Ref)
		if fault.Is(err, fault.NotFound) {
			return errUnknownReference
		}
		if err != nil {
			return err
		}
		scope := ledger.Scope{AttemptKeys: []string{attempt.Key}}
		_, err = p.UpdateInTx(ctx, tx, attempt.CustomerID, scope, func(r *ledger.Record) error {
			return r.Account.RecordAnnouncedChange(attempt.Key)
		})
		return err
	})
	return attempt, err
}

// findKey returns the key of a payment at the gateway, or "" if the gateway does not know the payment or fails. If it fails
// for a payment of this application, the next scheduled look-up of the payment finds the change.
func (p *Provider) findKey(ctx context.Context, ref gateway.Reference) string {
	found, err := p.Gateway.Find(ctx, ref)
	if err != nil && !fault.Is(err, fault.NotFound) {
		p.Log.WarnContext(ctx, "a payment with an unknown reference can't be looked up", "error", err)
	}
	return found.Key
}

// lookUpPayments looks up the marked payments of the customers, and sends their other requests that are due. If that takes
// longer than findTimeout for all of them together, the worker continues.
func (p *Provider) lookUpPayments(ctx context.Context, customerIDs ...string) {
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	for _, id := range customerIDs {
		if _, err := p.processOutbox(ctx, id, findTimeout); err != nil {
			p.Log.WarnContext(ctx, "changed payments can't be read yet; the worker continues", "error", err)
		}
	}
}

// lookUpUnsettledPayments calls lookUpPayments if a look-up or a repeated request is due, so that the customer does not
// have to wait for the worker. It needs one query if the customer has no unfinished attempt.
func (p *Provider) lookUpUnsettledPayments(ctx context.Context, customerID string) {
	isDue := false
	err := p.Database.Read(ctx, func(tx plugin.Tx) error {
		var hasAttempts bool
		if err := tx.Get(ctx, &hasAttempts, hasUnfinishedAttemptsSQL, customerID); err != nil || !hasAttempts {
			return err
		}
		r, err := p.LoadInTx(ctx, tx, customerID, ledger.Scope{})
		if err == nil {
			outbox := r.Account.Outbox()
			isClaimed := func(attempt engine.Attempt) bool { return attempt.State == engine.AttemptClaimed }
			isDue = len(outbox.Find) > 0 || slices.ContainsFunc(outbox.Send, isClaimed)
		}
		return err
	})
	if err == nil && isDue { // the caller's read reports the error
		p.lookUpPayments(ctx, customerID)
	}
}

// Tick implements payment.Worker.
func (p *Provider) Tick(ctx context.Context, report func(context.Context, payment.Event) error) (processed int, err error) {
	if err := p.poll(ctx); err != nil {
		p.Log.WarnContext(ctx, "the changes at the payment gateway can't be read", "error", err)
	}
	return p.Ledger.Tick(ctx, report)
}

const (
	pollTimeout = 10 * time.Second // for one request for changes
	maxPolls    = 10               // limits the requests for changes in a Tick
)

// poll marks the payments that have changed since the last call for a look-up, if the gateway lists changes.
func (p *Provider) poll(ctx context.Context) error {
	if !p.Gateway.Capabilities().Has(gateway.Polling) {
		return nil
	}
	for range maxPolls {
		hasMore, err := p.pollOnce(ctx)
		if err != nil || !hasMore {
			return err
		}
	}
	return nil
}

// pollOnce reads one list of changes and marks its payments for a look-up. It reports whether more changes may follow.
func (p *Provider) pollOnce(ctx context.Context) (hasMore bool, err error) {
	var cursor string
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.Get(ctx, &cursor, "SELECT value FROM gateway_cursors WHERE name = 'payments'")
	})
	if err != nil {
		return false, ledger.AsFault(err)
	}
	pollCtx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	refs, next, err := p.Gateway.ListChanges(pollCtx, cursor)
	if err != nil || len(refs) == 0 {
		return false, err
	}
	if _, err := p.markAllForLookup(ctx, refs); err != nil {
		return false, err
	}
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE gateway_cursors SET value = ? WHERE name = 'payments'", next)
		return err
	})
	return err == nil, ledger.AsFault(err)
}
