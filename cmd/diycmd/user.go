package diycmd

import (
	"cmp"
	"context"
	"fmt"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/security"
)

// userAction runs a verb of `diy user`.
type userAction = func(program, context.Context, *app.UseCases, security.OperatorRequest) error

var userVerbs = []verb[userAction]{
	{"end-sessions", []string{"email", "reason"}, []string{"by"}, program.endUserSessions,
		"signs the user with --email out everywhere. --reason and --by are stored in the audit log."},
	{"remove-passkeys", []string{"email", "reason"}, []string{"by"}, program.removeUserPasskeys,
		"removes all passkeys of --email, and signs the user out everywhere. The user is notified."},
	{"reset-two-step", []string{"email", "reason"}, []string{"by"}, program.resetTwoStep,
		"turns two-step verification of --email off, removes all passkeys, makes the password unusable, and\n" +
			"             sends a link for a new one.\n" +
			"             The user and the owner of each organisation are notified."},
}

// runUser runs `diy user`, which may be run while servers run.
func (p program) runUser(ctx context.Context, args []string) error {
	set := newVerbFlagSet(p, "user", userVerbs)
	var req security.OperatorRequest
	set.StringVar(&req.Email, "email", "", "the email address with which the user signs in")
	set.StringVar(&req.Reason, "reason", "", "why the operator acts")
	set.StringVar(&req.Operator, "by", "", "who acts (default: the user of the operating system)")
	v, err := parseVerb(set, args, userVerbs)
	if err != nil {
		return err
	}
	req.Operator = cmp.Or(req.Operator, p.operatorName())
	return p.withStore(ctx, openStore, func(c config, store *sqlstorage.Store) error {
		serverClock, err := c.commandClock()
		if err != nil {
			return err
		}
		c.PublicURL = cmp.Or(c.PublicURL, localURL(c.Addr)) // used in emails
		ports := c.appPorts()
		ports.Store, ports.Clock, ports.Log = store, serverClock, newLogger(p.stderr)
		return v.action(p, ctx, app.New(ports), req)
	})
}

func (p program) endUserSessions(ctx context.Context, u *app.UseCases, req security.OperatorRequest) error {
	if err := u.EndUserSessions.Do(ctx, req); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, "the user is signed out everywhere")
	return err
}

func (p program) removeUserPasskeys(ctx context.Context, u *app.UseCases, req security.OperatorRequest) error {
	if err := u.RemoveUserPasskeys.Do(ctx, req); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, "all passkeys of the user are removed")
	return err
}

func (p program) resetTwoStep(ctx context.Context, u *app.UseCases, req security.OperatorRequest) error {
	if err := u.ResetTwoStep.Do(ctx, req); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, "two-step verification is off, all passkeys are removed, and the user gets a link for a new password")
	return err
}
