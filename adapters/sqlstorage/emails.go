package sqlstorage

import (
	"context"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// The database assigns ascending ids, so that emails of the same time keep their order. Emails about accounts precede
// notices, because a user is waiting for them.
var (
	emailTable         = newTable[emailRow]("emails")
	insertEmailSQL     = newTable[emailColumns]("emails").insertSQL()
	selectDueEmailsSQL = emailTable.selectSQL(isDueSQL + " ORDER BY notice_kind IS NOT NULL, created_at, id LIMIT ?")
	selectEmailSQL     = emailTable.selectSQL("WHERE id = ?")

	emailRequestTable        = newTable[emailRequestRow]("email_requests")
	insertEmailRequestSQL    = newTable[emailRequestColumns]("email_requests").insertSQL()
	selectDueEmailRequestSQL = emailRequestTable.selectSQL(isDueSQL + " ORDER BY requested_at, id LIMIT 1")
)

const (
	// isDueSQL selects rows that are due and not claimed; see dueArgs.
	isDueSQL = "WHERE (due_at <= ? OR due_at > ?) AND (claimed_until IS NULL OR claimed_until <= ? OR claimed_until > ?)"

	claimEmailsSQL   = "UPDATE emails SET attempts = attempts + 1, claimed_until = ? WHERE id IN (?)"
	postponeEmailSQL = "UPDATE emails SET due_at = ?, refused_at = ?, claimed_until = NULL WHERE id = ? AND attempts = ?"
	deleteEmailSQL   = "DELETE FROM emails WHERE id = ?"

	countLinksSQL = `SELECT (SELECT COUNT(*) FROM invitations WHERE token_hash = ?)
		+ (SELECT COUNT(*) FROM email_changes WHERE token_hash = ?) + (SELECT COUNT(*) FROM password_resets WHERE token_hash = ?)`

	restartRegistrationSQL = "UPDATE users SET created_at = ? WHERE id = ? AND verified_at IS NULL"
	extendVerificationsSQL = "UPDATE verifications SET expires_at = ? WHERE user_id = ?"

	claimEmailRequestSQL    = "UPDATE email_requests SET claimed_until = ? WHERE id = ?"
	postponeEmailRequestSQL = "UPDATE email_requests SET due_at = ?, claimed_until = NULL WHERE id = ?"
	deleteEmailRequestSQL   = "DELETE FROM email_requests WHERE id = ?"
)

// maxPromptDelivery is the delay of an email for a sign-up after which its registration is extended.
const maxPromptDelivery = time.Minute

// dueArgs returns the arguments of isDueSQL. now is the time of the application's clock, databaseNow that of the
// database's. A due time or a claim that lies too far in the future was computed with a wrong clock, and is ignored. A
// claim counts as wrong only after twice the lease, because a concurrent transaction may have read the clock later.
func dueArgs(now, databaseNow time.Time, lease time.Duration) []any {
	return []any{
		newTimestamp(now), newTimestamp(now.Add(storage.MaxEmailDelay)),
		newTimestamp(databaseNow), newTimestamp(databaseNow.Add(2 * lease)),
	}
}

// emailRow is an email in the outbox.
type emailRow struct {
	ID int64 `db:"id"`
	emailColumns
}

// isOfSignUp reports whether the email of an unverified user is the sign-up email. Other emails that such a user requests
// have an expiry.
func (r emailRow) isOfSignUp() bool { return r.UserID.Valid && r.ExpiresAt.time.IsZero() }

type emailColumns struct {
	Recipient string `db:"recipient"`
	Subject   string `db:"subject"`
	Text      string `db:"text"`
	HTML      string `db:"html"`
	// Unsubscribe is '' for emails that recipients can't turn off.
	Unsubscribe string     `db:"unsubscribe"`
	Attempts    int        `db:"attempts"`
	CreatedAt   timestamp  `db:"created_at"`
	DueAt       timestamp  `db:"due_at"`
	ExpiresAt   timestamp  `db:"expires_at"`
	RefusedAt   timestamp  `db:"refused_at"`
	UserID      nullString `db:"user_id"`
	noticeColumns
	conditionColumns
}

// noticeColumns contains the notice that an email is about. The columns are NULL for other emails, but OrganisationID is
// also set for an email that confirms a billing email.
type noticeColumns struct {
	OrganisationID  nullString `db:"organisation_id"`
	NoticeKind      nullString `db:"notice_kind"`
	NoticeSubjectID nullString `db:"notice_subject_id"`
	NoticePeriod    nullString `db:"notice_period"`
}

func (c noticeColumns) notice() billing.Notice {
	return billing.Notice{Kind: billing.NoticeKind(c.NoticeKind.V), SubjectID: c.NoticeSubjectID.V, Period: c.NoticePeriod.V}
}

// conditionColumns contains an EmailCondition. Each column is NULL if it sets no condition.
type conditionColumns struct {
	LinkHash      nullString `db:"link_hash"`
	RecipientID   nullString `db:"recipient_id"`
	RecipientRole nullString `db:"recipient_role"`
}

func newConditionColumns(c storage.EmailCondition) conditionColumns {
	return conditionColumns{nullIfEmpty(c.LinkHash), nullIfEmpty(c.RecipientID), nullIfEmpty(string(c.RecipientRole))}
}

func (c conditionColumns) condition() storage.EmailCondition {
	return storage.EmailCondition{LinkHash: c.LinkHash.V, RecipientID: c.RecipientID.V, RecipientRole: account.Role(c.RecipientRole.V)}
}

func newEmailColumns(m mail.Message, now time.Time) emailColumns {
	return emailColumns{
		Recipient: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Unsubscribe: m.Unsubscribe,
		CreatedAt: newTimestamp(now), DueAt: newTimestamp(now),
	}
}

// addEmail puts an email for the user into the outbox. The email is not sent after expiresAt; zero means no limit.
func (c conn) addEmail(ctx context.Context, m mail.Message, userID string, now, expiresAt time.Time) error {
	return c.addLinkEmail(ctx, storage.LinkEmail{Email: m, ExpiresAt: expiresAt}, userID, now)
}

// addLinkEmail puts an email with a link for the user into the outbox.
func (c conn) addLinkEmail(ctx context.Context, link storage.LinkEmail, userID string, now time.Time) error {
	row := newEmailColumns(link.Email, now)
	row.UserID, row.ExpiresAt, row.LinkHash = nullIfEmpty(userID), newTimestamp(link.ExpiresAt), nullIfEmpty(link.TokenHash)
	row.OrganisationID = nullIfEmpty(link.OrganisationID)
	return c.save(ctx, insertEmailSQL, row)
}

// ClaimEmails implements storage.Outbox. Concurrent claims skip each other's rows.
func (s *Store) ClaimEmails(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]storage.Email, error) {
	if limit <= 0 {
		return nil, nil
	}
	var rows []emailRow
	err := s.write(ctx, func(c conn) error {
		databaseNow, err := s.databaseTime(ctx, c)
		if err != nil {
			return err
		}
		args := append(dueArgs(now, databaseNow, lease), limit)
		if err := c.list(ctx, &rows, selectDueEmailsSQL+c.forUpdateSkipLocked, args...); err != nil || len(rows) == 0 {
			return err
		}
		ids := make([]int64, len(rows))
		for i, row := range rows {
			ids[i] = row.ID
		}
		statement, args, err := sqlx.In(claimEmailsSQL, newTimestamp(databaseNow.Add(lease)), ids)
		if err != nil {
			return err
		}
		_, err = c.exec(ctx, statement, args...)
		return err
	})
	if err != nil {
		return nil, err
	}
	var result []storage.Email
	for _, r := range rows {
		id := strconv.FormatInt(r.ID, 10)
		result = append(result, storage.Email{
			ID:        id,
			Message:   mail.Message{ID: id, To: r.Recipient, Subject: r.Subject, Text: r.Text, HTML: r.HTML, Unsubscribe: r.Unsubscribe},
			CreatedAt: r.CreatedAt.time, Attempts: r.Attempts + 1, ExpiresAt: r.ExpiresAt.time, RefusedAt: r.RefusedAt.time,
			Notice: r.notice(), OrganisationID: r.OrganisationID.V, UserID: r.UserID.V, Condition: r.condition(),
		})
	}
	return result, nil
}

