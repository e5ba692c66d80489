package operators

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// ListRefusals returns which actions are not possible for an organisation, and why. It runs the decisions of the actions on what is
// stored, without the payment provider.
type ListRefusals struct {
	store interface {
		storage.Organisations
		storage.Invoices
	}
	refund *RefundInvoice
	// refusals contains a function for each other action that can be refused, by the kind of its entry.
	refusals map[audit.Kind]func(context.Context, account.Organisation) error
}

// newListRefusals returns the use case for the actions of the use cases.
func newListRefusals(p Ports, u UseCases) *ListRefusals {
	return &ListRefusals{
		store: p.Store, refund: u.RefundInvoice,
		refusals: map[audit.Kind]func(context.Context, account.Organisation) error{
			audit.OperatorExtendedTrial: u.ExtendTrial.refusal,
			audit.OperatorEndedPlan:     u.EndPlan.refusal,
			audit.OperatorGrantedMonth:  u.GrantFreeMonth.refusal,
			audit.OperatorLiftedHold:    u.LiftHold.refusal,
			audit.OperatorGrantedLicense: func(_ context.Context, o account.Organisation) error {
				return o.Billing.CheckGrantDevLicense()
			},
			audit.OperatorEndedLicense: func(_ context.Context, o account.Organisation) error {
				return o.Billing.CheckEndDevLicense()
			},
			audit.OperatorResentEmail: func(ctx context.Context, o account.Organisation) error {
				_, err := u.ResendEmail.listPossible(ctx, o.ID)
				return err
			},
			audit.OperatorSentCode: func(ctx context.Context, o account.Organisation) error {
				_, err := u.SendCallerCode.members(ctx, o.ID)
				return err
			},
			audit.OperatorCheckedCaller: func(ctx context.Context, o account.Organisation) error {
				_, _, err := u.EnterCallerCode.open(ctx, o.ID)
				return err
			},
		},
	}
}

// Do returns the reason for each action that is refused, by the kind of the action's entry in the audit log. invoices
// are the newest invoices, newest first; nil stands for the stored ones.
func (u *ListRefusals) Do(ctx context.Context, organisationID string, invoices []billing.Invoice) (map[audit.Kind]error, error) {
	if err := Require(ctx, MayViewOrganisation); err != nil {
		return nil, err
	}
	org, err := u.store.Organisation(ctx, organisationID)
	if err != nil {
		return nil, err
	}
	if invoices == nil {
		if invoices, err = u.store.Invoices(ctx, organisationID); err != nil {
			return nil, err
		}
	}
	refusals := map[audit.Kind]error{audit.OperatorRefunded: u.refund.refusal(org, invoices)}
	for kind, refusal := range u.refusals {
		refusals[kind] = refusal(ctx, org)
	}
	for kind, err := range refusals {
		switch {
		case err == nil:
			delete(refusals, kind)
		case !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Unsupported):
			return nil, err
		}
	}
	return refusals, nil
}
