package operators

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// The largest lengths of the texts of an ActionRequest, in characters.
const (
	maxTicket = 64
	maxNote   = 200
)

// ActionRequest contains the parameters of every action. The operator is in the context.
type ActionRequest struct {
	OrganisationID string
	Key            string // of the form or of the command; requests with the same key act once
	Reason         audit.Reason
	Ticket         string
	Note           string // optional
	OSUser         string // the user of the operating system who runs a command; "" in the console
	// Figures is Effect.Digest of the form that the operator has seen. If it is not "" and the figures have changed, the
	// request is refused.
	Figures string
}

// check returns the request without surrounding spaces, or Invalid.
func (req ActionRequest) check() (ActionRequest, error) {
	req.Ticket, req.Note = strings.TrimSpace(req.Ticket), strings.TrimSpace(req.Note)
	var fields fault.Fields
	fields.Check(req.Key != "" && audit.Code(req.Key) == req.Key, "key", "The form is incomplete. Open it again")
	fields.Check(req.Reason.Label() != "", "reason", "Choose a reason")
	fields.Check(req.Ticket != "", "ticket", "Enter the number of the ticket")
	fields.Check(utf8.RuneCountInString(req.Ticket) <= maxTicket && audit.Code(req.Ticket) == req.Ticket, "ticket",
		"Enter only the number of the ticket, without names and addresses")
	fields.Check(utf8.RuneCountInString(req.Note) <= maxNote, "note", "The note is too long")
	return req, fields.Err()
}

// checkFigures returns ErrFiguresChanged unless the effect is the one that the operator has seen.
func (req ActionRequest) checkFigures(e Effect) error {
	if req.Figures != "" && req.Figures != e.Digest() {
		return ErrFiguresChanged
	}
	return nil
}

// entry returns the entry of the audit log for the request.
func (req ActionRequest) entry(ctx context.Context, kind audit.Kind) *audit.Entry {
	data := audit.Data{"reason": string(req.Reason), "ticket": req.Ticket}
	if req.OSUser != "" {
		data["os_user"] = audit.Code(req.OSUser)
	}
	return &audit.Entry{
		OrganisationID: req.OrganisationID, Actor: audit.ActorFromContext(ctx), Kind: kind, Data: data, Cause: req.Key, Note: req.Note,
	}
}

// Figure is a figure of an action, as a form shows it.
type Figure struct{ Label, Value string }

// Effect describes an action before it is made.
type Effect struct {
	Figures []Figure
	Warning string // "" for none
}

// Digest returns a text that is equal for equal figures.
func (e Effect) Digest() string {
	var b strings.Builder
	for _, f := range e.Figures {
		b.WriteString(f.Label + "\x1f" + f.Value + "\x1e")
	}
	return b.String()
}

func (e *Effect) add(label, value string) { e.Figures = append(e.Figures, Figure{label, value}) }

// ErrFiguresChanged is the error of a request with other figures than the current ones.
var ErrFiguresChanged = fault.New(fault.Conflict, "The figures have changed since you opened the form. Look at them again.")

// decision is the decision about a request of an operator.
type decision struct {
	effect  Effect
	actions []billing.Action
	subject string     // of the entry
	data    audit.Data // of the entry
}

// decider decides a request about an organisation.
type decider func(ctx context.Context, org account.Organisation) (decision, error)

// billingAction is a use case that changes the billing of an organisation. The page of the organisation, the form and its
// confirmation run the same decision.
type billingAction struct {
	runner     actionRunner
	permission Permission
	kind       audit.Kind // of its entry
	// decide needs only what is stored.
	decide decider
	// describe adds figures that the payment provider reports to the effect. It may be nil.
	describe func(ctx context.Context, org account.Organisation, d *decision) error
}

// Preview returns the effect, or the reason why the action is refused. It reads the organisation from the provider first.
func (a billingAction) Preview(ctx context.Context, organisationID string) (Effect, error) {
	if err := Require(ctx, a.permission); err != nil {
		return Effect{}, err
	}
	return a.runner.preview(ctx, organisationID, a.decideAndDescribe)
}

// Do makes the change. It returns the errors of Preview. A repeat with the same key changes nothing.
func (a billingAction) Do(ctx context.Context, req ActionRequest) error {
	if err := Require(ctx, a.permission); err != nil {
		return err
	}
	return a.runner.run(ctx, a.kind, req, nil, a.decideAndDescribe)
}

func (a billingAction) decideAndDescribe(ctx context.Context, org account.Organisation) (decision, error) {
	d, err := a.decide(ctx, org)
	if err == nil && a.describe != nil {
		err = a.describe(ctx, org, &d)
	}
	return d, err
}

// refusal returns the reason why the action is refused for the stored copy of the organisation, or nil.
func (a billingAction) refusal(ctx context.Context, org account.Organisation) error {
	d, err := a.decide(ctx, org)
	if err != nil {
		return err
	}
	return a.runner.capabilities.CheckActions(d.actions)
}