// FinishEmail implements storage.Outbox.
func (s *Store) FinishEmail(ctx context.Context, id string, outcome storage.EmailOutcome) error {
	return s.write(ctx, func(c conn) error {
		var email emailRow
		if err := c.get(ctx, "email", &email, selectEmailSQL, parseRowID(id)); err != nil {
			return fault.ReplaceNotFound(err, nil)
		}
		if !outcome.SentAt.IsZero() {
			if err := c.restartRegistration(ctx, email, outcome.SentAt); err != nil {
				return err
			}
		}
		if deletedRows, err := c.exec(ctx, deleteEmailSQL, email.ID); err != nil || deletedRows == 0 {
			return err
		}
		if err := c.keepFinishedEmail(ctx, email, outcome); err != nil {
			return err
		}
		entry, err := c.newEmailEntry(ctx, email, outcome)
		if err != nil {
			return err
		}
		return c.addAuditEntries(ctx, entry)
	})
}

// newEmailEntry returns the entry of the audit log about a finished email.
func (c conn) newEmailEntry(ctx context.Context, email emailRow, outcome storage.EmailOutcome) (audit.Entry, error) {
	e := audit.Entry{
		OrganisationID: email.OrganisationID.V, Actor: audit.System, Kind: audit.EmailFinished, Subject: strconv.FormatInt(email.ID, 10),
		Data: audit.Data{"attempts": strconv.Itoa(email.Attempts)},
	}
	for key, value := range map[string]string{
		"notice": email.NoticeKind.V, "user": email.UserID.V, "reason": outcome.Reason, "answer": outcome.Answer,
	} {
		if value != "" {
			e.Data[key] = value
		}
	}
	if outcome.SentAt.IsZero() {
		e.Outcome = audit.Refused
	}
	if email.OrganisationID.Valid || !email.UserID.Valid {
		return e, nil
	}
	var user userRow
	err := c.get(ctx, "user", &user, selectUserSQL, email.UserID.V)
	e.OrganisationID = user.OrganisationID
	return e, fault.ReplaceNotFound(err, nil)
}

