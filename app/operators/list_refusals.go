package operators

import (
	"cmp"
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// ListRefusals returns which actions are not possible for an organisation, and why. It calls no provider; the form of an action
// decides again.
type ListRefusals struct {
	runner actionRunner
	store  storage.Invoices
	clock  clock.Clock
	resend *ResendEmail

	sendCode  *SendCallerCode
	enterCode *EnterCallerCode
}

// Do returns the reason for each action that is refused, by the kind of the action's entry in the audit log. invoices
// are the newest invoices, newest first; nil stands for the stored ones.
func (u *ListRefusals) Do(ctx context.Context, organisationID string, invoices []billing.Invoice) (map[audit.Kind]error, error) {
	if err := Require(ctx, MayViewOrganisation); err != nil {
		return nil, err
	}
	org, err := u.runner.store.Organisation(ctx, organisationID)
	if err != nil {
		return nil, err
	}
	if invoices == nil {
		if invoices, err = u.store.Invoices(ctx, organisationID); err != nil {
			return nil, err
		}
	}
	refusals := map[audit.Kind]error{}
	for kind, check := range map[audit.Kind]func(context.Context, account.Organisation) error{
		audit.OperatorExtendedTrial:  u.checkTrial,
		audit.OperatorEndedPlan:      u.checkEnd,
		audit.OperatorRefunded:       func(_ context.Context, o account.Organisation) error { return u.checkRefund(o, invoices) },
		audit.OperatorGrantedMonth:   u.checkFreeMonth,
		audit.OperatorLiftedHold:     checkLiftHold,
		audit.OperatorGrantedLicense: func(_ context.Context, o account.Organisation) error { return o.Billing.CheckGrantDevLicense() },
		audit.OperatorResentEmail:    u.checkResend,
		audit.OperatorSentCode: func(ctx context.Context, o account.Organisation) error {
			_, err := u.sendCode.members(ctx, o.ID)
			return err
		},
		audit.OperatorCheckedCaller: func(ctx context.Context, o account.Organisation) error {
			_, _, err := u.enterCode.open(ctx, o.ID)
			return err
		},
		audit.OperatorEndedLicense: func(_ context.Context, o account.Organisation) error { return o.Billing.CheckEndDevLicense() },
	} {
		err := check(ctx, org)
		switch {
		case fault.Is(err, fault.Conflict), fault.Is(err, fault.Unsupported):
			refusals[kind] = err
		case err != nil:
			return nil, err
		}
	}
	return refusals, nil
}

// checkCapability returns Unsupported if the provider can't perform actions of the kind.
func (u *ListRefusals) checkCapability(kind billing.ActionKind) error {
	return u.runner.capabilities.CheckActions([]billing.Action{{Kind: kind}})
}

func (u *ListRefusals) checkTrial(ctx context.Context, org account.Organisation) error {
	if err := u.checkCapability(billing.ExtendTrialAction); err != nil {
		return err
	}
	_, _, err := (&ExtendTrial{runner: u.runner}).check(ctx, org)
	return err
}

func (u *ListRefusals) checkEnd(ctx context.Context, org account.Organisation) error {
	_, err := (&EndPlan{runner: u.runner, clock: u.clock}).decide(ctx, org)
	return err
}

func (u *ListRefusals) checkFreeMonth(ctx context.Context, org account.Organisation) error {
	if err := u.checkCapability(billing.AddCreditAction); err != nil {
		return err
	}
	count, err := (&GrantFreeMonth{runner: u.runner, clock: u.clock}).count(ctx, org)
	if err != nil {
		return err
	}
	_, err = billing.FreeMonth(&org.Billing, count)
	return err
}

// checkRefund returns nil if a payment of an invoice can be refunded, or else the refusal of the newest invoice.
func (u *ListRefusals) checkRefund(org account.Organisation, invoices []billing.Invoice) error {
	if err := u.checkCapability(billing.RefundAction); err != nil {
		return err
	}
	var refusal error
	for _, inv := range invoices {
		err := billing.CheckRefund(&org.Billing, inv)
		if err == nil {
			return nil
		}
		refusal = cmp.Or(refusal, err)
	}
	return cmp.Or(refusal, errNoInvoices())
}

func (u *ListRefusals) checkResend(ctx context.Context, org account.Organisation) error {
	_, err := u.resend.possible(ctx, org.ID)
	return err
}

func checkLiftHold(_ context.Context, org account.Organisation) error {
	_, err := billing.DecideLiftHold(&org.Billing)
	return err
}