// actionRunner runs the actions of operators that need the payment provider.
type actionRunner struct {
	store interface {
		storage.Organisations
		storage.AuditLog
	}
	provider interface {
		payment.Customers
		payment.Invoices
		payment.Support
	}
	capabilities payment.Capabilities
	ops          *operation.Runner
	// refresh reads the organisation from the provider. If the customer was deleted there, it removes the customer.
	refresh func(ctx context.Context, organisationID string) (account.Organisation, error)
	log     *slog.Logger
}

// preview returns the effect of an action, or the reason why it is refused.
func (r actionRunner) preview(ctx context.Context, organisationID string, decide decider) (Effect, error) {
	org, err := r.refresh(ctx, organisationID)
	if err != nil {
		return Effect{}, err
	}
	d, err := decide(ctx, org)
	if err == nil {
		err = r.capabilities.CheckActions(d.actions)
	}
	return d.effect, err
}

// run carries out an action in an operation, which a crash leaves pending and the reconciler completes. parameters identify
// the action besides the key. A repeat with the same key changes nothing.
func (r actionRunner) run(ctx context.Context, kind audit.Kind, req ActionRequest, parameters []string, decide decider) error {
	return actOnce(ctx, r.store, req, func(req ActionRequest) error {
		ctx, cancel := operation.Detach(ctx, timeouts.Request)
		defer cancel()
		entry := req.entry(ctx, kind)
		requestData := entry.Data
		_, err := r.ops.Run(ctx, operation.Request{
			OrganisationID: req.OrganisationID, Kind: billing.SubscriptionOperation, Key: req.Key, Entry: entry,
			Parameters: slices.Concat([]string{string(kind), req.Key}, parameters),
			Decide: func(ctx context.Context) (account.Organisation, []billing.Action, error) {
				org, d, err := r.decide(ctx, req, decide)
				entry.Subject, entry.Data = audit.Code(d.subject), mergeData(requestData, d.data)
				return org, d.actions, err
			},
		})
		if err == nil {
			logAction(ctx, r.log, kind, req)
		}
		return err
	})
}

// logAction logs an action that was made.
func logAction(ctx context.Context, log *slog.Logger, kind audit.Kind, req ActionRequest) {
	log.InfoContext(ctx, "action of an operator", "org", req.OrganisationID, "kind", kind, "key", req.Key)
}

// decide reads the organisation from the provider and decides the request. It returns ErrFiguresChanged if the effect is no
// longer the one that the operator has confirmed.
func (r actionRunner) decide(
	ctx context.Context, req ActionRequest, decide decider,
) (org account.Organisation, d decision, err error) {
	if org, err = r.refresh(ctx, req.OrganisationID); err != nil {
		return org, d, err
	}
	d, err = decide(ctx, org)
	if err == nil {
		err = req.checkFigures(d.effect)
	}
	return org, d, err
}

// findEntry returns the entry of an earlier request with the key. isRepeat is false if there is none. findEntry returns Conflict
// if the earlier request was refused, or if its outcome is unknown.
func findEntry(ctx context.Context, store storage.AuditLog, organisationID, key string) (entry audit.Entry, isRepeat bool, err error) {
	const maxEntriesOfCause = 100
	entries, err := store.AuditEntries(ctx, storage.AuditQuery{OrganisationID: organisationID, Cause: key, Limit: maxEntriesOfCause})
	for _, e := range entries {
		switch {
		case e.Actor.Kind != audit.OperatorActor || !strings.HasPrefix(string(e.Kind), "operator."):
		case e.Outcome == audit.Unknown:
			return audit.Entry{}, false, fault.New(fault.Conflict,
				"The payment provider did not report whether this action was made. Open the form again and look at the figures.")
		case e.Outcome != audit.Done:
			return audit.Entry{}, false, fault.New(fault.Conflict, "This action was refused before. Open the form again.")
		default:
			return e, true, nil
		}
	}
	return audit.Entry{}, false, err
}

// actOnce calls act with the checked request, unless an earlier request had the same key. act adds the entry of the
// action in the transaction of the change. Of two concurrent requests with the same key, the second therefore finds the
// entry or the change of the first, and fails without an effect. actOnce returns nil for the second request.
func actOnce(ctx context.Context, store storage.AuditLog, req ActionRequest, act func(ActionRequest) error) error {
	req, err := req.check()
	if err != nil {
		return err
	}
	if _, isRepeat, err := findEntry(ctx, store, req.OrganisationID, req.Key); err != nil || isRepeat {
		return err
	}
	err = act(req)
	if err == nil {
		return nil
	}
	if _, isRepeat, findErr := findEntry(ctx, store, req.OrganisationID, req.Key); findErr == nil && isRepeat {
		return nil
	}
	return err
}

func mergeData(data, more audit.Data) audit.Data {
	merged := audit.Data{}
	maps.Copy(merged, data)
	maps.Copy(merged, more)
	return merged
}

// doneEntries returns the entries of a kind about actions that were done.
func (r actionRunner) doneEntries(ctx context.Context, query storage.AuditQuery) (done []audit.Entry, err error) {
	const pageSize = 100
	query.Limit = pageSize
	for {
		entries, err := r.store.AuditEntries(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Outcome == audit.Done {
				done = append(done, e)
			}
		}
		if len(entries) < pageSize {
			return done, nil
		}
		query.AfterID = entries[len(entries)-1].ID
	}
}
