// Package storagetest is the conformance suite for implementations of storage.Store. A test of the adapter calls Run
// with a Harness. A function of the Harness is nil if the database does not support it. The suite logs which scenarios
// it reduces or skips for that reason.
package storagetest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vc-admin/diy/ports/storage"
)

// Harness opens the stores under test.
type Harness struct {
	// Open returns an empty store and closes it at the end of the test.
	Open func(t *testing.T) storage.Store
	// OpenShared opens another store on the data of s, which Open returned, as a second or restarted server does. It is nil if
	// only one store can use the data.
	OpenShared func(t *testing.T, s storage.Store) storage.Store
	// UseClock makes the store measure claims and the ages of operations with now instead of the database's clock.
	UseClock func(t *testing.T, s storage.Store, now func() time.Time)
	// Close closes a store before the end of its test. It is nil if a store can't be closed.
	Close func(t *testing.T, s storage.Store)
}

// sharedStores returns the store and, if the harness supports it, a second one on the same data.
func (h Harness) sharedStores(t *testing.T, s storage.Store) []storage.Store {
	if h.OpenShared == nil {
		t.Log("Harness.OpenShared is nil: concurrency is tested with one store")
		return []storage.Store{s}
	}
	return []storage.Store{s, h.OpenShared(t, s)}
}

// workers is the number of goroutines of runConcurrently.
const workers = 20

// runConcurrently runs work in all workers simultaneously and waits for them. It distributes the workers over the stores
// that sharedStores returns.
func (h Harness) runConcurrently(t *testing.T, s storage.Store, work func(worker int, store storage.Store)) {
	t.Helper()
	stores := h.sharedStores(t, s)
	var wg sync.WaitGroup
	start := make(chan struct{})
	for worker := range workers {
		wg.Go(func() {
			<-start
			work(worker, stores[worker%len(stores)])
		})
	}
	close(start)
	wg.Wait()
}

type scenario struct {
	name string
	test func(t *testing.T, h Harness)
}

// Run runs the conformance suite, each scenario on a new store.
func Run(t *testing.T, h Harness) {
	for _, s := range slices.Concat(signUpScenarios, registrationScenarios, organisationScenarios, billingCheckScenarios, subscriptionScenarios,
		userScenarios, verificationScenarios, passwordResetScenarios, credentialsScenarios, teamScenarios, emailConfirmationScenarios, emailPreferenceScenarios,
		unreachableEmailScenarios, emailScenarios, finishedEmailScenarios, callerCheckScenarios, operationScenarios, paymentScenarios, invoiceScenarios, recordScenarios, auditScenarios, attentionScenarios, searchScenarios, trialCardScenarios, privacyScenarios,
		failureScenarios) {
		t.Run(s.name, func(t *testing.T) { s.test(t, h) })
	}
}
