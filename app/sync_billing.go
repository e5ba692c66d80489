package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// syncBilling copies the provider's truth about an organisation's subscriptions. Everything that
// learns of a change, whoever told it, comes here: the news is only the reason to ask.
type syncBilling struct {
	store    storage.Organisations
	provider payment.Subscriptions
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
		stored, err := s.record(ctx, org, subs...)
		if !fault.Is(err, errOvertaken.Code) || ctx.Err() != nil {
			return stored, err
		}
	}
}

// keep records one subscription that the provider returned to a request made at the given state
// of the organisation; when somebody recorded meanwhile it asks afresh.
func (s *syncBilling) keep(ctx context.Context, seen account.Organisation, sub billing.Subscription) error {
	_, err := s.record(ctx, seen, sub)
	if fault.Is(err, errOvertaken.Code) {
		_, err = s.do(ctx, seen.ID)
	}
	return err
}

// errOvertaken never leaves this file.
var errOvertaken = fault.New("overtaken", "somebody recorded in between")

func (s *syncBilling) record(ctx context.Context, seen account.Organisation, subs ...billing.Subscription) (account.Organisation, error) {
	return s.store.UpdateOrganisation(ctx, seen.ID, func(o *account.Organisation) error {
		if o.Billing.Revision != seen.Billing.Revision {
			return errOvertaken
		}
		o.Billing.Record(subs...)
		return nil
	})
}
