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

// operations runs requests that must take effect at the provider only once. The package comment describes the procedure.
type operations struct {
	store        operationStore
	capabilities payment.Capabilities
	clock        clock.Clock
	sender       actionSender
	sync         *billingSync
	takeover     *takeover
	log          *slog.Logger
}

// operationRequest is a request that must take effect at the provider only once.
type operationRequest struct {
	organisationID string
	kind           billing.OperationKind
	parameters     []string // equal only for repeats of the same request; stored as a hash
	// decide returns the actions of the request, and the organisation for which it has decided them. It returns no actions if
	// there is nothing to do. It may call the provider. It is called again if the account has changed since the decision.
	decide func(ctx context.Context) (account.Organisation, []billing.Action, error)
	// explain returns the reason why the provider has refused the request; nil if the provider's error is enough.
	explain explainFunc
	// isPaymentOptional is true if the request has succeeded as soon as its card is saved, whatever the outcome of the
	// payment that follows.
	isPaymentOptional bool
}

// explainFunc decides a request again after the provider has refused it because our copy was out of date, and returns the
// error of the decision. Its actions are not sent, because the customer has agreed to the earlier ones.
type explainFunc func(ctx context.Context, refreshedOrg account.Organisation) error

// outcome contains the outcome of a request.
type outcome struct {
	responses
	org        account.Organisation // for which the actions were decided; the current one if the operation was joined
	actions    []billing.Action     // none if there was nothing to do
	paymentErr error                // of the payment if isPaymentOptional is true
}

// responses collects the provider's responses to the actions of an operation.
type responses struct {
	subscription billing.Subscription   // the subscription that an action has started, paid, changed or ended
	endedSubs    []billing.Subscription // results of EndUnpaidAction; the last one is live if it was paid just before
	card         billing.PaymentMethod  // the saved card, or the new default card
	customer     billing.Customer       // the new customer, or the customer with its new default card
	methodPage   billing.NextAction     // a redirect to the page that saves a payment method
	details      account.BillingDetails // the details that the provider has accepted
}

// detach returns a context that ignores the cancellation of ctx, because the request continues when the browser
// disconnects. The context ends after the timeout instead, measured by the monotonic clock.
func detach(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), timeout)
}

// run carries out the request in an operation. The callers detach ctx. If the request panics, the operation stays pending.
func (o operations) run(ctx context.Context, req operationRequest) (outcome, error) {
	begun, err := o.begin(ctx, req)
	if err != nil || len(begun.op.Actions) == 0 {
		return outcome{org: begun.org}, err
	}
	result := outcome{org: begun.org, actions: begun.op.Actions}
	result.responses, err = o.send(ctx, begun)
	switch {
	case err != nil && req.isPaymentOptional && result.card.ID != "":
		result.paymentErr, err = err, nil
	case err != nil && req.explain != nil:
		err = o.explainRefusal(ctx, req.organisationID, err, req.explain)
	}
	return result, o.settle(ctx, begun.op, result.responses, err)
}

// begunOperation is an operation that a request has begun or joined.
type begunOperation struct {
	op  billing.Operation    // has no actions if there is nothing to do; it is then not stored
	org account.Organisation // see outcome
	// isJoined is true when another request began the operation. That request may still be running, or may have stopped
	// after any action.
	isJoined bool
}

// begin stores the operation with the actions that the request decides, or joins the pending operation of a repeat. If the
// account has changed since the decision, it decides again. If an operation of another request is pending,
// takeover.resolve settles it or returns Conflict.
func (o operations) begin(ctx context.Context, req operationRequest) (begunOperation, error) {
	for range maxBeginAttempts {
		begun, err := o.beginOnce(ctx, req)
		if errors.Is(err, storage.ErrRevisionChanged) {
			continue
		}
		if err != nil || !begun.isJoined {
			return begun, err
		}
		canJoin, err := o.takeover.resolve(ctx, begun.op, begun.op.Fingerprint == req.fingerprint())
		if err != nil {
			return begunOperation{}, err
		}
		if canJoin {
			begun.org, err = o.store.Organisation(ctx, req.organisationID)
			return begun, err
		}
	}
	return begunOperation{}, errBusy()
}

// beginOnce returns the pending operation of the kind, or decides the request and begins its operation.
// It looks for a pending operation before it decides, because the decision could be based on a state that
// the pending operation is about to change.
func (o operations) beginOnce(ctx context.Context, req operationRequest) (begunOperation, error) {
	pendingOp, err := o.store.PendingOperation(ctx, req.organisationID, req.kind)
	if !fault.Is(err, fault.NotFound) {
		return begunOperation{op: pendingOp, isJoined: true}, err
	}
	org, actions, err := req.decide(ctx)
	if err != nil || len(actions) == 0 {
		return begunOperation{org: org}, err
	}
	if err := cmp.Or(billing.CheckMethodIDs(actions), o.capabilities.CheckActions(actions)); err != nil {
		return begunOperation{}, err
	}
	key := ids.New("op")
	op, err := o.store.BeginOperation(ctx, billing.Operation{
		Key: key, OrganisationID: req.organisationID, Kind: req.kind, Fingerprint: req.fingerprint(),
		Actions: billing.AssignKeys(key, actions), CreatedAt: o.clock.Now(), Revision: org.Billing.Revision,
	})
	return begunOperation{op: op, isJoined: op.Key != key, org: org}, err
}

// fingerprint returns a hash that identifies the request by its parameters.
func (req operationRequest) fingerprint() string { return newFingerprint(req.parameters...) }

