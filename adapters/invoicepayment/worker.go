package invoicepayment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const (
	// tickBatch is the number of customers that Tick processes.
	tickBatch = 100
	// firstRetry and lastRetry are the shortest and the longest delay before Tick tries a customer again
	// that has failed. The delay doubles with each failure.
	firstRetry = 10 * time.Second
	lastRetry  = time.Hour
)

const (
	// selectDue also selects customers with changes that are to be reported, see tickNow.
	selectDue      = "SELECT id FROM invoice_customers WHERE next_at BETWEEN 1 AND ? ORDER BY next_at LIMIT ?"
	selectFailures = "SELECT failures FROM invoice_customers WHERE id = ?"
	clearNextAt    = "UPDATE invoice_customers SET next_at = 0 WHERE id = ?"
	postponeNextAt = "UPDATE invoice_customers SET next_at = ?, failures = failures + 1 WHERE id = ?"
)

// Tick implements payment.Worker. It processes up to tickBatch customers; the next call continues.
// Customers that fail are tried again later, so that they do not fill the batches.
func (p *Provider) Tick(ctx context.Context, report func(context.Context, payment.Event) error) (done int, err error) {
	var ids []string
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.List(ctx, &ids, selectDue, p.now().Unix(), tickBatch)
	})
	if err != nil {
		return 0, unavailable(err)
	}
	failed := p.forgetResponses(ctx)
	for _, id := range ids {
		err := p.process(ctx, id, report)
		if err == nil {
			done++
			continue
		}
		failed = errors.Join(failed, fmt.Errorf("customer %s: %w", id, err))
		if err := p.postpone(ctx, id); err != nil {
			return done, errors.Join(failed, unavailable(err)) // no database, the lease is lost, or ctx is done
		}
	}
	return done, failed
}

// process processes what is due for a customer and reports its changes.
func (p *Provider) process(ctx context.Context, customerID string, report func(context.Context, payment.Event) error) error {
	seen, err := p.catchUp(ctx, customerID)
	if errors.Is(err, payment.ErrCustomerDeleted) {
		return p.exec(ctx, clearNextAt, customerID)
	}
	if err != nil {
		return err
	}
	if seen.Changes > seen.Reported {
		err := report(ctx, payment.Event{
			ID: fmt.Sprintf("ievt_%s_%d", customerID, seen.Changes), Kind: payment.SubscriptionChanged, Type: "customer.changed",
			CustomerID: customerID, CreatedAt: p.now(),
		})
		if err != nil {
			return err
		}
	}
	if seen.Changes == seen.Reported && seen.Failures == 0 {
		return nil
	}
	return p.markReported(ctx, customerID, seen.Changes)
}

// markReported stores that the first n changes of a customer were reported, and resets its failures.
func (p *Provider) markReported(ctx context.Context, customerID string, n int64) error {
	return unavailable(p.Database.Write(ctx, func(tx plugin.Tx) error {
		_, err := p.change(ctx, tx, customerID, func(l *ledger) error {
			l.Reported, l.Failures = max(l.Reported, n), 0
			return nil
		})
		return err
	}))
}

// catchUp processes what is due for a customer and returns its counts. Only Tick reports the changes.
func (p *Provider) catchUp(ctx context.Context, customerID string) (seen reports, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		l, err := p.change(ctx, tx, customerID, func(*ledger) error { return nil })
		if err == nil {
			seen = l.reports
		}
		return err
	})
	return seen, unavailable(err)
}

// postpone delays the next attempt to process a customer.
func (p *Provider) postpone(ctx context.Context, customerID string) error {
	var failures int
	err := p.Database.Read(ctx, func(tx plugin.Tx) error { return tx.Get(ctx, &failures, selectFailures, customerID) })
	if err != nil {
		return err
	}
	wait := min(firstRetry<<min(failures, 10), lastRetry)
	return p.exec(ctx, postponeNextAt, p.now().Add(wait).Unix(), customerID)
}

func (p *Provider) exec(ctx context.Context, statement string, args ...any) error {
	return p.Database.Write(ctx, func(tx plugin.Tx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	})
}
