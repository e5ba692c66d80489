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

// subscriptionReader reads one subscription from the provider.
type subscriptionReader interface {
	Subscription(ctx context.Context, id string) (billing.Subscription, error)
}

// operations stores, runs and settles requests that must take effect at the provider only once. The
// package comment describes the procedure.
type operations struct {
	store        operationStore
	provider     subscriptionReader
	capabilities payment.Capabilities
	clock        clock.Clock
	sender       actionSender
	sync         *billingSync
	takeover     *takeover
	log          *slog.Logger
}

// request describes a request that must take effect at the provider only once. T is the type of its result.
type request[T any] struct {
	organisationID string
	kind           billing.OperationKind
	fingerprint    string        // equal only for repeats of the same request
	timeout        time.Duration // 0 means requestTimeout
	// decide returns the actions of the request. It may call the provider. If the account changes before the operation
	// begins, run calls decide again with retry true.
	decide func(ctx context.Context, retry bool) (decision[T], error)
	// decideAgain decides the request for a newer report and returns only the error, which explains why the provider has
	// refused the request. It may be nil.
	decideAgain func(ctx context.Context, org account.Organisation) error
	// result returns the result of the request. err is the error of sending its actions or recording the responses.
	result func(ctx context.Context, out outcome, err error) (T, error)
	// resultID returns the id that is stored as the operation's result. A repeat uses the id to find the object that an
	// earlier execution has created. If resultID is nil, no result is stored.
	resultID func(T) string
}

// decision contains the actions that a request needs at the provider.
type decision[T any] struct {
	actions []billing.Action      // empty if there is nothing to do; the request then returns result
	org     *account.Organisation // the operation begins only if org still has its revision; nil for any revision
	result  T
}

// emptyResult returns only the error. It implements request.result.
func emptyResult(_ context.Context, _ outcome, err error) (struct{}, error) { return struct{}{}, err }

// execution contains the data with which a request executes an operation.
type execution struct {
	actions []billing.Action // as decided by the request that began the operation
	// isJoined is true when another execution began the operation. That execution may still be running, or may have stopped
	// after any action.
	isJoined bool
	org      account.Organisation // if isJoined, the current organisation; otherwise the one for which the actions were decided
}

// outcome contains the provider's responses to the actions of an execution.
type outcome struct {
	execution
	responses
}

// run executes the request, or joins the pending operation of a repeat. It ignores the cancellation
// of ctx and stops after the request's timeout instead, measured by the monotonic clock.
func run[T any](ctx context.Context, o operations, req request[T]) (T, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(req.timeout, requestTimeout))
	defer cancel()
	start, err := begin(ctx, o, req)
	if err != nil || start.op.Key == "" {
		return start.result, err
	}
	ctx, cancel = context.WithTimeout(ctx, joinTimeLeft(start.op))
	defer cancel()
	exec, err := o.newExecution(ctx, start.op, start.isJoined, start.org)
	if err != nil {
		return start.result, err
	}
	resp, err := o.execute(ctx, exec)
	if err != nil && req.decideAgain != nil {
		err = o.explainRefusal(ctx, exec.org.ID, err, req.decideAgain)
	}
	result, err := req.result(ctx, outcome{exec, resp}, err)
	switch {
	case err == nil && req.resultID != nil:
		o.settle(ctx, start.op, req.resultID(result))
	case errors.Is(err, payment.ErrKeyRetired):
		err = fault.Wrap(err, fault.Conflict,
			"This took too long and was given up. Please look at your subscription before you try again.")
	case !isOutcomeUnknown(err):
		o.settle(ctx, start.op, noResult)
	}
	return result, err
}

// newExecution returns an execution of the operation. If org is nil, because the operation was joined or could begin at
// any revision, it reads the organisation.
func (o operations) newExecution(
	ctx context.Context, op billing.Operation, isJoined bool, org *account.Organisation,
) (execution, error) {
	exec := execution{actions: op.Actions, isJoined: isJoined}
	if org != nil {
		exec.org = *org
		return exec, nil
	}
	var err error
	exec.org, err = o.store.Organisation(ctx, op.OrganisationID)
	return exec, err
}

// execute sends the actions and records the subscriptions in the provider's responses. If the provider refuses an action,
// it records the subscriptions that earlier actions have ended.
func (o operations) execute(ctx context.Context, exec execution) (responses, error) {
	resp, err := o.sender.send(ctx, exec.org.ID, exec.actions)
	if err == nil {
		resp.subscription, err = o.currentSubscription(ctx, exec, resp.subscription)
	}
	if subs := resp.subscriptions(); len(subs) > 0 && !isOutcomeUnknown(err) {
		if err := o.sync.storeResponseOrRefresh(ctx, exec.org, subs...); err != nil {
			return resp, err
		}
	}
	return resp, err
}

// currentSubscription returns the subscription after the actions, or the zero value if the actions change no
// subscription. It reads the subscription from the provider if no response contains it. It also does so if the operation
// was joined, because the responses may be replays.
func (o operations) currentSubscription(
	ctx context.Context, exec execution, response billing.Subscription,
) (billing.Subscription, error) {
	id := cmp.Or(response.ID, exec.actions[0].SubscriptionID)
	if id == "" || id == response.ID && !exec.isJoined {
		return response, nil
	}
	return o.provider.Subscription(ctx, id)
}

