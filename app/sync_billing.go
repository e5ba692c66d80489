package app

import (
	"context"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// lookTries is how often the provider is asked again because another server recorded in between.
const lookTries = 4

// syncBilling copies the provider's report on an organisation's subscriptions. Everything that
// learns of a change comes here: the news is only the reason to ask.
type syncBilling struct {
	store    storage.Organisations
	provider payment.Subscriptions
	clock    clock.Clock
	log      *slog.Logger

	mu      sync.Mutex
	looking map[string]*look // by organisation: the look that is under way
}

// look is one look at an organisation's subscriptions, shared by everyone who asked before it began.
type look struct {
	done chan struct{} // closed when org and err are set
	org  account.Organisation
	err  error
	next *look // begins after this one; nil while nobody waits for it
}

// do asks the provider and records the answer. One look is under way for each organisation, and what
// it finds is never older than the question: whoever asks while one is under way gets the next one,
// together with everyone else who asks until that begins.
func (s *syncBilling) do(ctx context.Context, organisationID string) (account.Organisation, error) {
	l := s.join(ctx, organisationID)
	select {
	case <-l.done:
		return l.org, l.err
	case <-ctx.Done():
		return account.Organisation{}, fault.Wrap(ctx.Err(), fault.Unavailable, "The payment provider did not answer. Please try again.")
	}
}

func (s *syncBilling) join(ctx context.Context, organisationID string) *look {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looking == nil {
		s.looking = map[string]*look{}
	}
	running := s.looking[organisationID]
	if running == nil {
		l := &look{done: make(chan struct{})}
		s.looking[organisationID] = l
		go s.run(context.WithoutCancel(ctx), organisationID, l)
		return l
	}
	if running.next == nil {
		running.next = &look{done: make(chan struct{})}
	}
	return running.next
}

// run looks, and has the next look begin if somebody has asked meanwhile. It does not end with the
// callers: each waits as long as it likes.
func (s *syncBilling) run(ctx context.Context, organisationID string, l *look) {
	defer s.end(ctx, organisationID, l)
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			s.log.ErrorContext(ctx, "panic while asking the provider", "org", organisationID, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	l.err = fault.New(fault.Unavailable, "The payment provider did not answer. Please try again.") // unless it does
	l.org, l.err = s.look(within, organisationID)
}

func (s *syncBilling) end(ctx context.Context, organisationID string, l *look) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.looking, organisationID)
	if l.next != nil {
		s.looking[organisationID] = l.next
		go s.run(ctx, organisationID, l.next)
	}
	close(l.done)
}

// look asks the provider and records the answer, again while others record in between: an answer
// that is older than what is stored never replaces it.
func (s *syncBilling) look(ctx context.Context, organisationID string) (account.Organisation, error) {
	for range lookTries {
		org, err := s.store.Organisation(ctx, organisationID)
		if err != nil || org.Billing.CustomerID == "" {
			return org, err
		}
		subs, err := s.provider.ListSubscriptions(ctx, org.Billing.CustomerID)
		if err != nil {
			return org, err
		}
		stored, err := s.record(ctx, org, s.ours(ctx, org, subs)...)
		if !fault.Is(err, errOvertaken.Code) {
			return stored, err
		}
	}
	return account.Organisation{}, fault.New(fault.Unavailable, "Your subscription is changing at the moment. Please try again.")
}

// ours leaves out subscriptions to things that are not in any catalogue of ours: somebody may sell
// the same customer something else at the provider, and that is no license of ours.
func (s *syncBilling) ours(ctx context.Context, org account.Organisation, subs []billing.Subscription) []billing.Subscription {
	return slices.DeleteFunc(slices.Clone(subs), func(sub billing.Subscription) bool {
		foreign := sub.Price.Product == ""
		if foreign {
			s.log.InfoContext(ctx, "subscription to a foreign product", "org", org.ID, "subscription", sub.ID)
		}
		return foreign
	})
}

// keep records the subscriptions, newest first, that the provider returned to a request made at
// the given state of the organisation; when somebody recorded meanwhile it asks afresh.
func (s *syncBilling) keep(ctx context.Context, seen account.Organisation, subs ...billing.Subscription) error {
	_, err := s.record(ctx, seen, subs...)
	if fault.Is(err, errOvertaken.Code) {
		_, err = s.do(ctx, seen.ID)
	}
	return err
}

// now is the provider's answer to an attempt as it is now: who joined a request that had its effect
// long since is given the old answer again.
func (s *syncBilling) now(ctx context.Context, at attempt, answer billing.Subscription, err error) (billing.Subscription, error) {
	if err != nil || !at.joined {
		return answer, err
	}
	return s.provider.Subscription(ctx, answer.ID)
}

// errOvertaken never leaves this file.
var errOvertaken = fault.New("overtaken", "somebody recorded in between")

func (s *syncBilling) record(ctx context.Context, seen account.Organisation, subs ...billing.Subscription) (account.Organisation, error) {
	var surplus []string
	stored, err := s.store.UpdateOrganisation(ctx, seen.ID, func(o *account.Organisation) error {
		if o.Billing.Revision != seen.Billing.Revision {
			return errOvertaken
		}
		o.Billing.Record(subs...)
		o.Billing.CheckAt = o.Billing.NextCheck(s.clock.Now())
		surplus = o.Billing.Surplus
		return nil
	})
	if err == nil && len(surplus) > 0 {
		stored.Billing.Surplus = surplus // the database has no place for it
		s.log.ErrorContext(ctx, "an organisation pays for more than one subscription: end one at the provider and pay it back",
			"org", seen.ID, "customer", seen.Billing.CustomerID, "license", stored.Billing.License().ID, "surplus", surplus)
	}
	return stored, err
}
