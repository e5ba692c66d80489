package app

import (
	"context"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// maxSyncAttempts limits how often the provider is read again because another server has recorded a
// report in the meantime.
const maxSyncAttempts = 4

// billingSync updates our copy of an organisation's subscriptions with the provider's report. It is
// the only writer of subscriptions.
type billingSync struct {
	store interface {
		storage.Organisations
		storage.Invoices
	}
	provider interface {
		payment.Subscriptions
		payment.Invoices
	}
	clock  clock.Clock
	log    *slog.Logger
	emails *billingEmails // nil sends none

	mu      sync.Mutex
	running map[string]*refresh // by organisation
}

// refresh is one update of an organisation, shared by all callers that arrived before it began.
type refresh struct {
	done chan struct{} // closed when org and err are set
	org  account.Organisation
	err  error
	next *refresh // begins when this one has ended; nil while no caller waits for it
}

// refresh reads the provider's report, records it and returns the organisation. One refresh runs for
// each organisation at a time. A caller that arrives while one is running shares the next one with
// all others that arrive until it begins, so the report is never older than the call.
func (s *billingSync) refresh(ctx context.Context, organisationID string) (account.Organisation, error) {
	r := s.join(ctx, organisationID)
	select {
	case <-r.done:
		return r.org, r.err
	case <-ctx.Done():
		return account.Organisation{}, fault.Wrap(ctx.Err(), fault.Unavailable, noAnswer)
	}
}

// describeTimeout limits how long a request that only shows data waits for the provider.
const describeTimeout = 3 * time.Second

// refreshIfStale returns the organisation for requests that only show data. It refreshes a copy that is stale,
// so that a trial ends on time without an event. If the provider does not answer in time, it returns the stale
// copy.
func (s *billingSync) refreshIfStale(ctx context.Context, organisationID string) (account.Organisation, error) {
	org, err := s.store.Organisation(ctx, organisationID)
	if err != nil || !org.Billing.Stale(s.clock.Now()) {
		return org, err
	}
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	fresh, err := s.refresh(ctx, org.ID)
	if err != nil {
		s.log.WarnContext(ctx, "showing the last known subscription", "org", org.ID, "error", err)
		return org, nil
	}
	return fresh, nil
}

// refreshForPurchase returns the organisation for planning a purchase. It skips the refresh before the first
// subscription of an organisation: our copy contains every subscription that this application created, and
// the provider refuses a step with First if the customer ever had another one.
func (s *billingSync) refreshForPurchase(ctx context.Context, organisationID string) (account.Organisation, error) {
	org, err := s.store.Organisation(ctx, organisationID)
	if err != nil || len(org.Billing.Subscriptions) == 0 {
		return org, err
	}
	return s.refresh(ctx, organisationID)
}

// join starts a refresh, or returns the one after the running one.
func (s *billingSync) join(ctx context.Context, organisationID string) *refresh {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		s.running = map[string]*refresh{}
	}
	running := s.running[organisationID]
	if running == nil {
		r := &refresh{done: make(chan struct{})}
		s.running[organisationID] = r
		go s.run(context.WithoutCancel(ctx), organisationID, r)
		return r
	}
	if running.next == nil {
		running.next = &refresh{done: make(chan struct{})}
	}
	return running.next
}

// run executes the refresh and starts the next one if a caller waits for it. It doesn't end when its
// callers stop waiting.
func (s *billingSync) run(ctx context.Context, organisationID string, r *refresh) {
	defer s.end(ctx, organisationID, r)
	limited, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	defer func() { s.logPanic(ctx, organisationID, recover()) }()
	r.err = errNoAnswer() // the result of a panic
	r.org, r.err = s.fetch(limited, organisationID)
}

// logPanic logs a recovered panic, if there was one.
func (s *billingSync) logPanic(ctx context.Context, organisationID string, p any) {
	if p != nil {
		s.log.ErrorContext(ctx, "panic while reading from the provider", "org", organisationID, "panic", p, "stack", string(debug.Stack()))
	}
}

const noAnswer = "The payment provider did not answer. Please try again."

func errNoAnswer() error { return fault.New(fault.Unavailable, noAnswer) }

func (s *billingSync) end(ctx context.Context, organisationID string, r *refresh) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, organisationID)
	if r.next != nil {
		s.running[organisationID] = r.next
		go s.run(ctx, organisationID, r.next)
	}
	close(r.done)
}

