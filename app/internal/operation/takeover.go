package operation

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// completionAge is the age at which another request may complete an operation that can't charge.
const completionAge = 5 * time.Second

// takeoverProvider is the part of the provider that stops actions.
type takeoverProvider interface {
	payment.Fence
	CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error)
}

// takeover settles operations that a server has left pending. The server may have crashed, or may only be slow. takeover
// therefore stops all requests of the operation that could still charge, and then reads the provider's report.
type takeover struct {
	store        operationStore
	provider     takeoverProvider
	capabilities payment.Capabilities
	sender       actionSender
	sync         *billingsync.Sync
	clock        clock.Clock

	mu sync.Mutex
	// waitStarts contains, by key, the time at which this process first tried to stop an operation without success. No
	// server sends another request of such an operation, but the provider may still execute an earlier request.
	waitStarts map[string]time.Time
}

// TakeoverAge returns the age at which operations are taken over.
func (r *Runner) TakeoverAge() time.Duration { return r.takeover.minAge() }

// TakeOver settles the operation, which a server has left pending. It returns Conflict while the provider may be executing
// an action.
func (r *Runner) TakeOver(ctx context.Context, op storage.PendingOperation) error {
	return r.takeover.takeOver(ctx, op)
}

// minAge returns the age at which operations are taken over. If the provider can't stop requests, the age includes the
// duration of the longest request.
func (t *takeover) minAge() time.Duration {
	if !t.capabilities.Has(payment.Fencing) {
		return takeoverAge + t.capabilities.LongestRequest
	}
	return takeoverAge
}

// isDue reports whether the operation is old enough to be taken over. The age is negative if the database's clock was set
// back after the operation was stored.
func (t *takeover) isDue(op storage.PendingOperation) bool { return op.Age.Abs() >= t.minAge() }

// isCompletable reports whether another request may complete the operation before it is due. An operation
// that can't charge may be sent again under the same keys even while its first request is running.
func (t *takeover) isCompletable(op storage.PendingOperation) bool {
	return !op.CanCharge() && op.Kind != billing.CustomerOperation && op.Age.Abs() >= completionAge
}

// resolve returns true if the request may join the pending operation. It returns false when the operation has ended, so
// that the request can begin another one, and Conflict while the operation has to stay pending.
func (t *takeover) resolve(ctx context.Context, op storage.PendingOperation, isRepeat bool) (canJoin bool, err error) {
	switch {
	case t.isDue(op), !isRepeat && t.isCompletable(op):
		return false, t.takeOver(ctx, op)
	case isRepeat && joinTimeLeft(op) > 0:
		return true, nil
	}
	return false, errBusy()
}

// takeOver settles the operation. It returns Conflict while the provider may be executing an action.
func (t *takeover) takeOver(ctx context.Context, op storage.PendingOperation) error {
	settlement, err := t.completeOrStop(ctx, op)
	if err != nil {
		return err
	}
	_, err = t.store.SettleOperation(ctx, op.Key, settlement, t.clock.Now())
	if err == nil {
		t.deleteWaitStart(op.Key)
	}
	return err
}

// completeOrStop completes an operation that can't charge, stops one that can, and returns the settlement of the operation.
func (t *takeover) completeOrStop(ctx context.Context, op storage.PendingOperation) (billing.Settlement, error) {
	if op.Kind == billing.CustomerOperation {
		return t.findOrCreateCustomer(ctx, op)
	}
	if !op.CanCharge() {
		_, err := t.sender.send(ctx, op.OrganisationID, op.Actions)
		if !IsOutcomeUnknown(err) {
			return newSettlement(noResult, err), t.refreshAfterCompletion(ctx, op)
		}
		if op.Kind == billing.DetailsOperation || op.ChangesBilling() && !t.isDue(op) {
			return billing.Settlement{}, err // the report doesn't show whether the provider has acted, so the operation stays pending
		}
	}
	return t.stop(ctx, op)
}

// refreshAfterCompletion updates our copy if the completed operation may have changed the subscription.
func (t *takeover) refreshAfterCompletion(ctx context.Context, op storage.PendingOperation) error {
	if !op.ChangesBilling() && !slices.ContainsFunc(op.Actions, func(a billing.Action) bool { return a.SubscriptionID != "" }) {
		return nil
	}
	_, err := t.sync.Refresh(ctx, op.OrganisationID)
	if fault.Is(err, fault.NotFound) {
		return nil // a deleted customer has no subscription
	}
	return err
}

// stop retires the operation's keys and returns the settlement that the provider's report shows. After stop, no request
// of the operation can change the report.
func (t *takeover) stop(ctx context.Context, op storage.PendingOperation) (billing.Settlement, error) {
	lastAction, err := t.retireKeys(ctx, op)
	if err != nil {
		return billing.Settlement{}, err
	}
	if lastAction != nil && mustEndFirst(lastAction.Kind) && !t.hasWaitedLongEnough(op.Key) && !t.ensureEnded(ctx, op, *lastAction) {
		return billing.Settlement{}, errBusy()
	}
	org, err := t.sync.Refresh(ctx, op.OrganisationID)
	settlement := billing.Settlement{Result: noResult, Outcome: outcomeOfStopped(op, lastAction, &org.Billing)}
	if fault.Is(err, fault.NotFound) {
		return settlement, nil // a deleted customer has no subscription
	}
	settlement.Result = op.FindResult(&org.Billing)
	return settlement, err
}

