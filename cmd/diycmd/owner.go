package diycmd

import (
	"cmp"
	"context"
	"fmt"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/members"
)

// runOwner runs `diy owner invite`, which also works while servers run.
func (p program) runOwner(ctx context.Context, args []string) error {
	flags := p.newFlagSet("owner invite --org ID --email EMAIL --reason TEXT [--by NAME]",
		"Invites an owner to an organisation whose owners can't sign in any more, or makes a member an owner. All owners are\n"+
			"  notified. --reason and --by are stored in the audit log.")
	var req members.OwnerInvitation
	flags.Var((*pastedCode)(&req.OrganisationID), "org", "the organisation's ID")
	flags.StringVar(&req.Email, "email", "", "the email address of the new owner")
	flags.StringVar(&req.Reason, "reason", "", "why the operator acts")
	flags.StringVar(&req.Operator, "by", "", "who acts (default: the user of the operating system)")
	if _, err := parseVerbName(flags, args, "invite"); err != nil {
		return err
	}
	if err := requireFlags(flags, "org", "email", "reason"); err != nil {
		return err
	}
	req.Operator = cmp.Or(req.Operator, p.operatorName())
	return p.withOperatorUseCases(ctx, func(useCases *app.UseCases) error {
		isMember, err := useCases.InviteOwner.Do(ctx, req)
		if err != nil {
			return err
		}
		result := "an invitation is on its way, and the owners are notified"
		if isMember {
			result = "the member is an owner now, and all owners are notified"
		}
		_, err = fmt.Fprintln(p.stdout, result)
		return err
	})
}
