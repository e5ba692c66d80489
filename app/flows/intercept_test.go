package flows

import (
	"context"
	"sync"
	"time"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// hookPhase selects whether a hook runs before or after the effect of a call.
type hookPhase string

const (
	beforeEffect hookPhase = "before"
	afterEffect  hookPhase = "after"
)

// hook is a function that runs before and after the effect of every call. Its error replaces the result of the call.
type hook func(c call, phase hookPhase) error

// call is a call of a server to its store or its provider.
type call struct {
	index int // the number of earlier calls of the server
	name  string
}

// interceptor runs a hook around every call of one server to its store and its provider.
type interceptor struct {
	mu    sync.Mutex
	names []string // the names of the calls so far, in order
	hook  hook
}

// newInterceptedServer returns a server whose calls run the hook, and its interceptor.
func (env *testEnv) newInterceptedServer(h hook) (*app.UseCases, *interceptor) {
	i := &interceptor{hook: h}
	return env.NewApp(&interceptedStore{Store: env.Store, interceptor: i}, flakypayment.New(env.Provider, i.providerFault)), i
}

// recordCall records a call.
func (i *interceptor) recordCall(name string) call {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.names = append(i.names, name)
	return call{index: len(i.names) - 1, name: name}
}

// intercept runs the hook around a call to the store.
func intercept[T any](i *interceptor, name string, do func() (T, error)) (T, error) {
	var zero T
	c := i.recordCall(name)
	if err := i.hook(c, beforeEffect); err != nil {
		return zero, err
	}
	value, err := do()
	if hookErr := i.hook(c, afterEffect); hookErr != nil {
		return zero, hookErr
	}
	return value, err
}

// providerFault returns a fault that runs the hook around a call to the provider.
func (i *interceptor) providerFault(c flakypayment.Call) flakypayment.Fault {
	return func(ctx context.Context, r *flakypayment.Request) error {
		c := i.recordCall(c.Method)
		if err := i.hook(c, beforeEffect); err != nil {
			return err
		}
		r.Execute(ctx)
		return i.hook(c, afterEffect)
	}
}

var errInjected = fault.New(fault.Unavailable, "injected failure")

// noFault lets every call succeed.
func noFault(call, hookPhase) error { return nil }

// failCall fails the call with the index.
func failCall(index int, phase hookPhase) hook {
	return func(c call, currentPhase hookPhase) error {
		if c.index == index && currentPhase == phase {
			return errInjected
		}
		return nil
	}
}

// failCallsNamed fails all calls with the name.
func failCallsNamed(name string, phase hookPhase) hook {
	return func(c call, currentPhase hookPhase) error {
		if c.name == name && currentPhase == phase {
			return errInjected
		}
		return nil
	}
}

// failFrom fails the call with the index and all later calls, as if the server had been killed.
func failFrom(index int, phase hookPhase) hook {
	return func(c call, currentPhase hookPhase) error {
		if c.index > index || c.index == index && (currentPhase == phase || currentPhase == afterEffect) {
			return errInjected
		}
		return nil
	}
}

// runAt runs fn before or after the effect of the call with the index.
func runAt(index int, phase hookPhase, fn func()) hook {
	return func(c call, currentPhase hookPhase) error {
		if c.index == index && currentPhase == phase {
			fn()
		}
		return nil
	}
}

// interceptedStore intercepts the store calls of the use cases around payments.
type interceptedStore struct {
	storage.Store
	interceptor *interceptor
}

func (s *interceptedStore) CreateSignUp(ctx context.Context, signUp storage.SignUp) error {
	_, err := intercept(s.interceptor, "CreateSignUp",
		func() (struct{}, error) { return struct{}{}, s.Store.CreateSignUp(ctx, signUp) })
	return err
}

func (s *interceptedStore) Organisation(ctx context.Context, id string) (account.Organisation, error) {
	return intercept(s.interceptor, "Organisation", func() (account.Organisation, error) { return s.Store.Organisation(ctx, id) })
}

func (s *interceptedStore) UpdateOrganisation(
	ctx context.Context, id string, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	return intercept(s.interceptor, "UpdateOrganisation", func() (account.Organisation, error) {
		return s.Store.UpdateOrganisation(ctx, id, fn)
	})
}

func (s *interceptedStore) UpdateBilling(
	ctx context.Context, id string, r storage.BillingUpdate, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	return intercept(s.interceptor, "UpdateBilling",
		func() (account.Organisation, error) { return s.Store.UpdateBilling(ctx, id, r, fn) })
}

func (s *interceptedStore) BeginOperation(
	ctx context.Context, op billing.Operation, revision int64,
) (storage.PendingOperation, error) {
	return intercept(s.interceptor, "BeginOperation",
		func() (storage.PendingOperation, error) { return s.Store.BeginOperation(ctx, op, revision) })
}

func (s *interceptedStore) PendingOperation(
	ctx context.Context, id string, kind billing.OperationKind,
) (storage.PendingOperation, error) {
	return intercept(s.interceptor, "PendingOperation",
		func() (storage.PendingOperation, error) { return s.Store.PendingOperation(ctx, id, kind) })
}

func (s *interceptedStore) SettleOperation(ctx context.Context, key string, settlement billing.Settlement, at time.Time) (bool, error) {
	return intercept(s.interceptor, "SettleOperation",
		func() (bool, error) { return s.Store.SettleOperation(ctx, key, settlement, at) })
}

func (s *interceptedStore) OperationSucceeded(ctx context.Context, query storage.OperationQuery) (bool, error) {
	return intercept(s.interceptor, "OperationSucceeded", func() (bool, error) { return s.Store.OperationSucceeded(ctx, query) })
}

func (s *interceptedStore) RecordEvent(ctx context.Context, e storage.ReceivedEvent) error {
	_, err := intercept(s.interceptor, "RecordEvent", func() (struct{}, error) {
		return struct{}{}, s.Store.RecordEvent(ctx, e)
	})
	return err
}