// mustEndFirst reports whether an operation is not settled while the provider may still execute an action of the kind, because
// the next decision depends on its effect. Other actions, such as saving a card, may take effect later.
func mustEndFirst(k billing.ActionKind) bool { return k.CanCharge() || k.ChangesBilling() }

// outcomeOfStopped returns the outcome of an operation that was stopped. lastAction is the result of retireKeys. The report
// shows whether the last action that can charge is done; it does not show whether other actions are.
func outcomeOfStopped(op storage.PendingOperation, lastAction *billing.Action, report *billing.Account) audit.Outcome {
	switch {
	case lastAction == nil:
		return audit.Failed // no action was executed
	case lastAction.IsDone(report) && lastAction.Key == op.Actions[len(op.Actions)-1].Key:
		return audit.Done
	}
	return audit.Unknown
}

// retireKeys retires the keys of all actions, beginning with the last one. It returns the last action that the provider
// has executed or may be executing, or nil when there is none. All actions before the returned one have ended, because
// each action is sent after the response to the previous one.
func (t *takeover) retireKeys(ctx context.Context, op storage.PendingOperation) (lastAction *billing.Action, err error) {
	for _, action := range slices.Backward(op.Actions) {
		err := t.provider.Retire(ctx, payment.Retirement{Key: action.Key, CustomerID: action.CustomerID})
		switch {
		case err == nil, fault.Is(err, fault.NotFound):
		case fault.Is(err, fault.Conflict), fault.Is(err, fault.Unsupported):
			if lastAction == nil {
				lastAction = &action
			}
		default:
			return nil, err
		}
	}
	return lastAction, nil
}

// ensureEnded reports whether the action is known to have ended. The provider's report shows success, but not a declined
// payment. ensureEnded therefore sends a payment again under its key, to which the provider returns the stored response.
// If the provider doesn't store the key any more, it charges an open invoice once more.
func (t *takeover) ensureEnded(ctx context.Context, op storage.PendingOperation, action billing.Action) bool {
	org, err := t.sync.Refresh(ctx, op.OrganisationID)
	if err == nil && action.IsDone(&org.Billing) {
		return true
	}
	if action.Kind != billing.PayInvoiceAction {
		return false
	}
	_, err = t.sender.send(ctx, op.OrganisationID, []billing.Action{action})
	return err == nil || fault.Is(err, fault.Declined)
}

// hasWaitedLongEnough reports whether the duration of the provider's longest request has passed since the first call of
// hasWaitedLongEnough for the operation.
func (t *takeover) hasWaitedLongEnough(key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	since, ok := t.waitStarts[key]
	if !ok {
		since = time.Now() //nolint:forbidigo // a monotonic time, which clock.Clock doesn't return
		if t.waitStarts == nil {
			t.waitStarts = map[string]time.Time{}
		}
		t.waitStarts[key] = since
	}
	return time.Since(since) >= t.capabilities.LongestRequest //nolint:forbidigo // as above
}

// deleteWaitStart deletes the entry of a settled operation from waitStarts.
func (t *takeover) deleteWaitStart(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.waitStarts, key)
}

// findOrCreateCustomer finds the customer that the operation has created, or creates it, and returns a settlement with
// its id. If the provider doesn't respond, the operation stays pending until no request under its key can be running.
// Then another operation can create the customer.
func (t *takeover) findOrCreateCustomer(ctx context.Context, op storage.PendingOperation) (billing.Settlement, error) {
	org, err := t.store.Organisation(ctx, op.OrganisationID)
	if err != nil {
		return billing.Settlement{}, err
	}
	if org.Billing.CustomerID != "" {
		return newSettlement(org.Billing.CustomerID, nil), nil
	}
	owner := payment.Owner{OrganisationID: org.ID, Email: op.Actions[0].Email}
	customer, err := t.provider.CustomerOf(ctx, owner)
	if fault.Is(err, fault.NotFound) {
		var resp Responses
		resp, err = t.sender.send(ctx, org.ID, op.Actions)
		customer = resp.Customer
		if IsOutcomeUnknown(err) && t.hasWaitedLongEnough(op.Key) {
			// Every earlier request has ended. If one of them created a customer, the lookup finds it.
			customer, err = t.provider.CustomerOf(ctx, owner)
		}
		if err != nil && !IsOutcomeUnknown(err) {
			return newSettlement(noResult, err), nil // refused, or not created by any request
		}
	}
	if err == nil {
		err = storeCustomer(ctx, t.store, org.ID, customer, owner.Email, t.clock.Now())
	}
	return newSettlement(customer.ID, nil), err
}
