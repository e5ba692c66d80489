package paymenttest

import (
	"context"
	"errors"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/payment"
)

var workerBehaviours = []behaviour{
	{name: "Tick repeats a report until it succeeds", needs: backgroundWork, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, t.availableTrialDays())
		_, err := t.tick(s.CustomerID, nil)
		require.NoError(t, err)
		t.advanceTo(s.CurrentPeriodEnd)

		isReported, err := t.tick(s.CustomerID, errors.New("not stored"))
		assert.True(t, isReported)
		require.ErrorContains(t, err, "not stored")

		t.advance(2 * day) // longer than any delay before the next attempt
		isReported, err = t.tick(s.CustomerID, nil)
		assert.True(t, isReported)
		require.NoError(t, err)
		isReported, err = t.tick(s.CustomerID, nil)
		assert.False(t, isReported, "a report that succeeded is not repeated")
		require.NoError(t, err)
	}},
}

// reportTimeout limits how long a read may take during a report.
const reportTimeout = time.Minute

// tick lets the worker process everything that is due for all customers, and returns whether it
// reported the given customer. The report of that customer returns reportErr.
func (t *env) tick(customerID string, reportErr error) (isReported bool, err error) {
	t.Helper()
	worker := t.Provider.(payment.Worker) // backgroundWork requires it
	report := func(ctx context.Context, event payment.Event) error {
		if event.CustomerID != customerID {
			return nil
		}
		isReported = true
		// The application reads the customer from the provider, which blocks if Tick holds a lock.
		ctx, cancel := context.WithTimeout(ctx, reportTimeout)
		defer cancel()
		_, err := t.Provider.ListSubscriptions(ctx, customerID)
		assert.NoError(t, err)
		return reportErr
	}
	for {
		customers, tickErr := worker.Tick(t.Context(), report)
		err = errors.Join(err, tickErr)
		if customers == 0 {
			return isReported, err
		}
	}
}
