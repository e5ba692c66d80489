package diycmd

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
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

// runAudit runs `diy audit`, which may be run while servers run.
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
	if _, ok := auditFormats[f.format]; !ok {
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
	write, end := auditFormats[f.format](p.stdout)
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

// auditFormats contains functions that return how an entry is written, and how the export ends.
var auditFormats = map[string]func(io.Writer) (write func(audit.Entry) error, end func() error){
	"csv": writeAuditCSV, "json": writeAuditJSON, "ndjson": writeAuditNDJSON,
}

func writeAuditCSV(w io.Writer) (write func(audit.Entry) error, end func() error) {
	rows := csv.NewWriter(w)
	_ = rows.Write([]string{ // end reports the error
		"id", "at", "organisation", "actor_kind", "actor", "kind", "subject", "outcome", "data", "cause", "request", "note",
	})
	write = func(e audit.Entry) error {
		data := ""
		if len(e.Data) > 0 {
			text, err := json.Marshal(e.Data)
			if err != nil {
				return err
			}
			data = string(text)
		}
		return rows.Write([]string{
			strconv.FormatInt(e.ID, 10), e.At.Format(time.RFC3339Nano), e.OrganisationID, string(e.Actor.Kind), e.Actor.ID, string(e.Kind), e.Subject,
			string(e.Outcome), data, e.Cause, e.RequestID, e.Note,
		})
	}
	return write, func() error {
		rows.Flush()
		return rows.Error()
	}
}

// auditRecord is an entry in an export as JSON.
type auditRecord struct {
	ID           int64      `json:"id"`
	At           time.Time  `json:"at"`
	Organisation string     `json:"organisation,omitempty"`
	ActorKind    string     `json:"actor_kind"`
	Actor        string     `json:"actor,omitempty"`
	Kind         string     `json:"kind"`
	Subject      string     `json:"subject,omitempty"`
	Outcome      string     `json:"outcome"`
	Data         audit.Data `json:"data,omitempty"`
	Cause        string     `json:"cause,omitempty"`
	Request      string     `json:"request,omitempty"`
	Note         string     `json:"note,omitempty"`
}

func newAuditRecord(e audit.Entry) auditRecord {
	return auditRecord{
		ID: e.ID, At: e.At, Organisation: e.OrganisationID, ActorKind: string(e.Actor.Kind), Actor: e.Actor.ID, Kind: string(e.Kind),
		Subject: e.Subject, Outcome: string(e.Outcome), Data: e.Data, Cause: e.Cause, Request: e.RequestID, Note: e.Note,
	}
}

// writeAuditJSON writes an array with a line for each entry.
func writeAuditJSON(w io.Writer) (write func(audit.Entry) error, end func() error) {
	separator := "[\n"
	write = func(e audit.Entry) error {
		text, err := json.Marshal(newAuditRecord(e))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s%s", separator, text)
		separator = ",\n"
		return err
	}
	return write, func() error {
		ending := "\n]\n"
		if separator == "[\n" { // no entry was written
			ending = "[]\n"
		}
		_, err := fmt.Fprint(w, ending)
		return err
	}
}

// ecsOutcomes are the values of event.outcome in the Elastic Common Schema.
var ecsOutcomes = map[audit.Outcome]string{
	audit.Done: "success", audit.Refused: "failure", audit.Failed: "failure", audit.Unknown: "unknown",
}

func writeAuditNDJSON(w io.Writer) (write func(audit.Entry) error, end func() error) {
	lines := json.NewEncoder(w)
	write = func(e audit.Entry) error {
		line := map[string]any{
			"@timestamp": e.At, "event.id": strconv.FormatInt(e.ID, 10), "event.action": e.Kind, "event.outcome": ecsOutcomes[e.Outcome],
			"diy.actor.kind": e.Actor.Kind,
		}
		if e.Data != nil {
			line["diy.data"] = e.Data
		}
		actorField := "diy.actor.id"
		if e.Actor.Kind == audit.UserActor {
			actorField = "user.id"
		}
		for name, value := range map[string]string{
			actorField: e.Actor.ID, "organization.id": e.OrganisationID, "trace.id": e.RequestID, "diy.subject": e.Subject,
			"diy.cause": e.Cause, "diy.note": e.Note,
		} {
			if value != "" {
				line[name] = value
			}
		}
		return lines.Encode(line)
	}
	return write, func() error { return nil }
}