// fetch reads the provider's report of subscriptions and invoices, and stores it with the emails about it.
// If another report was stored in between, it starts again, because an older report must not replace a
// newer one. Without the invoices nothing is stored: the caller repeats the refresh.
func (s *billingSync) fetch(ctx context.Context, organisationID string) (account.Organisation, error) {
	for range maxSyncAttempts {
		org, err := s.store.Organisation(ctx, organisationID)
		if err != nil || org.Billing.CustomerID == "" {
			return org, err
		}
		subs, invoices, err := s.read(ctx, org)
		if err != nil {
			return org, err
		}
		report := s.report(org, subs, invoices)
		stored, err := s.storeReport(ctx, org, report, subs)
		if fault.Is(err, errOutdatedReport.Code) {
			continue
		}
		if err == nil && len(report.Invoices) > 0 {
			s.warnOfSeveralOpen(ctx, org.ID, invoices.all())
		}
		return stored, err
	}
	return account.Organisation{}, fault.New(fault.Unavailable, "Your subscription is changing at the moment. Please try again.")
}

// withoutForeign removes subscriptions to products that are not in the catalogue. The provider's
// account may be used for other products, which grant no license.
func (s *billingSync) withoutForeign(ctx context.Context, org account.Organisation, subs []billing.Subscription) []billing.Subscription {
	return slices.DeleteFunc(slices.Clone(subs), func(sub billing.Subscription) bool {
		foreign := sub.Price.Product == ""
		if foreign {
			s.log.InfoContext(ctx, "subscription to a foreign product", "org", org.ID, "subscription", sub.ID)
		}
		return foreign
	})
}

// record stores the subscriptions, newest first, that the provider returned in response to a request.
// before is the organisation as it was read before the request. If another report was stored since, it
// refreshes the copy instead.
func (s *billingSync) record(ctx context.Context, before account.Organisation, subs ...billing.Subscription) error {
	_, err := s.storeResponse(ctx, before, subs)
	if fault.Is(err, errOutdatedReport.Code) {
		_, err = s.refresh(ctx, before.ID)
	}
	return err
}

// current returns the subscription that a step of the attempt returned. An attempt that has joined an
// operation may have received a replayed response, so it reads the subscription again.
func (s *billingSync) current(ctx context.Context, at attempt, response billing.Subscription) (billing.Subscription, error) {
	if !at.joined {
		return response, nil
	}
	return s.provider.Subscription(ctx, response.ID)
}

// errOutdatedReport is returned by update when the organisation was changed after it was read. Callers of
// billingSync don't receive it.
var errOutdatedReport = fault.New("outdated report", "the organisation was changed after it was read")

// storeReport stores what the provider has reported in a refresh.
func (s *billingSync) storeReport(
	ctx context.Context, before account.Organisation, report storage.Report, subs []billing.Subscription,
) (account.Organisation, error) {
	return s.update(ctx, before, report, subs, func(a *billing.Account) {
		if len(report.Invoices) > 0 {
			a.Revision++ // an older list of invoices must not replace this one
		}
	})
}

// storeResponse stores the subscriptions in the response to a request. It has no list of invoices, so the next
// check reads a new one.
func (s *billingSync) storeResponse(
	ctx context.Context, before account.Organisation, subs []billing.Subscription,
) (account.Organisation, error) {
	return s.update(ctx, before, storage.Report{}, subs, func(a *billing.Account) {
		a.CheckNewInvoice(&before.Billing, s.clock.Now())
	})
}

// update stores the subscriptions and the report in one transaction, and then changes the account.
func (s *billingSync) update(
	ctx context.Context, before account.Organisation, report storage.Report, subs []billing.Subscription, then func(*billing.Account),
) (account.Organisation, error) {
	var surplus []string
	stored, err := s.store.RecordReport(ctx, before.ID, report, func(o *account.Organisation) error {
		if o.Billing.Revision != before.Billing.Revision {
			return errOutdatedReport
		}
		o.Billing.Record(subs...)
		o.Billing.ScheduleCheck(s.clock.Now())
		then(&o.Billing)
		surplus = o.Billing.Surplus
		return nil
	})
	if err == nil && len(surplus) > 0 {
		stored.Billing.Surplus = surplus // it is not stored
		s.log.ErrorContext(ctx, "an organisation pays for more than one subscription: cancel and refund one at the provider",
			"org", before.ID, "customer", before.Billing.CustomerID, "license", stored.Billing.License().ID, "surplus", surplus)
	}
	return stored, err
}
