package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// requestTimeout limits how long a request works with the provider, including the provider
	// client's own retries. The request continues when the browser disconnects.
	requestTimeout = 50 * time.Second
	// takeoverAge is the age at which an operation may be taken over. The request that began the operation may still be
	// running, so the takeover first retires the operation's keys.
	takeoverAge = 2 * time.Minute
	// maxJoinAge is the age up to which a repeat of the same request may join an operation. The repeat must end before the
	// operation reaches takeoverAge.
	maxJoinAge = takeoverAge - 20*time.Second
	// maxBeginAttempts limits how often a request is decided. It is decided again if the account has changed.
	maxBeginAttempts = 4
)

// operationStore is the part of the database that operations use.
type operationStore interface {
	storage.Organisations
	storage.Operations
}

// operations stores, runs and settles requests that must take effect at the provider only once. The
// package comment describes the procedure.
type operations struct {
	store        operationStore
	capabilities payment.Capabilities
	clock        clock.Clock
	sender       actionSender
	sync         *billingSync
	takeover     *takeover
	log          *slog.Logger
}

// operationRequest identifies a request that must take effect at the provider only once.
type operationRequest struct {
	organisationID string
	kind           billing.OperationKind
	fingerprint    string // equal only for repeats of the same request
}

// decideFunc returns the actions of a request, and the organisation for which it has decided them. It returns no actions
// if there is nothing to do. It may call the provider.
type decideFunc func(ctx context.Context) (account.Organisation, []billing.Action, error)

// execution executes an operation for one request.
type execution struct {
	ops operations
	op  billing.Operation // has no actions if there is nothing to do; it is then not stored
	// isJoined is true when another execution began the operation. That execution may still be running, or may have stopped
	// after any action.
	isJoined bool
	org      account.Organisation // if isJoined, the current organisation; otherwise the one for which the actions were decided
}

// detach returns a context that ignores the cancellation of ctx, because the request continues when the browser
// disconnects. The context ends after the timeout instead, measured by the monotonic clock.
func detach(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), timeout)
}

// begin stores the operation with the actions that decide returns, or joins the pending operation of a repeat. If the
// account has changed since the decision, it calls decide again. If an operation of another request is pending,
// takeover.resolve settles it or returns Conflict.
//
// If the operation has actions, the caller defers release, calls send, and calls settle if the request has succeeded.
func (o operations) begin(ctx context.Context, req operationRequest, decide decideFunc) (*execution, error) {
	for range maxBeginAttempts {
		exec, err := o.beginOnce(ctx, req, decide)
		if errors.Is(err, storage.ErrRevisionChanged) {
			continue
		}
		if err != nil || !exec.isJoined {
			return exec, err
		}
		canJoin, err := o.takeover.resolve(ctx, exec.op, exec.op.Fingerprint == req.fingerprint)
		if err != nil {
			return nil, err
		}
		if canJoin {
			exec.org, err = o.store.Organisation(ctx, req.organisationID)
			return exec, err
		}
	}
	return nil, errBusy()
}

// beginOnce returns the pending operation of the kind, or decides the request and begins its operation.
// It looks for a pending operation before it decides, because the decision could be based on a state that
// the pending operation is about to change.
func (o operations) beginOnce(ctx context.Context, req operationRequest, decide decideFunc) (*execution, error) {
	pendingOp, err := o.store.PendingOperation(ctx, req.organisationID, req.kind)
	if !fault.Is(err, fault.NotFound) {
		return &execution{ops: o, op: pendingOp, isJoined: true}, err
	}
	org, actions, err := decide(ctx)
	if err != nil || len(actions) == 0 {
		return &execution{org: org}, err
	}
	if err := cmp.Or(billing.CheckMethodIDs(actions), o.capabilities.CheckActions(actions)); err != nil {
		return nil, err
	}
	key := ids.New("op")
	op, err := o.store.BeginOperation(ctx, billing.Operation{
		Key: key, OrganisationID: req.organisationID, Kind: req.kind, Fingerprint: req.fingerprint,
		Actions: billing.AssignKeys(key, actions), CreatedAt: o.clock.Now(), Revision: org.Billing.Revision,
	})
	return &execution{ops: o, op: op, isJoined: op.Key != key, org: org}, err
}

