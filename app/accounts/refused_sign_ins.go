package accounts

import (
	"context"
	"strconv"
	"sync"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// maxRefusedSignIns limits the memory of refusedSignIns. Further ones of other users and networks are not counted.
const maxRefusedSignIns = 10_000

// refusedSignIns counts wrong passwords and refused passkeys of existing users by user and network. They are written to the
// audit log in the background: an entry for each would reveal by the response time whether an address has an account, and
// let an attacker fill the table.
type refusedSignIns struct {
	mu     sync.Mutex
	counts map[refusedSignIn]int
}

// refusedSignIn is the key under which refused sign-ins are counted.
type refusedSignIn struct {
	userID, organisationID string
	method                 identity.Method
	network                string
}

// add counts a refused sign-in, unless there is no user.
func (r *refusedSignIns) add(user account.User, method identity.Method, network string) {
	if user.ID == "" {
		return
	}
	r.addCount(refusedSignIn{user.ID, user.OrganisationID, method, network}, 1)
}

func (r *refusedSignIns) addCount(key refusedSignIn, count int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[refusedSignIn]int{}
	}
	if _, ok := r.counts[key]; ok || len(r.counts) < maxRefusedSignIns {
		r.counts[key] += count
	}
}

// take returns the counts and resets them.
func (r *refusedSignIns) take() map[refusedSignIn]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := r.counts
	r.counts = nil
	return counts
}

// RecordRefusedSignIns writes the refused sign-ins of this server to the audit log. Run it every ten seconds.
type RecordRefusedSignIns struct {
	refused *refusedSignIns
	store   storage.AuditLog
}

// Do returns the number of entries. After an error the next call repeats them.
func (u *RecordRefusedSignIns) Do(ctx context.Context) (int, error) {
	counts := u.refused.take()
	var entries []audit.Entry
	for key, count := range counts {
		data := audit.Data{"method": string(key.method), "count": strconv.Itoa(count)}
		if key.network != "" {
			data["network"] = key.network
		}
		entries = append(entries, audit.Entry{
			OrganisationID: key.organisationID, Actor: audit.Visitor, Kind: audit.SignInsRefused, Subject: key.userID,
			Outcome: audit.Refused, Data: data,
		})
	}
	if len(entries) == 0 {
		return 0, nil
	}
	if err := u.store.AddAuditEntries(ctx, entries...); err != nil {
		for key, count := range counts {
			u.refused.addCount(key, count)
		}
		return 0, err
	}
	return len(entries), nil
}
