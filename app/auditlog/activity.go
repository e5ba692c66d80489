package auditlog

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/identity"
)

// MemberLeft is the kind of an activity that the audit log records as a removal: the member removed themselves.
const MemberLeft audit.Kind = "member.left"

// activityPageSize is the number of activities in a page.
const activityPageSize = 20

// ShowActivity returns the part of the audit log that an organisation sees.
type ShowActivity struct{ store Store }

// Activity is an entry of the audit log as the organisation sees it: without ids, networks and names of operators.
type Activity struct {
	ID     int64
	At     time.Time
	Kind   audit.Kind
	Actor  ActivityActor
	Name   string // the actor's, if it is a member
	Member string // the name of the member that a change of a member is about, or ""
	Data   audit.Data
}

// ActivityActor is who did something, from the customer's point of view.
type ActivityActor string

// The actors of activities.
const (
	MemberActivity   ActivityActor = "member" // also a former one, whose name is ""
	SupportActivity  ActivityActor = "support"
	ProviderActivity ActivityActor = "provider" // a payment or a date; no person
)

// Do returns the activities of the caller's organisation with an ID below before, or the newest if before is 0, and
// whether there are older ones. It is for members who manage the billing. They see the names of the current members.
func (u *ShowActivity) Do(ctx context.Context, caller identity.Identity, before int64) (page []Activity, hasMore bool, err error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return nil, false, err
	}
	team, err := u.store.Team(ctx, caller.OrganisationID)
	if err != nil {
		return nil, false, err
	}
	entries, err := u.read(ctx, caller.OrganisationID, before)
	if err != nil {
		return nil, false, err
	}
	for _, e := range entries.shown[:min(len(entries.shown), activityPageSize)] {
		page = append(page, newActivity(e, entries.requests, team))
	}
	return page, len(entries.shown) > activityPageSize, nil
}

// read returns the entries of a page and, if there are more, at least one further entry.
func (u *ShowActivity) read(ctx context.Context, organisationID string, before int64) (activityEntries, error) {
	const batchSize = 5 * activityPageSize
	kinds := append(audit.CustomerKinds(), audit.OperationBegun, audit.OperationSettled)
	read := activityEntries{requests: map[string]audit.Actor{}, running: map[string]string{}}
	for len(read.shown) <= activityPageSize {
		entries, err := u.store.OrganisationAuditEntries(ctx, organisationID, before, batchSize, kinds...)
		if err != nil {
			return activityEntries{}, err
		}
		for _, e := range entries {
			read.add(e)
		}
		if len(entries) < batchSize {
			break
		}
		before = entries[len(entries)-1].ID
	}
	return read, nil
}

// activityEntries collects the entries of an organisation's activity, newest first.
type activityEntries struct {
	shown    []audit.Entry
	requests map[string]audit.Actor // the actors of the operations near the shown entries, by their keys
	running  map[string]string      // the keys of the operations that run at the time of the next entry, by their results
}

// add adds the next older entry.
func (a *activityEntries) add(e audit.Entry) {
	switch {
	case e.Kind == audit.OperationSettled:
		a.running[e.Data["result"]] = e.Cause
	case e.Kind == audit.OperationBegun:
		a.requests[e.Cause] = e.Actor
		maps.DeleteFunc(a.running, func(_, key string) bool { return key == e.Cause })
	case isForCustomers(e):
		if key := a.running[e.Subject]; key != "" && e.Subject != "" && e.Actor == audit.Provider {
			e.Cause = key // an event has reported the result before the response to the request
		}
		a.shown = append(a.shown, e)
	}
}

// isForCustomers returns false for an invoice without an amount, such as that of a trial, and for actions that were not
// carried out.
func isForCustomers(e audit.Entry) bool {
	hasNoAmount := e.Kind == audit.InvoiceIssued && strings.HasPrefix(e.Data["amount"], "0 ")
	return e.Outcome == audit.Done && !hasNoAmount
}

// newActivity returns the entry as the team sees it. If the provider reports the result of a request, the actor is the
// member or operator who made the request.
func newActivity(e audit.Entry, requests map[string]audit.Actor, team account.Team) Activity {
	actor := e.Actor
	if by, ok := requests[e.Cause]; ok && e.Cause != "" {
		actor = by
	}
	if actor == audit.Visitor { // of a registration or an invitation
		actor = audit.User(e.Subject)
	}
	a := Activity{ID: e.ID, At: e.At, Kind: e.Kind, Actor: ProviderActivity, Data: e.Data}
	switch actor.Kind {
	case audit.UserActor:
		a.Actor, a.Name = MemberActivity, memberName(team, actor.ID)
	case audit.OperatorActor:
		a.Actor = SupportActivity
	case audit.VisitorActor, audit.ProviderActor, audit.SystemActor:
	}
	if e.Kind == audit.MemberRemoved && actor == audit.User(e.Subject) {
		a.Kind = MemberLeft
	}
	if strings.HasPrefix(string(e.Kind), "member.") {
		a.Member = memberName(team, e.Subject)
	}
	return a
}

// memberName returns the name of the member, or "" for a user who is no member any more.
func memberName(team account.Team, userID string) string {
	m, ok := team.Member(userID)
	if !ok {
		return ""
	}
	return m.FullName()
}
