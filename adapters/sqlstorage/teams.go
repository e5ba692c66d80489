package sqlstorage

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	selectMembersSQL = "SELECT " + membershipTable.aliasedColumns("m") + `, u.first_name, u.last_name, u.email,
		u.verified_at IS NOT NULL AS is_verified,
		EXISTS (SELECT 1 FROM memberships others
			WHERE others.user_id = m.user_id AND others.organisation_id <> m.organisation_id) AS has_others
		FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organisation_id = ?`
	selectMembersOfOrganisationsSQL = strings.TrimSuffix(selectMembersSQL, "= ?") + "IN (?)"

	invitationTable            = newTable[invitationRow]("invitations")
	insertInvitationSQL        = invitationTable.insertSQL()
	selectInvitationsSQL       = invitationTable.selectSQL("WHERE organisation_id = ?")
	selectInvitationByTokenSQL = invitationTable.selectSQL("WHERE token_hash = ?")
)

const (
	updateRoleSQL       = "UPDATE memberships SET role = ? WHERE user_id = ? AND organisation_id = ?"
	deleteMembershipSQL = "DELETE FROM memberships WHERE user_id = ? AND organisation_id = ?"
	countMembershipsSQL = "SELECT COUNT(*) FROM memberships WHERE user_id = ?"
	deleteInvitationSQL = "DELETE FROM invitations WHERE id = ?"
	sweepInvitationsSQL = "DELETE FROM invitations WHERE expires_at < ?"
	limitInvitationsSQL = "UPDATE invitations SET expires_at = ? WHERE expires_at > ?"
	lockOrganisationSQL = "SELECT id FROM organisations WHERE id = ?"

	selectUnverifiedOfEmailSQL = "SELECT id FROM users WHERE email_key = ? AND verified_at IS NULL"
	updateContactEmailsSQL     = `UPDATE organisations SET
		check_at = CASE WHEN contact_email = ? OR customer_id IS NULL THEN check_at ELSE ? END,
		contact_email = ?, member_emails = ? WHERE id = ?`
)

type memberRow struct {
	Membership membershipRow `db:"m"`
	FirstName  string        `db:"first_name"`
	LastName   string        `db:"last_name"`
	Email      string        `db:"email"`
	IsVerified bool          `db:"is_verified"`
	HasOthers  bool          `db:"has_others"`
}

type invitationRow struct {
	ID             string    `db:"id"`
	OrganisationID string    `db:"organisation_id"`
	Email          string    `db:"email"`
	Role           string    `db:"role"`
	TokenHash      string    `db:"token_hash"`
	InviterID      string    `db:"inviter_id"`
	ExpiresAt      timestamp `db:"expires_at"`
}

func newInvitationRow(i account.Invitation) invitationRow {
	return invitationRow{
		ID: i.ID, OrganisationID: i.OrganisationID, Email: i.Email, Role: string(i.Role), TokenHash: i.TokenHash,
		InviterID: i.InviterID, ExpiresAt: newTimestamp(i.ExpiresAt),
	}
}

func (r invitationRow) invitation() account.Invitation {
	return account.Invitation{
		ID: r.ID, OrganisationID: r.OrganisationID, Email: r.Email, Role: account.Role(r.Role), TokenHash: r.TokenHash,
		InviterID: r.InviterID, ExpiresAt: r.ExpiresAt.time,
	}
}

// Team implements storage.Teams.
func (s *Store) Team(ctx context.Context, organisationID string) (team account.Team, err error) {
	err = s.read(ctx, func(c conn) error {
		team, err = c.readTeam(ctx, organisationID, "")
		return err
	})
	return team, err
}

// readTeam reads the team. It locks the organisation if lock is conn.forUpdate.
func (c conn) readTeam(ctx context.Context, organisationID, lock string) (account.Team, error) {
	team := account.Team{}
	if err := c.get(ctx, "organisation", &team.OrganisationID, lockOrganisationSQL+lock, organisationID); err != nil {
		return team, err
	}
	var err error
	if team.Members, err = c.readMembers(ctx, organisationID); err != nil {
		return team, err
	}
	var invitations []invitationRow
	if err := c.list(ctx, &invitations, selectInvitationsSQL, organisationID); err != nil {
		return team, err
	}
	for _, row := range invitations {
		team.Invitations = append(team.Invitations, row.invitation())
	}
	slices.SortFunc(team.Invitations, func(a, b account.Invitation) int {
		return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.ID, b.ID))
	})
	return team, nil
}