// restartRegistration sets the start of a registration to the time at which its delayed email was sent. The link in the
// email is valid for the lifetime of the registration.
func (c conn) restartRegistration(ctx context.Context, email emailRow, sentAt time.Time) error {
	if !email.isOfSignUp() || sentAt.Sub(email.CreatedAt.time) < maxPromptDelivery {
		return nil
	}
	rows, err := c.exec(ctx, restartRegistrationSQL, newTimestamp(sentAt), email.UserID.V)
	if err != nil || rows == 0 {
		return err
	}
	_, err = c.exec(ctx, extendVerificationsSQL, newTimestamp(sentAt.Add(account.VerificationLifetime)), email.UserID.V)
	return err
}

// PostponeEmail implements storage.Outbox.
func (s *Store) PostponeEmail(ctx context.Context, e storage.Email, dueAt time.Time) error {
	return s.execWrite(ctx, postponeEmailSQL, newTimestamp(dueAt), newTimestamp(e.RefusedAt), parseRowID(e.ID), e.Attempts)
}

// HasLink implements storage.Outbox.
func (s *Store) HasLink(ctx context.Context, tokenHash string) (bool, error) {
	var count int
	err := s.reader().get(ctx, "link", &count, countLinksSQL, tokenHash, tokenHash, tokenHash)
	return count > 0, s.toFault(err)
}

// parseRowID returns the number of a row. For an id that is not a number it returns 0, which no row has.
func parseRowID(id string) int64 {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0
	}
	return number
}

type emailRequestRow struct {
	ID int64 `db:"id"`
	emailRequestColumns
}

type emailRequestColumns struct {
	Kind        string    `db:"kind"`
	Email       string    `db:"email"`
	UserID      string    `db:"user_id"`
	RequestedAt timestamp `db:"requested_at"`
	DueAt       timestamp `db:"due_at"`
}

// AddEmailRequest implements storage.EmailRequests.
func (s *Store) AddEmailRequest(ctx context.Context, r storage.EmailRequest) error {
	row := emailRequestColumns{
		Kind: string(r.Kind), Email: r.Email, UserID: r.UserID,
		RequestedAt: newTimestamp(r.RequestedAt), DueAt: newTimestamp(r.RequestedAt),
	}
	return s.write(ctx, func(c conn) error { return c.save(ctx, insertEmailRequestSQL, row) })
}

// ClaimEmailRequest implements storage.EmailRequests. Concurrent claims skip each other's rows.
func (s *Store) ClaimEmailRequest(ctx context.Context, now time.Time, lease time.Duration) (storage.EmailRequest, error) {
	var row emailRequestRow
	err := s.write(ctx, func(c conn) error {
		databaseNow, err := s.databaseTime(ctx, c)
		if err != nil {
			return err
		}
		query, args := selectDueEmailRequestSQL+c.forUpdateSkipLocked, dueArgs(now, databaseNow, lease)
		if err := c.get(ctx, "request", &row, query, args...); err != nil {
			return err
		}
		_, err = c.exec(ctx, claimEmailRequestSQL, newTimestamp(databaseNow.Add(lease)), row.ID)
		return err
	})
	if err != nil {
		return storage.EmailRequest{}, err
	}
	return storage.EmailRequest{
		ID: strconv.FormatInt(row.ID, 10), Kind: storage.EmailKind(row.Kind),
		Email: row.Email, UserID: row.UserID, RequestedAt: row.RequestedAt.time,
	}, nil
}

// PostponeEmailRequest implements storage.EmailRequests.
func (s *Store) PostponeEmailRequest(ctx context.Context, id string, dueAt time.Time) error {
	return s.execWrite(ctx, postponeEmailRequestSQL, newTimestamp(dueAt), parseRowID(id))
}

// FinishEmailRequest implements storage.EmailRequests.
func (s *Store) FinishEmailRequest(ctx context.Context, id string) error {
	return s.execWrite(ctx, deleteEmailRequestSQL, parseRowID(id))
}
