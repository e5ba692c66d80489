package diycmd

import (
	"cmp"
	"context"
	"crypto/rand"
	"flag"
	"strings"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
)

// actionFlags are the flags of commands that act for an operator.
type actionFlags struct{ org, reason, ticket, note, operator string }

// The flags of actionFlags that an action requires, and those that it accepts.
var (
	actionRequiredFlags = []string{"org", "reason", "ticket"}
	actionOptionalFlags = []string{"note", "by"}
)

func (f *actionFlags) register(set *flag.FlagSet) {
	set.Var((*pastedCode)(&f.org), "org", "the organisation's ID")
	set.StringVar(&f.reason, "reason", "", "why the operator acts: "+reasonCodes())
	set.StringVar(&f.ticket, "ticket", "", "the number of the ticket")
	set.StringVar(&f.note, "note", "", "a note for the audit log, which can be erased")
	set.StringVar(&f.operator, "by", "", "who acts (default: the user of the operating system, who is stored in any case)")
}

func reasonCodes() string {
	var codes []string
	for _, r := range audit.Reasons() {
		codes = append(codes, string(r))
	}
	return strings.Join(codes, ", ")
}

// actionRequest returns the request of the flags, and a context with the operator.
func (p program) actionRequest(ctx context.Context, f actionFlags) (context.Context, operators.ActionRequest) {
	osUser := p.operatorName()
	operator := operators.CommandLine(cmp.Or(strings.TrimSpace(f.operator), osUser))
	return operators.WithOperator(ctx, operator), operators.ActionRequest{
		OrganisationID: f.org, Key: "act_" + rand.Text(), Reason: audit.Reason(f.reason), Ticket: f.ticket, Note: f.note, OSUser: osUser,
	}
}
