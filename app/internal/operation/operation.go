// Package operation runs requests that must take effect at the payment provider only once. Runner.Run has three steps:
//
//	begin: decide the actions ─► store the operation with its actions
//	send: send the actions, each with its own idempotency key ─► record the responses
//	settle: store the result of the operation
//
// If the account's revision has changed since the decision, begin does not store the operation and decides the request
// again. If the outcome of the request is unknown, the operation is not settled.
//
// After a crash or a timeout the operation stays pending. A repeat of the same request joins it and sends the same
// actions again. A different request for the same kind of operation is refused until the operation is old enough to be
// taken over, by the next request or by app.Reconcile (takeover.go). A takeover retires the keys of all actions
// (payment.Fence), so that no delayed request can act any more. It then reads the provider's report, and settles the
// operation with the subscription that the report shows as its result. If no action can charge, a takeover completes the
// actions instead, and a different request may do so after completionAge.
// The age of an operation is measured with the database's clock, and decides only when a takeover is tried. A request
// stops when the provider refuses its key as retired. No database transaction is open during a call to the provider.
package operation

import (
	"log/slog"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/trialcards"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Store is the part of the database that operations use.
type Store interface {
	storage.Organisations
	storage.Operations
	storage.PaymentAttempts
}

// Provider is the part of the provider that carries out actions and stops them.
type Provider interface {
	actionProvider
	takeoverProvider
}

// Runner runs requests that must take effect at the provider only once.
type Runner struct {
	store        operationStore
	capabilities payment.Capabilities
	clock        clock.Clock
	sender       actionSender
	sync         *billingsync.Sync
	takeover     *takeover
	log          *slog.Logger
}

// operationStore is the part of Store that contains organisations and operations.
type operationStore interface {
	storage.Organisations
	storage.Operations
}

// Ports contains the dependencies of a Runner.
type Ports struct {
	Store        Store
	Provider     Provider
	Capabilities payment.Capabilities
	Sync         *billingsync.Sync
	Clock        clock.Clock
	Log          *slog.Logger
	TrialCards   trialcards.Guard
	// The pages to which pages of the provider send customers back, see app.Ports.
	ReturnURL, MethodReturnURL string
}

// New returns a Runner.
func New(p Ports) *Runner {
	sender := actionSender{
		store: p.Store, clock: p.Clock, log: p.Log, provider: p.Provider, capabilities: p.Capabilities,
		attemptLimiter: attemptLimiter{store: p.Store, clock: p.Clock, log: p.Log}, sync: p.Sync,
		trialCards: p.TrialCards, returnURL: p.ReturnURL, methodReturnURL: p.MethodReturnURL,
	}
	return &Runner{
		store: p.Store, capabilities: p.Capabilities, clock: p.Clock, sender: sender, sync: p.Sync,
		takeover: &takeover{
			store: p.Store, provider: p.Provider, capabilities: p.Capabilities, sender: sender, sync: p.Sync, clock: p.Clock,
		},
		log: p.Log,
	}
}
