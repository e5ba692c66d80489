package app

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
)

// takeover settles operations whose owner may have died. Its owner may be slow as well, or count
// another time: so whatever the operation might still charge is stopped at the provider first. Only
// then is the provider asked what there is, and a new operation can begin.
type takeover struct {
	store    operationStore
	provider payment.Provider
	steps    steps
	sync     *syncBilling
	clock    clock.Clock

	mu sync.Mutex
	// acting is since when operations are known that can't be stopped, by this process's monotonic
	// clock: nothing of them is on its way any more, but the provider may be working on it.
	acting map[string]time.Time
}

// age is how old an operation is before it is taken over. Where requests can't be stopped it is the
// owner's time and the longest request after it.
func (t *takeover) age() time.Duration {
	if f := t.provider.Fencing(); f.Missing != "" {
		return abandoned + f.LongestRequest
	}
	return abandoned
}

// due reports whether to try to take an operation over. One that will begin in the future was
// stored before the clock was set back.
func (t *takeover) due(op billing.Operation) bool { return op.Age.Abs() >= t.age() }

// completable reports whether another request may complete the operation before it is due: it can't charge,
// so sending its steps again under their keys is safe even while its owner is at work.
func (t *takeover) completable(op billing.Operation) bool {
	return !op.Charges() && op.Kind != billing.CustomerOperation && op.Age.Abs() >= completableAfter
}

// do settles the operation. Steps that can't charge are completed; those that can are stopped, and
// their outcome is read from the provider's report. Conflict while the provider may still be working
// on one of them.
func (t *takeover) do(ctx context.Context, op billing.Operation) error {
	result, err := t.outcome(ctx, op)
	if err != nil {
		return err
	}
	_, err = t.store.SettleOperation(ctx, op.Key, result, t.clock.Now())
	if err == nil {
		t.forget(op.Key)
	}
	return err
}

func (t *takeover) outcome(ctx context.Context, op billing.Operation) (string, error) {
	if op.Kind == billing.CustomerOperation {
		return t.customer(ctx, op)
	}
	if !op.Charges() {
		if _, err := t.steps.send(ctx, op.OrganisationID, op.Steps); !inDoubt(err) {
			return noSubscription, nil // completed, or refused
		}
	}
	return t.observe(ctx, op)
}

// observe stops the operation's requests and reads from the provider's report what has come of
// them: nothing can be added to that later.
func (t *takeover) observe(ctx context.Context, op billing.Operation) (string, error) {
	acted, err := t.stop(ctx, op)
	if err != nil {
		return "", err
	}
	if acted != nil && acted.Kind.Charges() && !t.waited(op.Key) && !t.ended(ctx, op, *acted) {
		return "", errBusy()
	}
	org, err := t.sync.do(ctx, op.OrganisationID)
	if fault.Is(err, fault.NotFound) {
		return "", nil // a customer that is gone at the provider has no subscription
	}
	return op.Outcome(&org.Billing), err
}

// stop retires the keys of all steps, the last one first. It returns the last step that has acted
// or is acting: the ones before it were answered before it was sent. An operation without steps was
// begun by an earlier version, whose keys are unknown.
func (t *takeover) stop(ctx context.Context, op billing.Operation) (acted *billing.Step, err error) {
	for _, step := range slices.Backward(op.Steps) {
		err := t.provider.Retire(ctx, payment.Retirement{Key: step.Key, CustomerID: step.CustomerID})
		switch {
		case err == nil, fault.Is(err, fault.NotFound):
		case fault.Is(err, fault.Conflict), fault.Is(err, fault.Unsupported):
			if acted == nil {
				acted = &step
			}
		default:
			return nil, err
		}
	}
	if len(op.Steps) == 0 {
		acted = &billing.Step{}
	}
	return acted, nil
}

// ended reports whether it is known that the step has ended. The provider's report shows a success. A payment
// that was declined leaves no trace there: sending it again under its key, which was used, returns the stored
// answer. At worst, if the provider has just forgotten the key, an invoice that is still open is tried once more.
func (t *takeover) ended(ctx context.Context, op billing.Operation, acted billing.Step) bool {
	org, err := t.sync.do(ctx, op.OrganisationID)
	if err == nil && acted.Done(&org.Billing) {
		return true
	}
	if acted.Kind != billing.PayInvoiceStep {
		return false
	}
	_, err = t.steps.send(ctx, op.OrganisationID, []billing.Step{acted})
	return err == nil || fault.Is(err, fault.Declined)
}

// waited reports whether a request that was with the provider when this was asked first has ended
// by now.
func (t *takeover) waited(key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	since, known := t.acting[key]
	if !known {
		since = time.Now() //nolint:forbidigo // monotonic, whatever any clock says
		if t.acting == nil {
			t.acting = map[string]time.Time{}
		}
		t.acting[key] = since
	}
	return time.Since(since) >= t.provider.Fencing().LongestRequest //nolint:forbidigo // as above
}

func (t *takeover) forget(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.acting, key)
}

// customer finds the customer that was made for the organisation without our hearing of it, or
// completes making it. Nothing is charged by that. While the provider gives no answer the operation
// stays pending until no request under its key can be at work: then the customer can be made under
// another key.
func (t *takeover) customer(ctx context.Context, op billing.Operation) (string, error) {
	org, err := t.store.Organisation(ctx, op.OrganisationID)
	if err != nil || org.Billing.CustomerID != "" {
		return org.Billing.CustomerID, err
	}
	found, err := t.provider.CustomerOf(ctx, payment.Owner{OrganisationID: org.ID, Email: org.ContactEmail})
	if fault.Is(err, fault.NotFound) {
		found, err = t.provider.CreateCustomer(ctx, newCustomerOf(op.Key, org))
		if inDoubt(err) && t.waited(op.Key) {
			return "", nil
		}
		if err != nil && !inDoubt(err) {
			return "", nil // refused
		}
	}
	if err == nil {
		err = adopt(ctx, t.store, org.ID, found, t.clock.Now())
	}
	return found.ID, err
}

// newCustomerOf is the request for the organisation's customer. What it says of the organisation
// does not change, so every repeat of it is the same.
func newCustomerOf(key string, org account.Organisation) payment.NewCustomer {
	return payment.NewCustomer{
		Key: key, OrganisationID: org.ID, Name: org.Name, Email: org.ContactEmail,
		Phone: org.Phone, Currency: org.Currency, Address: org.Address,
	}
}
