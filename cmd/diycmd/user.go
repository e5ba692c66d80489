package diycmd

import (
	"cmp"
	"context"
	"fmt"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/security"
)

// operatorCall is the function Do of a use case for operators.
type operatorCall = func(context.Context, security.OperatorRequest) error

// userAction is the use case of a verb of `diy user`, and the message after it has succeeded.
type userAction struct {
	useCase func(*app.UseCases) operatorCall
	done    string
}

var userVerbs = []verb[userAction]{
	{"end-sessions", []string{"email", "reason"}, []string{"by"},
		userAction{func(u *app.UseCases) operatorCall { return u.EndUserSessions.Do }, "the user is signed out everywhere"},
		"signs the user with --email out everywhere. --reason and --by are stored in the audit log."},
	{"remove-passkeys", []string{"email", "reason"}, []string{"by"},
		userAction{func(u *app.UseCases) operatorCall { return u.RemoveUserPasskeys.Do }, "all passkeys of the user are removed"},
		"removes all passkeys of --email, and signs the user out everywhere. The user is notified."},
	{"reset-two-step", []string{"email", "reason"}, []string{"by"},
		userAction{
			func(u *app.UseCases) operatorCall { return u.ResetTwoStep.Do },
			"two-step verification is off, all passkeys are removed, and the user gets a link for a new password",
		},
		"turns two-step verification of --email off, removes all passkeys, makes the password unusable, and\n" +
			"             sends a link for a new one.\n" +
			"             The user and all owners of the user's organisations are notified."},
}

// runUser runs `diy user`, which also works while servers run.
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
	return p.withOperatorUseCases(ctx, func(useCases *app.UseCases) error {
		if err := v.action.useCase(useCases)(ctx, req); err != nil {
			return err
		}
		_, err := fmt.Fprintln(p.stdout, v.action.done)
		return err
	})
}

// withOperatorUseCases calls do with use cases that do not call the payment provider. It works while servers run.
func (p program) withOperatorUseCases(ctx context.Context, do func(*app.UseCases) error) error {
	return p.withStore(ctx, openStore, func(c config, store *sqlstorage.Store) error {
		useCases, err := p.operatorUseCases(c, store)
		if err != nil {
			return err
		}
		return do(useCases)
	})
}

// operatorUseCases returns the use cases on the store, without a payment provider.
func (p program) operatorUseCases(c config, store *sqlstorage.Store) (*app.UseCases, error) {
	serverClock, err := c.commandClock()
	if err != nil {
		return nil, err
	}
	useAuditClock(store, serverClock)
	c.PublicURL = cmp.Or(c.PublicURL, localURL(c.Addr)) // used in emails
	ports := c.appPorts()
	ports.Store, ports.Clock, ports.Log = store, serverClock, newLogger(p.stderr)
	return app.New(ports), nil
}