// send sends the actions and records the subscriptions in the provider's responses. If the provider refuses an action,
// it records the subscriptions that earlier actions have ended.
func (e *execution) send(ctx context.Context) (responses, error) {
	ctx, cancel := context.WithTimeout(ctx, joinTimeLeft(e.op))
	defer cancel()
	resp, err := e.ops.sender.send(ctx, e.org.ID, e.op.Actions)
	if err == nil {
		resp.subscription, err = e.currentSubscription(ctx, resp.subscription)
	}
	if subs := resp.subscriptions(); len(subs) > 0 && !isOutcomeUnknown(err) {
		if err := e.ops.sync.storeResponseOrRefresh(ctx, e.org, subs...); err != nil {
			return resp, err
		}
	}
	return resp, err
}

// currentSubscription returns the subscription after the actions, or the zero value if the actions change no
// subscription. It reads the subscription from the provider if no response contains it. It also does so if the operation
// was joined, because the responses may be replays.
func (e *execution) currentSubscription(ctx context.Context, response billing.Subscription) (billing.Subscription, error) {
	id := cmp.Or(response.ID, e.op.Actions[0].SubscriptionID)
	if id == "" || id == response.ID && !e.isJoined {
		return response, nil
	}
	return e.ops.sender.currentSubscription(ctx, id)
}

// noResult is stored as the result of operations that created nothing.
const noResult = ""

// settle stores the operation's result: the id by which a repeat of the request finds the object that the operation has
// created, or noResult. It only logs a failure, because the outcome of the request is recorded already. The operation
// then stays pending until Reconcile settles it.
func (e *execution) settle(ctx context.Context, result string) {
	if _, err := e.ops.store.SettleOperation(ctx, e.op.Key, result, e.ops.clock.Now()); err != nil {
		e.ops.log.WarnContext(ctx, "operation done but not settled yet", "org", e.op.OrganisationID, "kind", e.op.Kind, "error", err)
	}
}

// release is deferred by a request and accepts the error that the request returns. It settles the operation if the error
// shows that the request has failed. If the outcome is unknown, or the request panics, the operation stays pending. If the
// key of an action was retired, another request has taken the operation over, and release sets the error to a Conflict
// for the customer.
func (e *execution) release(ctx context.Context, err *error) {
	switch {
	case *err == nil:
	case errors.Is(*err, payment.ErrKeyRetired):
		*err = fault.Wrap(*err, fault.Conflict,
			"This took too long and was given up. Please look at your subscription before you try again.")
	case !isOutcomeUnknown(*err):
		e.settle(ctx, noResult)
	}
}

// refreshAfterRefusal refreshes our copy if the provider has refused a request, because our copy was then out of date. The
// caller decides the request again for the returned organisation, and passes the error of this decision to explain. It
// does not send the new actions, because the customer has agreed to the earlier ones. isRefreshed is false for all other
// errors, and if the refresh fails.
func (o operations) refreshAfterRefusal(
	ctx context.Context, organisationID string, refusal error,
) (org account.Organisation, isRefreshed bool) {
	isRefused := fault.Is(refusal, fault.Invalid) || fault.Is(refusal, fault.Conflict) || fault.Is(refusal, fault.NotFound)
	if !isRefused || errors.Is(refusal, payment.ErrKeyRetired) {
		return account.Organisation{}, false
	}
	org, err := o.sync.refresh(ctx, organisationID)
	return org, err == nil
}

// explain returns the reason why a repeated decision fails, which is more specific than the provider's refusal. If the
// decision succeeds or its outcome is unknown, it returns the refusal.
func explain(refusal, reason error) error {
	if reason == nil || isOutcomeUnknown(reason) {
		return refusal
	}
	return reason
}

// checkNotPending returns ErrRevisionChanged while an operation of the same request is pending, so that the request is
// decided again and joins it.
func (o operations) checkNotPending(ctx context.Context, req operationRequest) error {
	op, err := o.store.PendingOperation(ctx, req.organisationID, req.kind)
	if err == nil && op.Fingerprint == req.fingerprint {
		return storage.ErrRevisionChanged
	}
	return fault.ReplaceNotFound(err, nil)
}

// joinTimeLeft returns how long a repeat may work on the operation. The age is negative if the database's clock was set
// back after the operation began.
func joinTimeLeft(op billing.Operation) time.Duration { return maxJoinAge - max(op.Age, 0) }

// newFingerprint returns a hash that identifies a request by its parameters.
func newFingerprint(parts ...string) string { return ids.Hash(strings.Join(parts, "\x00")) }

// errBusy returns the Conflict for a request that is refused because another operation is pending. The other operation may
// be an earlier attempt of the same customer that has timed out.
func errBusy() error {
	return fault.Wrap(billing.ErrInProgress, fault.Conflict,
		"Another request of your organisation is still being processed. Please wait a moment and try again.")
}

// isOutcomeUnknown reports whether the request may have taken effect in spite of the error.
func isOutcomeUnknown(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Internal)
}
