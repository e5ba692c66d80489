package sqlstorage

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

var (
	membershipTable      = newTable[membershipRow]("memberships")
	insertMembershipSQL  = membershipTable.insertSQL()
	selectMembershipsSQL = "SELECT " + membershipTable.aliasedColumns("m") + ", o.name AS organisation_name " +
		"FROM memberships m JOIN organisations o ON o.id = m.organisation_id WHERE m.user_id = ?"
)

const useMembershipSQL = "UPDATE memberships SET last_used_at = ? WHERE user_id = ? AND organisation_id = ?"

type membershipRow struct {
	UserID         string    `db:"user_id"`
	OrganisationID string    `db:"organisation_id"`
	Role           string    `db:"role"`
	JoinedAt       timestamp `db:"joined_at"`
	LastUsedAt     timestamp `db:"last_used_at"`
}

func newMembershipRow(m account.Membership) membershipRow {
	return membershipRow{
		UserID: m.UserID, OrganisationID: m.OrganisationID, Role: string(m.Role),
		JoinedAt: newTimestamp(m.JoinedAt), LastUsedAt: newTimestamp(m.LastUsedAt),
	}
}

func (r membershipRow) membership() account.Membership {
	return account.Membership{
		UserID: r.UserID, OrganisationID: r.OrganisationID, Role: account.Role(r.Role),
		JoinedAt: r.JoinedAt.time, LastUsedAt: r.LastUsedAt.time,
	}
}

// Memberships implements storage.Memberships.
func (s *Store) Memberships(ctx context.Context, userID string) ([]account.Membership, error) {
	var rows []struct {
		Membership       membershipRow `db:"m"`
		OrganisationName string        `db:"organisation_name"`
	}
	if err := s.reader().list(ctx, &rows, selectMembershipsSQL, userID); err != nil {
		return nil, s.toFault(err)
	}
	var memberships []account.Membership
	for _, row := range rows {
		m := row.Membership.membership()
		m.OrganisationName = row.OrganisationName
		memberships = append(memberships, m)
	}
	sortByLastUse(memberships)
	return memberships, nil
}

// sortByLastUse sorts the memberships of a user, the one that was used last first.
func sortByLastUse(memberships []account.Membership) {
	slices.SortFunc(memberships, func(a, b account.Membership) int {
		return cmp.Or(b.LastUsedAt.Compare(a.LastUsedAt), cmp.Compare(a.OrganisationID, b.OrganisationID))
	})
}

// UseMembership implements storage.Memberships.
func (s *Store) UseMembership(ctx context.Context, userID, organisationID string, at time.Time) error {
	return s.write(ctx, func(c conn) error {
		count, err := c.exec(ctx, useMembershipSQL, newTimestamp(at), userID, organisationID)
		if err == nil && count == 0 {
			return fault.New(fault.NotFound, "There is no such organisation.")
		}
		return err
	})
}
