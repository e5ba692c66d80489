package diycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/user"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
)

// holdAction runs a verb of `diy hold`.
type holdAction = func(program, context.Context, *app.UseCases, actionFlags) error

var holdVerbs = []verb[holdAction]{
	{"list", nil, nil, program.listHolds, "lists the organisations that are on hold because a payment was disputed."},
	{"show", []string{"org"}, nil, program.showHold,
		"shows the hold and the credit of --org, its refunded and disputed payments, what was withdrawn from its credit\n" +
			"             and what it had spent before, and the audit log of its holds."},
	{"lift", actionRequiredFlags, actionOptionalFlags, program.liftHold,
		"ends the hold of --org: it can subscribe, change its plan and use its credit again. The audit log contains the\n" +
			"             reason, the ticket and the operator."},
}

// runHold runs `diy hold`. With DIY_PAYMENTS=fake it fails while a server runs, because the server uses the provider's
// file.
func (p program) runHold(ctx context.Context, args []string) error {
	set := newVerbFlagSet(p, "hold", holdVerbs)
	var f actionFlags
	f.register(set)
	v, err := parseVerb(set, args, holdVerbs)
	if err != nil {
		return err
	}
	return p.withStore(ctx, openStore, func(c config, store *sqlstorage.Store) error {
		return p.withUseCases(ctx, c, store, func(u *app.UseCases) error { return v.action(p, ctx, u, f) })
	})
}

func (p program) listHolds(ctx context.Context, u *app.UseCases, _ actionFlags) error {
	orgs, err := u.ListHolds.Do(ctx)
	if err != nil {
		return err
	}
	holds := newTable("ORGANISATION", "HOLD", "CUSTOMER", "NAME")
	for _, org := range orgs {
		holds.add(org.ID, org.Billing.Hold(), cmp.Or(org.Billing.CustomerID, "deleted"), org.Name)
	}
	return holds.write(p.stdout, "no organisation is on hold")
}

func (p program) showHold(ctx context.Context, u *app.UseCases, f actionFlags) error {
	if _, err := u.ViewOrganisation.Do(p.reader(ctx), f.org); err != nil {
		return err
	}
	return p.printHoldOf(ctx, u, f.org)
}

func (p program) printHoldOf(ctx context.Context, u *app.UseCases, organisationID string) error {
	report, err := u.ShowHold.Do(ctx, organisationID)
	if err != nil {
		return err
	}
	return p.printHold(report)
}

func (p program) liftHold(ctx context.Context, u *app.UseCases, f actionFlags) error {
	ctx, req := p.actionRequest(ctx, f)
	if err := u.LiftHold.Do(ctx, req); err != nil {
		return err
	}
	return p.printHoldOf(ctx, u, f.org)
}

// operatorName returns the name of the user who runs the command, or who runs it through sudo.
func (p program) operatorName() string {
	if name := p.env["SUDO_USER"]; name != "" {
		return name
	}
	operator, err := user.Current()
	if err != nil {
		return "unknown"
	}
	return cmp.Or(operator.Username, "uid "+operator.Uid)
}

func (p program) printHold(r app.HoldReport) error {
	state := "not on hold"
	if r.Organisation.Billing.Hold() != billing.NoHold {
		state = "on hold because a payment was disputed"
	}
	_, _ = fmt.Fprintf(p.stdout, "%s (%s) is %s%s\n",
		r.Organisation.Name, r.Organisation.ID, state, describeHeldCredit(r.Customer))
	payments := newTable("PAYMENT", "RETURNED BY", "RETURNED", "WITHDRAWN", "SPENT", "CHANGED")
	for _, payment := range r.ReturnedPayments {
		payments.add(payment.Payment, describeReturn(payment), payment.Amount, payment.Withdrawn, payment.Spent, payment.At)
	}
	lifts := newTable("AT", "OPERATOR", "ACTION", "REASON", "TICKET", "NOTE")
	for _, e := range r.Lifts {
		lifts.add(e.At, e.Actor.ID, "hold lifted", e.Data["reason"], e.Data["ticket"], e.Note)
	}
	_, _ = fmt.Fprintln(p.stdout)
	err := payments.write(p.stdout, "no payment was refunded or disputed")
	_, _ = fmt.Fprintln(p.stdout)
	return errors.Join(err, lifts.write(p.stdout, "no hold was lifted"))
}

// describeHeldCredit returns the end of a sentence about the customer's credit, or "" if there is no credit.
func describeHeldCredit(c billing.Customer) string {
	switch {
	case c.HeldCredit.Minor() > 0:
		return fmt.Sprintf("; a credit of %s is not used meanwhile", c.HeldCredit)
	case c.Credit.Minor() > 0:
		return fmt.Sprintf("; it has a credit of %s", c.Credit)
	}
	return ""
}

// describeReturn returns "refund" for a refunded payment, and the status of the dispute for a disputed one.
func describeReturn(r billing.ReturnedPayment) string {
	if r.Dispute == billing.NoDispute {
		return "refund"
	}
	return "dispute, " + string(r.Dispute)
}
