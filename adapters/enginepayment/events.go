package enginepayment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// ParseEvents implements payment.Provider. It stores that the payments have to be looked up; the next read of the customer
// does that, or else the worker.
func (p *Provider) ParseEvents(ctx context.Context, delivery payment.Delivery) ([]payment.Event, error) {
	if !p.Capabilities().Has(payment.Webhooks) {
		return nil, payment.Unsupported(payment.Webhooks)
	}
	refs, err := p.Gateway.Parse(ctx, delivery)
	if err != nil {
		return nil, err
	}
	hints, err := p.storeHints(ctx, refs)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(delivery.Body)
	events := make([]payment.Event, 0, len(hints))
	for _, h := range hints {
		e := payment.Event{
			ID: "gevt_" + h.customerID + "_" + hex.EncodeToString(digest[:12]), Kind: payment.SubscriptionChanged, Type: "payment.changed",
			CustomerID: h.customerID, CreatedAt: p.Now(), Unsigned: !p.Gateway.Capabilities().Has(gateway.Signatures),
		}
		if h.invoiceID == "" {
			e.Kind = payment.CustomerChanged
		} else {
			e.InvoiceIDs = []string{h.invoiceID}
		}
		events = append(events, e)
	}
	return events, nil
}

// hint names an attempt that has changed at the gateway.
type hint struct{ customerID, invoiceID string }

// selectByReference selects the attempt that a gateway refers to.
const selectByReference = "SELECT a.key, a.customer_id, a.invoice_id FROM gateway_attempts a WHERE a.key = ? OR (a.ref <> '' AND a.ref = ?)"

// storeHints makes the attempts of the references due to be looked up. Unknown references are left out: they are payments
// of others, or of a request whose response is in transit. So are those of deleted customers.
func (p *Provider) storeHints(ctx context.Context, refs []gateway.Reference) (hints []hint, err error) {
	for _, ref := range refs {
		var changed hint
		known := false
		err := p.Database.Write(ctx, func(tx plugin.Tx) error {
			changed, known = hint{}, false
			var found struct {
				Key      string `db:"key"`
				Customer string `db:"customer_id"`
				Invoice  string `db:"invoice_id"`
			}
			err := tx.Get(ctx, &found, selectByReference, ref.Key, ref.Ref)
			if fault.Is(err, fault.NotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			_, err = p.Change(ctx, tx, found.Customer, ledger.Scope{Attempts: []string{found.Key}}, func(r *ledger.Record) error {
				return r.Account.Check(found.Key)
			})
			if err == nil {
				changed, known = hint{found.Customer, found.Invoice}, true
			}
			return err
		})
		if err != nil && !errors.Is(err, payment.ErrCustomerDeleted) {
			return nil, ledger.Unavailable(err)
		}
		if known {
			hints = append(hints, changed)
		}
	}
	return hints, nil
}

// resolveHints looks up the payments of a customer that have changed at the gateway. If that takes too long, the worker
// continues. Without payments that are expected to change it costs one query.
func (p *Provider) resolveHints(ctx context.Context, customerID string) {
	due := false
	err := p.Database.Read(ctx, func(tx plugin.Tx) error {
		var expected bool
		err := tx.Get(ctx, &expected, "SELECT EXISTS (SELECT 1 FROM gateway_attempts WHERE customer_id = ? AND over = 0)", customerID)
		if err != nil || !expected {
			return err
		}
		r, err := p.View(ctx, tx, customerID, ledger.Scope{})
		if err == nil {
			due = len(r.Account.Due().Find) > 0
		}
		return err
	})
	if err != nil || !due {
		return // the read that follows reports the error
	}
	if _, err := p.collect(ctx, customerID, findTimeout); err != nil {
		p.Log.WarnContext(ctx, "changed payments can't be read yet; the worker continues", "error", err)
	}
}

// Tick implements payment.Worker.
func (p *Provider) Tick(ctx context.Context, report func(context.Context, payment.Event) error) (done int, err error) {
	if err := p.poll(ctx); err != nil {
		p.Log.WarnContext(ctx, "the changes at the payment gateway can't be read", "error", err)
	}
	return p.Ledger.Tick(ctx, report)
}

// pollTimeout limits one request for changes, and maxPolls how many there are in a Tick.
const (
	pollTimeout = 10 * time.Second
	maxPolls    = 10
)

// poll reads the changes of payments since the last call, if the gateway lists them.
func (p *Provider) poll(ctx context.Context) error {
	if !p.Gateway.Capabilities().Has(gateway.Polling) {
		return nil
	}
	for range maxPolls {
		more, err := p.pollOnce(ctx)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

func (p *Provider) pollOnce(ctx context.Context) (more bool, err error) {
	var cursor string
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.Get(ctx, &cursor, "SELECT value FROM gateway_cursors WHERE name = 'payments'")
	})
	if err != nil {
		return false, ledger.Unavailable(err)
	}
	limited, cancel := timeout(ctx, pollTimeout)
	defer cancel()
	changed, next, err := p.Gateway.Changed(limited, cursor)
	if err != nil || len(changed) == 0 {
		return false, err
	}
	if _, err := p.storeHints(ctx, changed); err != nil {
		return false, err
	}
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE gateway_cursors SET value = ? WHERE name = 'payments'", next)
		return err
	})
	return err == nil, ledger.Unavailable(err)
}