// explainRefusal returns a more specific error for a request that the provider has refused because our copy was out of
// date. It refreshes the copy, decides the request again and returns the error of this decision. If the decision
// succeeds, it returns the refusal. It does not send the new actions, because the customer has agreed to the earlier
// ones.
func (o operations) explainRefusal(
	ctx context.Context, organisationID string, refusal error, decideAgain func(context.Context, account.Organisation) error,
) error {
	isRefused := fault.Is(refusal, fault.Invalid) || fault.Is(refusal, fault.Conflict) || fault.Is(refusal, fault.NotFound)
	if !isRefused || errors.Is(refusal, payment.ErrKeyRetired) {
		return refusal
	}
	org, err := o.sync.refresh(ctx, organisationID)
	if err != nil {
		return refusal
	}
	if reason := decideAgain(ctx, org); reason != nil && !isOutcomeUnknown(reason) {
		return reason
	}
	return refusal
}

// noResult is stored as the result of operations that created nothing.
const noResult = ""

// settle stores the operation's result. It only logs a failure, because the outcome of the request is recorded already.
// The operation then stays pending until Reconcile settles it.
func (o operations) settle(ctx context.Context, op billing.Operation, result string) {
	if _, err := o.store.SettleOperation(ctx, op.Key, result, o.clock.Now()); err != nil {
		o.log.WarnContext(ctx, "operation done but not settled yet", "org", op.OrganisationID, "kind", op.Kind, "error", err)
	}
}

// operationStart contains the operation that a request has begun or found pending. If op has no key, there is nothing
// to do, and the request returns result.
type operationStart[T any] struct {
	op       billing.Operation
	isJoined bool                  // the operation was pending
	org      *account.Organisation // decision.org; nil if the operation was pending
	result   T
}

// begin stores the operation with its actions, or returns a pending operation of the same request. If an operation of
// another request is pending, takeover.resolve settles it or returns Conflict.
func begin[T any](ctx context.Context, o operations, req request[T]) (operationStart[T], error) {
	decisionCount := 0
	decideNext := func() (decision[T], error) {
		decisionCount++
		return req.decide(ctx, decisionCount > 1)
	}
	for range maxBeginAttempts {
		start, err := beginOnce(ctx, o, req, decideNext)
		if errors.Is(err, storage.ErrRevisionChanged) {
			continue
		}
		if err != nil || !start.isJoined {
			return start, err
		}
		canJoin, err := o.takeover.resolve(ctx, start.op, start.op.Fingerprint == req.fingerprint)
		if err != nil || canJoin {
			return start, err
		}
	}
	return operationStart[T]{}, errBusy()
}

// beginOnce returns the pending operation of the kind, or decides the request and begins its operation.
// It looks for a pending operation before it decides, because the decision could be based on a state that
// the pending operation is about to change.
func beginOnce[T any](
	ctx context.Context, o operations, req request[T], decideNext func() (decision[T], error),
) (operationStart[T], error) {
	pendingOp, err := o.store.PendingOperation(ctx, req.organisationID, req.kind)
	if !fault.Is(err, fault.NotFound) {
		return operationStart[T]{op: pendingOp, isJoined: true}, err
	}
	d, err := decideNext()
	if err != nil || len(d.actions) == 0 {
		return operationStart[T]{result: d.result}, err
	}
	if err := cmp.Or(billing.CheckMethodIDs(d.actions), o.capabilities.CheckActions(d.actions)); err != nil {
		return operationStart[T]{}, err
	}
	key := ids.New("op")
	newOp := billing.Operation{
		Key: key, OrganisationID: req.organisationID, Kind: req.kind, Fingerprint: req.fingerprint,
		Actions: billing.AssignKeys(key, d.actions), CreatedAt: o.clock.Now(),
	}
	if d.org != nil {
		newOp.Revision = &d.org.Billing.Revision
	}
	op, err := o.store.BeginOperation(ctx, newOp)
	if op.Key != key {
		return operationStart[T]{op: op, isJoined: true}, err
	}
	return operationStart[T]{op: op, org: d.org}, err
}

// checkNotPending returns ErrRevisionChanged while a subscription operation of the same request is pending, so that
// the request is decided again and joins it.
func (o operations) checkNotPending(ctx context.Context, organisationID, fingerprint string) error {
	op, err := o.store.PendingOperation(ctx, organisationID, billing.SubscriptionOperation)
	if err == nil && op.Fingerprint == fingerprint {
		return storage.ErrRevisionChanged
	}
	return fault.ReplaceNotFound(err, nil)
}

// joinTimeLeft returns how long a repeat may work on the operation. The age is negative if the database's clock was set
// back after the operation began.
func joinTimeLeft(op billing.Operation) time.Duration { return maxJoinAge - max(op.Age, 0) }

// newFingerprint returns a hash that identifies a request by its parameters.
func newFingerprint(parts ...string) string { return ids.Hash(strings.Join(parts, "\x00")) }

// errBusy returns the Conflict for a request that is refused because another operation is pending.
func errBusy() error {
	return fault.New(fault.Conflict,
		"Another request of your organisation is still being processed. Please wait a moment and try again.")
}

// isOutcomeUnknown reports whether the request may have taken effect in spite of the error.
func isOutcomeUnknown(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Internal)
}

// subscriptionDecision is the decision of a request that returns a subscription.
type subscriptionDecision = decision[billing.Subscription]

// decideNoActions returns a decision without actions. Its result is the subscription as the provider reports it now.
func decideNoActions(ctx context.Context, provider subscriptionReader, subscriptionID string) (subscriptionDecision, error) {
	sub, err := provider.Subscription(ctx, subscriptionID)
	return subscriptionDecision{result: sub}, err
}

// subscriptionResult returns the subscription of the response. It implements request.result.
func subscriptionResult(_ context.Context, out outcome, err error) (billing.Subscription, error) {
	if err != nil {
		return billing.Subscription{}, err
	}
	return out.subscription, nil
}

// subscriptionResultID returns the id of the subscription. It implements request.resultID.
func subscriptionResultID(s billing.Subscription) string { return s.ID }