// readMembers reads the members of a team in the order in which they joined.
func (c conn) readMembers(ctx context.Context, organisationID string) (members []account.Member, err error) {
	var rows []memberRow
	if err := c.list(ctx, &rows, selectMembersSQL, organisationID); err != nil {
		return nil, err
	}
	return newMembers(rows), nil
}

// readMembersByOrganisation reads the members of several organisations with one query.
func (c conn) readMembersByOrganisation(ctx context.Context, organisationIDs []string) (map[string][]account.Member, error) {
	query, args, err := sqlx.In(selectMembersOfOrganisationsSQL, organisationIDs)
	if err != nil {
		return nil, err
	}
	var rows []memberRow
	if err := c.list(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	members := map[string][]account.Member{}
	for _, m := range newMembers(rows) {
		members[m.OrganisationID] = append(members[m.OrganisationID], m)
	}
	return members, nil
}

// newMembers returns the members in the order in which they joined.
func newMembers(rows []memberRow) (members []account.Member) {
	for _, row := range rows {
		members = append(members, account.Member{
			Membership: row.Membership.membership(), FirstName: row.FirstName, LastName: row.LastName, Email: row.Email,
			Verified: row.IsVerified, HasOtherOrganisations: row.HasOthers,
		})
	}
	slices.SortFunc(members, func(a, b account.Member) int {
		return cmp.Or(a.JoinedAt.Compare(b.JoinedAt), cmp.Compare(a.UserID, b.UserID))
	})
	return members
}

// saveContactEmails updates the organisation's email addresses to those of its members. It reads the members' addresses
// again, because a member may have changed the address after the caller read it. If the contact email changes,
// saveContactEmails sets the time of the billing check to now; the check sends the new address to the payment provider.
func (c conn) saveContactEmails(ctx context.Context, organisationID string, now time.Time) error {
	members, err := c.readMembers(ctx, organisationID)
	if err != nil {
		return err
	}
	team := account.Team{OrganisationID: organisationID, Members: members}
	email := team.ContactEmail()
	_, err = c.exec(ctx, updateContactEmailsSQL, email, newTimestamp(now), email, strings.Join(team.BillingEmails(), " "), organisationID)
	return err
}

// UpdateTeam implements storage.Teams. It locks the organisation and then the users whom it removes.
func (s *Store) UpdateTeam(
	ctx context.Context, organisationID string, now time.Time, change func(*account.Team) (storage.TeamEffects, error),
) (account.Team, error) {
	var newTeam account.Team
	var newUser userRow
	err := s.write(ctx, func(c conn) error {
		oldTeam, err := c.readTeam(ctx, organisationID, c.forUpdate)
		if err != nil {
			return err
		}
		newTeam = oldTeam
		newTeam.Members, newTeam.Invitations = slices.Clone(oldTeam.Members), slices.Clone(oldTeam.Invitations)
		effects, err := change(&newTeam)
		if err != nil {
			return callerError{err}
		}
		if effects.NewUser != nil {
			newUser = newUserRow(*effects.NewUser)
			if err := c.addInvitedUser(ctx, newUser); err != nil {
				return err
			}
		}
		if err := c.saveTeam(ctx, oldTeam, newTeam); err != nil {
			return err
		}
		if err := c.saveAddresses(ctx, oldTeam, newTeam, now); err != nil {
			return err
		}
		if err := c.addAuditEntries(ctx, newTeam.Entries...); err != nil {
			return err
		}
		newTeam.Entries = nil
		return c.addTeamEmails(ctx, organisationID, effects, now)
	})
	if err != nil {
		return account.Team{}, s.uniqueViolationToDuplicate(ctx, err, organisationRow{}, newUser)
	}
	return newTeam, nil
}

// addTeamEmails puts emails about an organisation into the outbox.
func (c conn) addTeamEmails(ctx context.Context, organisationID string, effects storage.TeamEffects, now time.Time) error {
	for _, email := range effects.Emails {
		row := newEmailColumns(email.Message, now)
		row.OrganisationID, row.ExpiresAt = notNull(organisationID), newTimestamp(email.ExpiresAt)
		row.conditionColumns = newConditionColumns(email.Condition)
		if err := c.save(ctx, insertEmailSQL, row); err != nil {
			return err
		}
	}
	return nil
}

// addInvitedUser deletes the unverified registrations with the user's address and stores the user.
func (c conn) addInvitedUser(ctx context.Context, user userRow) error {
	var ids []string
	if err := c.list(ctx, &ids, selectUnverifiedOfEmailSQL, user.EmailKey); err != nil {
		return err
	}
	slices.Sort(ids)
	for _, id := range ids {
		if _, err := c.deleteRegistration(ctx, id); err != nil && !isConcurrentChange(err) {
			return err
		}
	}
	return c.save(ctx, insertUserSQL, user.userColumns)
}

// saveInvitations stores the invitations that are new or have changed, and deletes the others that the old team has.
func (c conn) saveInvitations(ctx context.Context, oldTeam, newTeam account.Team) error {
	for _, old := range oldTeam.Invitations {
		if !slices.Contains(newTeam.Invitations, old) {
			if _, err := c.exec(ctx, deleteInvitationSQL, old.ID); err != nil {
				return err
			}
		}
	}
	for _, invitation := range newTeam.Invitations {
		if !slices.Contains(oldTeam.Invitations, invitation) {
			if err := c.save(ctx, insertInvitationSQL, newInvitationRow(invitation)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c conn) saveTeam(ctx context.Context, oldTeam, newTeam account.Team) error {
	if err := c.saveInvitations(ctx, oldTeam, newTeam); err != nil {
		return err
	}
	for _, member := range newTeam.Members {
		if err := c.saveMember(ctx, oldTeam, member); err != nil {
			return err
		}
	}
	for _, old := range oldTeam.Members {
		if _, isMember := newTeam.Member(old.UserID); !isMember {
			if err := c.deleteMember(ctx, old); err != nil {
				return err
			}
		}
	}
	return nil
}

// saveAddresses updates the email addresses and search terms of the organisation after a change of its members, and deletes the
// preferences about emails of the members who were removed.
func (c conn) saveAddresses(ctx context.Context, oldTeam, newTeam account.Team, now time.Time) error {
	if slices.Equal(oldTeam.Members, newTeam.Members) {
		return nil
	}
	if err := c.saveContactEmails(ctx, oldTeam.OrganisationID, now); err != nil {
		return err
	}
	if err := c.syncMemberTerms(ctx, oldTeam.OrganisationID); err != nil {
		return err
	}
	for _, old := range oldTeam.Members {
		if _, isMember := newTeam.Member(old.UserID); isMember {
			continue
		}
		if err := c.deleteDeclinedNotices(ctx, oldTeam.OrganisationID, old.Email); err != nil {
			return err
		}
	}
	return nil
}

// saveMember stores a new member or a changed role.
func (c conn) saveMember(ctx context.Context, oldTeam account.Team, member account.Member) error {
	old, wasMember := oldTeam.Member(member.UserID)
	switch {
	case !wasMember:
		return c.save(ctx, insertMembershipSQL, newMembershipRow(member.Membership))
	case old.Role != member.Role:
		_, err := c.exec(ctx, updateRoleSQL, string(member.Role), member.UserID, member.OrganisationID)
		return err
	}
	return nil
}

// deleteMember deletes the membership and its sessions. It also deletes a user without another membership. The user is
// locked, so that a concurrent transaction that adds the user to another organisation either has committed before, or
// finds no user.
func (c conn) deleteMember(ctx context.Context, member account.Member) error {
	var user userRow
	if err := c.get(ctx, "user", &user, selectUserSQL+c.forUpdate, member.UserID); err != nil {
		return err
	}
	if _, err := c.exec(ctx, deleteMembershipSQL, member.UserID, member.OrganisationID); err != nil {
		return err
	}
	var count int
	if err := c.get(ctx, "membership", &count, countMembershipsSQL, member.UserID); err != nil || count > 0 {
		return err
	}
	for _, statement := range deleteUserStatements {
		if _, err := c.exec(ctx, statement, member.UserID); err != nil {
			return err
		}
	}
	return nil
}

// Invitation implements storage.Teams.
func (s *Store) Invitation(ctx context.Context, tokenHash string) (account.Invitation, error) {
	var row invitationRow
	if err := s.reader().get(ctx, "invitation", &row, selectInvitationByTokenSQL, tokenHash); err != nil {
		return account.Invitation{}, s.toFault(err)
	}
	return row.invitation(), nil
}

// SweepInvitations implements storage.Teams.
func (s *Store) SweepInvitations(ctx context.Context, before, latest time.Time) error {
	return s.sweepTokens(ctx, sweepInvitationsSQL, limitInvitationsSQL, before, latest)
}
