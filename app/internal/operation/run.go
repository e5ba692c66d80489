package operation

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// takeoverAge is the age at which an operation may be taken over. The request that began the operation may still be
	// running, so the takeover first retires the operation's keys.
	takeoverAge = 2 * time.Minute
	// maxJoinAge is the age up to which a repeat of the same request may join an operation. The repeat must end before the
	// operation reaches takeoverAge.
	maxJoinAge = takeoverAge - 20*time.Second
	// maxBeginAttempts limits the attempts of begin. Each decides the request, or settles another operation first.
	maxBeginAttempts = 4
)

// Request is a request that must take effect at the provider only once.
type Request struct {
	OrganisationID string
	Kind           billing.OperationKind
	Parameters     []string // equal only for repeats of the same request; stored as a hash
	// Decide returns the actions of the request, and the organisation for which it has decided them. It returns no actions if
	// there is nothing to do. It may call the provider. It is called again if the account has changed since the decision.
	Decide DecideFunc
	// Explain returns the reason why the provider has refused the request. It is nil if the provider's error is enough.
	Explain ExplainFunc
	// Key is the key of the operation. If it is empty, each operation gets a new key. With a Key of its own, a
	// repeat of a settled operation returns Conflict.
	Key string
	// Entry describes the request of an operator, see billing.Operation.Entry.
	Entry *audit.Entry
	// PaymentOptional is true if the request has succeeded as soon as its card is saved, whatever the outcome of the
	// payment that follows.
	PaymentOptional bool
}

// DecideFunc returns the actions of a request, and the organisation for which it has decided them.
type DecideFunc func(ctx context.Context) (account.Organisation, []billing.Action, error)

// ExplainFunc decides a request again after the provider has refused it because our copy was out of date, and returns the
// error of the decision. Its actions are not sent, because the customer has agreed to the earlier ones.
type ExplainFunc func(ctx context.Context, refreshedOrg account.Organisation) error

// Outcome contains the outcome of a request.
type Outcome struct {
	Responses
	Organisation account.Organisation // for which the actions were decided; the current one if the operation was joined
	Actions      []billing.Action     // none if there was nothing to do
	PaymentErr   error                // the error of an optional payment
}

// Responses contains the provider's responses to the actions of an operation.
type Responses struct {
	Subscription billing.Subscription   // the subscription that an action has started, paid, changed or ended
	endedSubs    []billing.Subscription // results of EndUnpaidAction; the last one is live if it was paid at the same time
	Card         billing.PaymentMethod  // the saved card, or the new default card
	Customer     billing.Customer       // the new customer, or the customer with its new default card
	MethodPage   billing.NextAction     // a redirect to the page that saves a payment method
	Details      account.BillingDetails // the details that the provider has accepted
}

// Detach returns a context that ignores the cancellation of ctx, because the request continues when the browser
// disconnects. The context ends after the timeout instead, measured by the monotonic clock.
func Detach(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), timeout)
}

// Run carries out the request in an operation. Callers pass a context of Detach. If the request panics, the operation
// stays pending.
func (r *Runner) Run(ctx context.Context, req Request) (Outcome, error) {
	begun, err := r.begin(ctx, req)
	if err != nil || len(begun.op.Actions) == 0 {
		return Outcome{Organisation: begun.org}, err
	}
	outcome := Outcome{Organisation: begun.org, Actions: begun.op.Actions}
	outcome.Responses, err = r.send(ctx, begun)
	switch {
	case err != nil && req.PaymentOptional && outcome.Card.ID != "":
		outcome.PaymentErr, err = err, nil
	case err != nil && req.Explain != nil:
		err = r.ExplainRefusal(ctx, req.OrganisationID, err, req.Explain)
	}
	return outcome, r.settle(ctx, begun.op, outcome, err)
}

// begunOperation is an operation that a request has begun or joined.
type begunOperation struct {
	op  storage.PendingOperation // has no actions if there is nothing to do; it is then not stored
	org account.Organisation     // see Outcome
	// isJoined is true when another request began the operation. That request may still be running, or may have stopped
	// after any action.
	isJoined bool
}

