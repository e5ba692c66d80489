package tables

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// TickBatch is the largest number of customers that one Tick processes.
const TickBatch = 100

// dueNow is the next_at of a customer whose changes the next Tick reports.
const dueNow = 1

// tickBackoff delays customers that Tick could not process.
var tickBackoff = clock.Backoff{First: 10 * time.Second, Max: time.Hour}

// CustomerWorker processes what is due for customers and reports their changes to the application. The table of the
// customers has these columns, and possibly others:
//
//	id       TEXT NOT NULL PRIMARY KEY,
//	next_at  BIGINT NOT NULL,           -- see ReportState.NextAt
//	changes  BIGINT NOT NULL DEFAULT 0, -- ReportState
//	reported BIGINT NOT NULL DEFAULT 0,
//	failures BIGINT NOT NULL DEFAULT 0
//
// An index of next_at, and one of the rows with failures, keep Tick fast.
type CustomerWorker struct {
	Database    plugin.Database
	Table       string
	Clock       clock.Clock
	EventPrefix string // of the ids of reported events
	// Update locks a customer, processes everything that is due, calls change with the customer's ReportState, and stores
	// the customer, in one transaction. It returns the ReportState. For a deleted customer it returns a NotFound that wraps
	// payment.ErrCustomerDeleted.
	Update func(ctx context.Context, customerID string, change func(*ReportState)) (ReportState, error)
	// ProcessOutbox sends the customer's pending requests, such as charges, to other systems. Tick calls it before it
	// reports the customer's changes, for up to Concurrency customers at the same time. It is nil if there are no
	// requests of this kind.
	ProcessOutbox func(ctx context.Context, customerID string) error
	Concurrency   int // 0 means 1
	// PendingSQL selects the ids of customers for whom something is due within PendingLimit. Tick processes them now if their
	// next_at lies later, because it was computed while the clock was wrong. It is "" if there are none.
	PendingSQL   string
	PendingLimit time.Duration
}

// ReportState contains the number of a customer's changes that the application did not request, and of those that were
// reported. It is stored in the transaction of a change, together with the customer.
type ReportState struct {
	Changes         int64 `db:"changes"`
	ReportedChanges int64 `db:"reported"` // how many of the changes the application has stored
	Failures        int64 `db:"failures"` // since Tick last succeeded
	// InvoiceIDs are the invoices whose changes the application has not stored yet, for Event.InvoiceIDs. The provider
	// stores these ids elsewhere, and may omit the invoices that Subscription.LatestInvoice refers to.
	InvoiceIDs []string `db:"-"`
}

// NextAt returns the next_at of a customer whose next step is due at the given time. A zero time means that no step is
// due. A customer with changes that the application has not stored yet is due now.
func (s ReportState) NextAt(due time.Time) int64 {
	switch {
	case s.Changes > s.ReportedChanges:
		return dueNow
	case due.IsZero():
		return 0
	}
	return due.Unix()
}

// Tick implements payment.Worker. It processes up to TickBatch customers; the next call continues with the others. It
// postpones customers that fail, so that they do not delay other customers.
func (w CustomerWorker) Tick(
	ctx context.Context, report func(context.Context, payment.Event) error,
) (processed int, err error) {
	ids, err := w.dueCustomers(ctx)
	if err != nil {
		return 0, err
	}
	outboxErrs := w.processOutboxes(ctx, ids)
	var failures error
	for i, id := range ids {
		err := outboxErrs[i]
		if err == nil || errors.Is(err, payment.ErrCustomerDeleted) {
			err = w.updateAndReport(ctx, id, report)
		}
		if err == nil {
			processed++
			continue
		}
		failures = errors.Join(failures, fmt.Errorf("customer %s: %w", id, err))
		if err := w.postpone(ctx, id); err != nil {
			return processed, errors.Join(failures, err) // the database can't be reached, the lease is lost, or ctx is done
		}
	}
	return processed, failures
}

// dueCustomers returns the ids of up to TickBatch customers that are due. If there are none, it returns those whose next_at
// lies so far in the future that it was computed with a wrong clock.
func (w CustomerWorker) dueCustomers(ctx context.Context) (ids []string, err error) {
	now := w.Clock.Now()
	err = w.Database.Read(ctx, func(tx plugin.Tx) error {
		err := tx.List(ctx, &ids, "SELECT id FROM "+w.Table+" WHERE next_at BETWEEN 1 AND ? ORDER BY next_at LIMIT ?",
			now.Unix(), TickBatch)
		if err != nil || len(ids) > 0 {
			return err
		}
		err = tx.List(ctx, &ids, "SELECT id FROM "+w.Table+" WHERE failures > 0 AND next_at > ? LIMIT ?",
			now.Add(2*tickBackoff.Max).Unix(), TickBatch)
		if err != nil || len(ids) > 0 || w.PendingSQL == "" {
			return err
		}
		return tx.List(ctx, &ids, "SELECT id FROM "+w.Table+" WHERE next_at > ? AND id IN ("+w.PendingSQL+") LIMIT ?",
			now.Add(w.PendingLimit).Unix(), TickBatch)
	})
	return ids, err
}

// processOutboxes calls ProcessOutbox for each customer, up to Concurrency at the same time, and returns the error of each
// call.
func (w CustomerWorker) processOutboxes(ctx context.Context, ids []string) []error {
	errs := make([]error, len(ids))
	if w.ProcessOutbox == nil {
		return errs
	}
	slots := make(chan struct{}, max(1, w.Concurrency))
	var wg sync.WaitGroup
	for i, id := range ids {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			errs[i] = w.ProcessOutbox(ctx, id)
		})
	}
	wg.Wait()
	return errs
}

// updateAndReport processes everything that is due for a customer and reports the customer's changes. It clears the
// next_at of a deleted customer.
func (w CustomerWorker) updateAndReport(
	ctx context.Context, customerID string, report func(context.Context, payment.Event) error,
) error {
	state, err := w.Update(ctx, customerID, func(*ReportState) {})
	if errors.Is(err, payment.ErrCustomerDeleted) {
		return w.exec(ctx, "UPDATE "+w.Table+" SET next_at = 0 WHERE id = ?", customerID)
	}
	if err != nil {
		return err
	}
	if state.Changes > state.ReportedChanges {
		err := report(ctx, payment.Event{
			ID:   fmt.Sprintf("%s%s_%d", w.EventPrefix, customerID, state.Changes),
			Kind: payment.SubscriptionChanged, Type: "customer.changed", CustomerID: customerID,
			InvoiceIDs: state.InvoiceIDs, CreatedAt: w.Clock.Now().Truncate(time.Second),
		})
		if err != nil {
			return err
		}
	}
	if state.Changes == state.ReportedChanges && state.Failures == 0 {
		return nil
	}
	_, err = w.Update(ctx, customerID, func(s *ReportState) {
		s.ReportedChanges, s.Failures = max(s.ReportedChanges, state.Changes), 0
	})
	return err
}

// postpone delays the next attempt to process a customer.
func (w CustomerWorker) postpone(ctx context.Context, customerID string) error {
	var failures int
	err := w.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.Get(ctx, &failures, "SELECT failures FROM "+w.Table+" WHERE id = ?", customerID)
	})
	if err != nil {
		return err
	}
	return w.exec(ctx, "UPDATE "+w.Table+" SET next_at = ?, failures = failures + 1 WHERE id = ?",
		w.Clock.Now().Add(tickBackoff.Delay(failures+1)).Unix(), customerID)
}

func (w CustomerWorker) exec(ctx context.Context, statement string, args ...any) error {
	return w.Database.Write(ctx, func(tx plugin.Tx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	})
}
