package diycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// auditFlags are the flags of all verbs of `diy audit`.
type auditFlags struct{ format, org, actor, request, from, before, operator string }

// auditAction runs a verb of `diy audit`.
type auditAction = func(program, context.Context, auditlog.UseCases, auditFlags) error

var auditVerbs = []verb[auditAction]{
	{"verify", nil, nil, program.verifyAuditLog,
		"compares the entries with their seals and prints the last seals. It fails if an entry was altered, added or\n" +
			"             deleted. Compare the printed hashes with the lines \"audit log sealed\" of the server's log."},
	{"export", nil, []string{"format", "org", "actor", "request", "from", "before", "by"}, program.exportAuditLog,
		"prints the entries, all or those that match the options. The export is an entry itself."},
}

// runAudit runs `diy audit`, which also works while servers run.
func (p program) runAudit(ctx context.Context, args []string) error {
	set := newVerbFlagSet(p, "audit", auditVerbs)
	var f auditFlags
	set.StringVar(&f.format, "format", "csv", "csv, json or ndjson, whose fields are those of the Elastic Common Schema")
	set.Var((*pastedCode)(&f.org), "org", "the organisation's ID")
	set.StringVar(&f.actor, "actor", "", "the ID of a user, or the name of an operator")
	set.Var((*pastedCode)(&f.request), "request", "the ID of a request, as in X-Request-Id")
	set.StringVar(&f.from, "from", "", "the first day, such as 2026-11-01, in UTC")
	set.StringVar(&f.before, "before", "", "the day after the last one, in UTC")
	set.StringVar(&f.operator, "by", "", "who exports (default: the user of the operating system)")
	v, err := parseVerb(set, args, auditVerbs)
	if err != nil {
		return err
	}
	if _, ok := auditlog.Formats[f.format]; !ok {
		return usageError(set, "--format must be csv, json or ndjson")
	}
	return p.withStore(ctx, openStore, func(c config, store *sqlstorage.Store) error {
		serverClock, err := c.commandClock()
		if err != nil {
			return err
		}
		useAuditClock(store, serverClock)
		return v.action(p, ctx, auditlog.New(store, serverClock, newLogger(p.stderr)), f)
	})
}

func (p program) verifyAuditLog(ctx context.Context, u auditlog.UseCases, _ auditFlags) error {
	var problems []error
	seals := newTable("CLASS", "SEAL", "SEALED", "ENTRIES", "DELETED", "HASH")
	for _, class := range audit.Classes() {
		result, err := u.VerifyAuditLog.Do(ctx, class)
		if err != nil {
			return err
		}
		problems = append(problems, result.Problems...)
		if result.Last.Number > 0 {
			seals.add(class, result.Last.Number, result.Last.SealedAt, result.Entries, result.Deleted, result.Last.Hash)
		}
	}
	return errors.Join(append(problems, seals.write(p.stdout, "the audit log has no seals yet"))...)
}

func (p program) exportAuditLog(ctx context.Context, u auditlog.UseCases, f auditFlags) error {
	from, fromErr := parseDay(f.from)
	before, beforeErr := parseDay(f.before)
	if err := cmp.Or(fromErr, beforeErr); err != nil {
		return err
	}
	query := storage.AuditQuery{OrganisationID: f.org, Actor: f.actor, RequestID: f.request, From: from, Before: before}
	write, end := auditlog.Formats[f.format](p.stdout)
	ctx = audit.WithActor(ctx, audit.Operator(cmp.Or(f.operator, p.operatorName())))
	if err := u.ExportAuditLog.Do(ctx, query, f.format, write); err != nil {
		return err
	}
	return end()
}

// parseDay returns the start of the day in UTC, or the zero time for "".
func parseDay(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no day such as 2026-11-01", text)
	}
	return day, nil
}