// begin stores the operation with the actions that the request decides, or joins the pending operation of a repeat. If the
// account has changed since the decision, it decides again. If an operation of another request is pending,
// takeover.resolve settles it or returns Conflict.
func (r *Runner) begin(ctx context.Context, req Request) (begunOperation, error) {
	for range maxBeginAttempts {
		begun, err := r.beginOnce(ctx, req)
		if errors.Is(err, storage.ErrRevisionChanged) {
			continue
		}
		if err != nil || !begun.isJoined {
			return begun, err
		}
		canJoin, err := r.takeover.resolve(ctx, begun.op, begun.op.Fingerprint == req.fingerprint())
		if err != nil {
			return begunOperation{}, err
		}
		if canJoin {
			begun.org, err = r.store.Organisation(ctx, req.OrganisationID)
			return begun, err
		}
	}
	return begunOperation{}, errBusy()
}

// beginOnce returns the pending operation of the kind, or decides the request and begins its operation. It looks for a
// pending operation first, because that may be about to change the state on which the decision is based.
func (r *Runner) beginOnce(ctx context.Context, req Request) (begunOperation, error) {
	pendingOp, err := r.store.PendingOperation(ctx, req.OrganisationID, req.Kind)
	if !fault.Is(err, fault.NotFound) {
		return begunOperation{op: pendingOp, isJoined: true}, err
	}
	org, actions, err := req.Decide(ctx)
	if err != nil || len(actions) == 0 {
		return begunOperation{org: org}, err
	}
	if err := cmp.Or(billing.CheckMethodIDs(actions), r.capabilities.CheckActions(actions)); err != nil {
		return begunOperation{}, err
	}
	key := req.Key
	if key == "" {
		key = ids.New("op")
	}
	op, err := r.store.BeginOperation(ctx, billing.Operation{
		Key: key, OrganisationID: req.OrganisationID, Kind: req.Kind, Fingerprint: req.fingerprint(),
		Actions: billing.AssignKeys(key, actions), CreatedAt: r.clock.Now(), Entry: req.Entry,
	}, org.Billing.Revision)
	return begunOperation{op: op, isJoined: op.Key != key, org: org}, err
}

// fingerprint returns a hash that identifies the request by its parameters.
func (req Request) fingerprint() string { return newFingerprint(req.Parameters...) }

// newFingerprint returns a hash of the parts.
func newFingerprint(parts ...string) string { return ids.Hash(strings.Join(parts, "\x00")) }

// send sends the actions and records the subscriptions in the provider's responses. If the provider refuses an action,
// it records the subscriptions that earlier actions have ended.
func (r *Runner) send(ctx context.Context, begun begunOperation) (Responses, error) {
	ctx, cancel := context.WithTimeout(audit.WithCause(ctx, begun.op.Key), joinTimeLeft(begun.op))
	defer cancel()
	resp, err := r.sender.send(ctx, begun.org.ID, begun.op.Actions)
	if err == nil {
		resp.Subscription, err = r.readIfReplayed(ctx, begun, resp.Subscription)
	}
	if err == nil && begun.op.ChangesBilling() {
		return resp, r.takeover.refreshAfterCompletion(ctx, begun.op)
	}
	subs := resp.subscriptions()
	if len(subs) == 0 || IsOutcomeUnknown(err) {
		return resp, err
	}
	store := r.sync.StoreResponseOrRefresh
	if begun.isJoined {
		store = r.sync.StoreRepeatOrRefresh
	}
	return resp, cmp.Or(store(ctx, begun.org, subs...), err)
}

// joinTimeLeft returns how long a request may send the actions of the operation. The age is negative if the database's clock was set
// back after the operation began.
func joinTimeLeft(op storage.PendingOperation) time.Duration { return maxJoinAge - max(op.Age, 0) }

// readIfReplayed returns the subscription after the actions, or the zero value if the actions change no subscription. It
// reads the subscription from the provider if no response contains it. It also reads it if the operation was joined,
// because the responses may then be replays.
func (r *Runner) readIfReplayed(
	ctx context.Context, begun begunOperation, response billing.Subscription,
) (billing.Subscription, error) {
	id := cmp.Or(response.ID, begun.op.Actions[0].SubscriptionID)
	if id == "" || id == response.ID && !begun.isJoined {
		return response, nil
	}
	return r.sender.currentSubscription(ctx, id)
}

