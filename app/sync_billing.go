package app

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// syncBilling copies the provider's truth about an organisation's subscriptions. Everything that
// learns of a change, whoever told it, comes here: the news is only the reason to ask.
type syncBilling struct {
	store    storage.Organisations
	provider payment.Subscriptions
	clock    clock.Clock
	log      *slog.Logger
}

// do asks the provider and records the answer, again and again until nobody recorded in between:
// an answer that is older than what is stored never replaces it.
func (s *syncBilling) do(ctx context.Context, organisationID string) (account.Organisation, error) {
	for {
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

// since is what there is at the provider by the time of an attempt, given what there was before it
// began: the same, when nobody has recorded since.
func (s *syncBilling) since(ctx context.Context, before account.Organisation, at attempt) (account.Organisation, error) {
	if at.org.Billing.Revision == before.Billing.Revision {
		return before, nil
	}
	return s.do(ctx, at.org.ID)
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
