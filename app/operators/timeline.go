package operators

import (
	"context"
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	timelinePage   = 50   // entries of a page
	maxReadEntries = 2000 // for a page, of which the entries of operators can be a small part
)

// Group is a group of the entries of a timeline.
type Group string

// The groups. The zero Group contains all entries.
const (
	AllEntries      Group = ""
	MoneyEntries    Group = "money"
	AccountEntries  Group = "account"
	EmailEntries    Group = "emails"
	OperatorEntries Group = "operators"
)

// groupPrefixes contains the beginnings of the kinds in each group.
var groupPrefixes = map[Group][]string{
	MoneyEntries:   {"plan.", "invoice.", "payment.", "operation."},
	AccountEntries: {"user.", "member.", "organisation."},
	EmailEntries:   {"email."},
}

// kinds returns the kinds that the group restricts the entries to, or none.
func (g Group) kinds() (kinds []audit.Kind) {
	for _, kind := range audit.Kinds() {
		hasPrefix := func(prefix string) bool { return strings.HasPrefix(string(kind), prefix) }
		if slices.ContainsFunc(groupPrefixes[g], hasPrefix) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// contains reports whether an entry of the kinds belongs to the group.
func (g Group) contains(e audit.Entry) bool {
	return g != OperatorEntries || e.Actor.Kind == audit.OperatorActor
}

// Timeline is a page of the events of an organisation.
type Timeline struct {
	Entries []audit.Entry              // newest first
	Older   int64                      // the id before which the next page begins; 0 if there is none
	Pending []storage.PendingOperation // requests whose outcome is unknown yet; on the first page only
}

// ShowTimeline returns the events of an organisation. ViewOrganisation records the view.
type ShowTimeline struct {
	store interface {
		storage.AuditLog
		storage.Operations
	}
}

// Do returns the newest entries of the group whose id is below before, or the newest ones if before is 0.
func (u *ShowTimeline) Do(ctx context.Context, organisationID string, group Group, before int64) (Timeline, error) {
	if err := Require(ctx, MayViewOrganisation); err != nil {
		return Timeline{}, err
	}
	var t Timeline
	var err error
	if before == 0 {
		if t.Pending, err = u.pending(ctx, organisationID); err != nil {
			return Timeline{}, err
		}
	}
	for readCount := 0; readCount < maxReadEntries; {
		entries, err := u.store.OrganisationAuditEntries(ctx, organisationID, before, timelinePage+1, group.kinds()...)
		if err != nil {
			return Timeline{}, err
		}
		readCount += len(entries)
		for _, e := range entries {
			if len(t.Entries) == timelinePage {
				t.Older = t.Entries[timelinePage-1].ID
				return t, nil
			}
			before = e.ID
			if group.contains(e) {
				t.Entries = append(t.Entries, e)
			}
		}
		if len(entries) <= timelinePage {
			return t, nil
		}
	}
	t.Older = before
	return t, nil
}

// pending returns the pending operations of the organisation.
func (u *ShowTimeline) pending(ctx context.Context, organisationID string) (pending []storage.PendingOperation, err error) {
	for _, kind := range []billing.OperationKind{billing.SubscriptionOperation, billing.CustomerOperation, billing.DetailsOperation} {
		op, err := u.store.PendingOperation(ctx, organisationID, kind)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		pending = append(pending, op)
	}
	return pending, nil
}