// newFingerprint returns a hash of the parts.
func newFingerprint(parts ...string) string { return ids.Hash(strings.Join(parts, "\x00")) }

// send sends the actions and records the subscriptions in the provider's responses. If the provider refuses an action,
// it records the subscriptions that earlier actions have ended.
func (o operations) send(ctx context.Context, begun begunOperation) (responses, error) {
	ctx, cancel := context.WithTimeout(ctx, joinTimeLeft(begun.op))
	defer cancel()
	resp, err := o.sender.send(ctx, begun.org.ID, begun.op.Actions)
	if err == nil {
		resp.subscription, err = o.readIfReplayed(ctx, begun, resp.subscription)
	}
	if subs := resp.subscriptions(); len(subs) > 0 && !isOutcomeUnknown(err) {
		if err := o.sync.storeResponseOrRefresh(ctx, begun.org, subs...); err != nil {
			return resp, err
		}
	}
	return resp, err
}

// joinTimeLeft returns how long a repeat may work on the operation. The age is negative if the database's clock was set
// back after the operation began.
func joinTimeLeft(op billing.Operation) time.Duration { return maxJoinAge - max(op.Age, 0) }

// readIfReplayed returns the subscription after the actions, or the zero value if the actions change no subscription. It
// reads the subscription from the provider if no response contains it. It also does so if the operation was joined,
// because the responses may be replays.
func (o operations) readIfReplayed(
	ctx context.Context, begun begunOperation, response billing.Subscription,
) (billing.Subscription, error) {
	id := cmp.Or(response.ID, begun.op.Actions[0].SubscriptionID)
	if id == "" || id == response.ID && !begun.isJoined {
		return response, nil
	}
	return o.sender.currentSubscription(ctx, id)
}

// subscriptions returns the subscriptions of the responses, newest first.
func (r responses) subscriptions() []billing.Subscription {
	if r.subscription.ID == "" {
		return r.endedSubs
	}
	return append([]billing.Subscription{r.subscription}, r.endedSubs...)
}

// explainRefusal returns the reason why the provider has refused a request, which is more specific than the refusal. If our
// copy was out of date, it refreshes the copy, and the reason is the error that explain returns for the refreshed
// organisation. It returns all other errors unchanged, and the refusal if explain returns no reason.
func (o operations) explainRefusal(ctx context.Context, organisationID string, refusal error, explain explainFunc) error {
	isRefused := fault.Is(refusal, fault.Invalid) || fault.Is(refusal, fault.Conflict) || fault.Is(refusal, fault.NotFound)
	if !isRefused || errors.Is(refusal, payment.ErrKeyRetired) {
		return refusal
	}
	org, err := o.sync.refresh(ctx, organisationID)
	if err != nil {
		return refusal
	}
	if reason := explain(ctx, org); reason != nil && !isOutcomeUnknown(reason) {
		return reason
	}
	return refusal
}

// noResult is stored as the result of operations that created or changed neither a subscription nor a customer.
const noResult = ""

// settle stores the operation's result if the outcome of the request is known, and returns the error of the request. If
// the outcome is unknown, the operation stays pending. It also does so if the key of an action was retired: another
// request has then taken the operation over, and settle returns a Conflict for the customer. A failure to settle is only
// logged, because the outcome is recorded already. Reconcile then settles the operation.
func (o operations) settle(ctx context.Context, op billing.Operation, resp responses, err error) error {
	result := resp.resultOf(op.Kind)
	switch {
	case errors.Is(err, payment.ErrKeyRetired):
		return fault.Wrap(err, fault.Conflict,
			"This took too long and was given up. Please look at your subscription before you try again.")
	case isOutcomeUnknown(err):
		return err
	case err != nil:
		result = noResult
	}
	if _, err := o.store.SettleOperation(ctx, op.Key, result, o.clock.Now()); err != nil {
		o.log.WarnContext(ctx, "operation done but not settled yet", "org", op.OrganisationID, "kind", op.Kind, "error", err)
	}
	return err
}

// resultOf returns the id by which a repeat of the request finds what the operation has created.
func (r responses) resultOf(kind billing.OperationKind) string {
	switch kind {
	case billing.CustomerOperation:
		return r.customer.ID
	case billing.SubscriptionOperation:
		return r.subscription.ID
	case billing.DetailsOperation:
	}
	return noResult
}

// currentSubscription returns the subscription as the provider reports it, see actionSender.currentSubscription.
func (o operations) currentSubscription(ctx context.Context, id string) (billing.Subscription, error) {
	return o.sender.currentSubscription(ctx, id)
}

// checkNotPending returns ErrRevisionChanged while an operation of the same request is pending, so that the request is
// decided again and joins it.
func (o operations) checkNotPending(ctx context.Context, req operationRequest) error {
	op, err := o.store.PendingOperation(ctx, req.organisationID, req.kind)
	if err == nil && op.Fingerprint == req.fingerprint() {
		return storage.ErrRevisionChanged
	}
	return fault.ReplaceNotFound(err, nil)
}

// hasStarted reports whether an earlier execution of the same request has started or paid the subscription. It returns
// ErrRevisionChanged while that execution is pending.
func (o operations) hasStarted(ctx context.Context, req operationRequest, subscriptionID string) (bool, error) {
	if err := o.checkNotPending(ctx, req); err != nil {
		return false, err
	}
	return o.store.OperationSucceeded(ctx, storage.OperationQuery{
		OrganisationID: req.organisationID, Kind: req.kind, Fingerprint: req.fingerprint(), Result: subscriptionID,
	})
}

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