// subscriptions returns the subscriptions of the responses, newest first.
func (r Responses) subscriptions() []billing.Subscription {
	if r.Subscription.ID == "" {
		return r.endedSubs
	}
	return append([]billing.Subscription{r.Subscription}, r.endedSubs...)
}

// ExplainRefusal returns the reason why the provider has refused a request, which is more specific than the refusal. It
// refreshes our copy, which may have been out of date, and returns the error of explain for the refreshed organisation.
// If explain returns no reason, or refusal has another code, ExplainRefusal returns refusal unchanged.
func (r *Runner) ExplainRefusal(ctx context.Context, organisationID string, refusal error, explain ExplainFunc) error {
	isRefused := fault.Is(refusal, fault.Invalid) || fault.Is(refusal, fault.Conflict) || fault.Is(refusal, fault.NotFound)
	if !isRefused || errors.Is(refusal, payment.ErrKeyRetired) {
		return refusal
	}
	org, err := r.sync.Refresh(ctx, organisationID)
	if err != nil {
		return refusal
	}
	if reason := explain(ctx, org); reason != nil && !IsOutcomeUnknown(reason) {
		return reason
	}
	return refusal
}

// noResult is stored as the result of operations that created or changed neither a subscription nor a customer.
const noResult = ""

// settlement returns the settlement of the operation whose request has returned err. The outcome of the request must be
// known: an error means that the provider has refused the request. A declined charge without an error fails the operation,
// although it has created a subscription or an invoice. If an optional payment has failed, the operation is done, and
// Reason is the code of the payment's error.
func (o Outcome) settlement(op billing.Operation, err error) billing.Settlement {
	settlement := newSettlement(o.resultOf(op.Kind), err)
	switch {
	case err != nil:
	case op.CanCharge() && o.Subscription.Next.Kind == billing.NewPaymentMethod:
		settlement.Outcome, settlement.Reason = audit.Failed, string(fault.Declined)
	case o.PaymentErr != nil:
		settlement.Reason = string(fault.CodeOf(o.PaymentErr))
	}
	return settlement
}

// newSettlement returns the settlement of an operation with the result, or of one that the provider has refused with err.
func newSettlement(result string, err error) billing.Settlement {
	if err != nil {
		return billing.Settlement{Result: noResult, Outcome: audit.Refused, Reason: string(fault.CodeOf(err))}
	}
	return billing.Settlement{Result: result, Outcome: audit.Done}
}

// settle stores the settlement of the operation and returns the error of the request. If the outcome of the request is
// unknown, the operation stays pending. If the key of an action was retired, another request has taken the operation over,
// and settle returns a Conflict for the customer. A failure to settle is only logged, because the outcome is recorded
// already. Reconcile then settles the operation.
func (r *Runner) settle(ctx context.Context, op storage.PendingOperation, outcome Outcome, err error) error {
	switch {
	case errors.Is(err, payment.ErrKeyRetired):
		return fault.Wrap(err, fault.Conflict,
			"This took too long and was given up. Please look at your subscription before you try again.")
	case IsOutcomeUnknown(err):
		return err
	}
	if _, err := r.store.SettleOperation(ctx, op.Key, outcome.settlement(op.Operation, err), r.clock.Now()); err != nil {
		r.log.WarnContext(ctx, "operation done but not settled yet", "org", op.OrganisationID, "kind", op.Kind, "error", err)
	}
	return err
}

// resultOf returns the id by which a repeat of the request finds what the operation has created.
func (r Responses) resultOf(kind billing.OperationKind) string {
	switch kind {
	case billing.CustomerOperation:
		return r.Customer.ID
	case billing.SubscriptionOperation:
		return r.Subscription.ID
	case billing.DetailsOperation:
	}
	return noResult
}

// errBusy returns the Conflict for a request that is refused because another operation is pending. The other operation may
// be an earlier attempt of the same customer that has timed out.
func errBusy() error {
	return fault.Wrap(billing.ErrInProgress, fault.Conflict,
		"Another request of your organisation is still being processed. Please wait a moment and try again.")
}

// IsOutcomeUnknown reports whether the request may have taken effect in spite of the error.
func IsOutcomeUnknown(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Internal)
}
