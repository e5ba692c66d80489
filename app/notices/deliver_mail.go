package notices

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	mailBatchSize = 100
	mailTimeout   = 45 * time.Second             // limits one delivery
	mailLease     = mailTimeout + 15*time.Second // the time for which a claimed email is reserved for one server
	cardTimeout   = 5 * time.Second              // limits how long a reminder about a card waits for the provider

	// refusalInterval is the minimum time between two refusals that make an address count as unreachable.
	refusalInterval = 24 * time.Hour
	// DeliverMail deletes an email after maxEmailAge and minAttempts. minAttempts keeps the emails that were not sent
	// because no server was running.
	maxEmailAge = 30 * 24 * time.Hour
	minAttempts = 100
)

var mailBackoff = clock.Backoff{First: 15 * time.Second, Max: storage.MaxEmailDelay}

// DeliverMail sends the emails in the outbox. Several servers may run it at the same time.
type DeliverMail struct {
	store interface {
		storage.Outbox
		storage.Organisations
		storage.Users
		storage.Invoices
		storage.UnreachableEmails
		storage.Teams
	}
	customers   customerReader
	documents   documentReader
	mail        mail.Sender
	clock       clock.Clock
	log         *slog.Logger
	preferences preferenceStore
	writer      *Writer
	outage      outageTracker
}

// customerReader reads a customer with its default card from the payment provider.
type customerReader interface {
	Customer(ctx context.Context, id string) (billing.Customer, error)
}

// Do sends the emails that are due, emails about accounts first, and returns their number. Do deletes an outdated
// email: a link that has expired or was deleted, such as a revoked invitation, an email for a role that its recipient does
// not have any more, a notice that the recipient has turned off, and a notice that does not apply, for example because the
// invoice was paid.
//
// A failed delivery is repeated with exponential backoff, up to an hour, until the email is outdated or maxEmailAge has
// passed. The address of the recipient counts as unreachable if the server reports an unknown mailbox. An
// address also counts as unreachable if the server has refused the recipient twice, at least refusalInterval apart, and
// accepted other emails. The organisation's notices are then not sent to the address until the address is confirmed again.
func (u *DeliverMail) Do(ctx context.Context) (int, error) {
	count := 0
	for range mailBatchSize {
		email, ok, err := u.claim(ctx)
		if err != nil || !ok {
			return count, err
		}
		reason, err := u.send(ctx, email)
		if err == nil && reason == "" {
			count++
		}
		if err := u.storeOutcome(ctx, email, reason, err); err != nil {
			return count, err
		}
	}
	return count, nil
}

// claim claims the next email that is due. It claims only one, because the lease is not long enough for several
// deliveries. ok is false if no email is due.
func (u *DeliverMail) claim(ctx context.Context) (email storage.Email, ok bool, err error) {
	emails, err := u.store.ClaimEmails(ctx, u.clock.Now(), mailLease, 1)
	if err != nil || len(emails) == 0 {
		return storage.Email{}, false, err
	}
	return emails[0], true, nil
}

// stillApplies reports whether a notice still applies according to our copy of the organisation. A reminder about a card
// must also apply to the card that the provider reports. The error is a pausedError for a notice that may apply later.
func (u *DeliverMail) stillApplies(ctx context.Context, email storage.Email) (bool, error) {
	org, err := u.store.Organisation(ctx, email.OrganisationID)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !isRecipient(org, email.Message.To) {
		u.log.InfoContext(ctx, "notice not sent because its recipient receives no emails about billing any more",
			"email", email.ID, "kind", email.Notice.Kind, "org", org.ID)
		return false, nil
	}
	invoices, err := u.store.Invoices(ctx, org.ID)
	if err != nil {
		return false, err
	}
	now := u.clock.Now()
	if pausedUntil := billing.NoticePausedUntil(&org.Billing, email.Notice, now); !pausedUntil.IsZero() {
		return false, pausedError{pausedUntil}
	}
	applies := billing.NoticeApplies(billing.Copy{Account: &org.Billing, Invoices: invoices}, email.Notice, now)
	if applies && email.Notice.Kind == billing.CardExpires {
		applies, err = u.appliesToCard(ctx, org.Billing, email.Notice)
	}
	if err == nil && !applies {
		u.log.InfoContext(ctx, "notice not sent because it does not apply any more", "email", email.ID, "kind",
			email.Notice.Kind, "org", org.ID)
	}
	return applies, err
}

// isRecipient reports whether the address receives the organisation's emails about billing. A member may have been removed
// or got another role, and the billing email may have been replaced, since the email was queued.
func isRecipient(org account.Organisation, address string) bool {
	return slices.ContainsFunc(org.BillingRecipients(), func(r string) bool { return strings.EqualFold(r, address) })
}

// appliesToCard reports whether the notice applies to the customer's current card. The card may have been replaced since
// the notice was queued.
func (u *DeliverMail) appliesToCard(ctx context.Context, a billing.Account, n billing.Notice) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, cardTimeout)
	defer cancel()
	customer, err := u.customers.Customer(ctx, a.CustomerID)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	cardNotice := u.writer.CardNotice(a, customer, u.clock.Now())
	return cardNotice != nil && cardNotice.Notice == n, nil
}

// isReachable returns false if the address of the notice's recipient is marked as unreachable.
func (u *DeliverMail) isReachable(ctx context.Context, email storage.Email) (bool, error) {
	addresses, err := u.store.Unreachable(ctx, email.OrganisationID, account.EmailKey(email.Message.To))
	if len(addresses) > 0 {
		u.log.InfoContext(ctx, "notice not sent because its recipient can't be reached",
			"email", email.ID, "kind", email.Notice.Kind, "org", email.OrganisationID)
	}
	return len(addresses) == 0, err
}

// isWanted reports whether the recipient has not turned the notice off.
func (u *DeliverMail) isWanted(ctx context.Context, email storage.Email) (bool, error) {
	isDeclined, err := u.preferences.hasDeclined(ctx, email.OrganisationID, email.Message.To, email.Notice.Kind)
	if isDeclined {
		u.log.InfoContext(ctx, "notice not sent because its recipient has turned it off",
			"email", email.ID, "kind", email.Notice.Kind, "org", email.OrganisationID)
	}
	return !isDeclined, err
}

// hasExpired reports whether the link in the email has expired.
func (u *DeliverMail) hasExpired(ctx context.Context, email storage.Email) bool {
	hasExpired := !email.ExpiresAt.IsZero() && !u.clock.Now().Before(email.ExpiresAt)
	if hasExpired {
		u.log.WarnContext(ctx, "email not sent because its link has expired", "email", email.ID, "attempts", email.Attempts)
	}
	return hasExpired
}

// meetsCondition reports whether the condition of the email holds.
func (u *DeliverMail) meetsCondition(ctx context.Context, email storage.Email) (bool, error) {
	c := email.Condition
	if c.LinkHash != "" {
		hasLink, err := u.store.HasLink(ctx, c.LinkHash)
		if err != nil {
			return false, err
		}
		if !hasLink {
			u.log.InfoContext(ctx, "email not sent because its link is void", "email", email.ID)
			return false, nil
		}
	}
	if c.RecipientID == "" {
		return true, nil
	}
	team, err := u.store.Team(ctx, email.OrganisationID)
	if err != nil {
		return false, fault.ReplaceNotFound(err, nil)
	}
	recipient, _ := team.Member(c.RecipientID)
	if recipient.Role != c.RecipientRole {
		u.log.InfoContext(ctx, "email not sent because its recipient has another role now", "email", email.ID, "org", email.OrganisationID)
	}
	return recipient.Role == c.RecipientRole, nil
}

// send sends the email unless it is outdated; see Do. Only notices are checked for an unreachable address: emails about
// an account, such as a link that confirms an address, are always sent. The reason is a code that states why the email
// was not sent, or "".
func (u *DeliverMail) send(ctx context.Context, email storage.Email) (reason string, err error) {
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	if u.hasExpired(ctx, email) {
		return "expired", nil
	}
	if ok, err := u.meetsCondition(ctx, email); err != nil || !ok {
		return "not_needed", err
	}
	message := email.Message
	if email.Notice != (billing.Notice{}) {
		for _, c := range []struct {
			reason string
			check  func(context.Context, storage.Email) (bool, error)
		}{{"unreachable", u.isReachable}, {"declined", u.isWanted}, {"not_needed", u.stillApplies}} {
			if ok, err := c.check(ctx, email); err != nil || !ok {
				return c.reason, err
			}
		}
		if message, err = u.withDocument(ctx, email); err != nil {
			return "", err
		}
	}
	if err := u.mail.Send(ctx, message); err != nil {
		return "", deliveryError{err}
	}
	return "", nil
}

// deliveryError is an error of the mail server, as opposed to one of the database or the payment provider.
type deliveryError struct{ error }

func (e deliveryError) Unwrap() error { return e.error }

// pausedError is the error for a notice that is not sent now, because the customer has reported a transfer.
type pausedError struct{ until time.Time }

func (pausedError) Error() string { return "the notice is paused" }

// storeOutcome stores the outcome of a delivery that returned the reason and err. It continues while the server shuts down,
// because an email that was sent must not be sent again.
func (u *DeliverMail) storeOutcome(ctx context.Context, email storage.Email, reason string, err error) error {
	ctx = context.WithoutCancel(ctx)
	now := u.clock.Now()
	_, isDeliveryError := errors.AsType[deliveryError](err)
	paused, isPaused := errors.AsType[pausedError](err)
	switch {
	case isPaused:
		return u.store.PostponeEmail(ctx, email, now.Add(min(paused.until.Sub(now), storage.MaxEmailDelay)))
	case err == nil && reason == "":
		u.outage.recordAccepted(ctx, u.log, email.Message.To, now)
		return u.store.FinishEmail(ctx, email.ID, storage.EmailOutcome{SentAt: now})
	case err == nil:
		return u.store.FinishEmail(ctx, email.ID, storage.EmailOutcome{Reason: reason})
	case u.isAddressAtFault(email, err, now):
		return u.giveUpAddress(ctx, email, err)
	case isDeliveryError && fault.Is(err, fault.Invalid):
		u.log.ErrorContext(ctx, "email rejected permanently", "email", email.ID, "error", err)
		return u.store.FinishEmail(ctx, email.ID, storage.EmailOutcome{Reason: "rejected", Answer: mail.AnswerOf(err)})
	case email.Attempts >= minAttempts && now.Sub(email.CreatedAt) >= maxEmailAge:
		u.log.ErrorContext(ctx, "email given up", "email", email.ID, "org", email.OrganisationID, "attempts", email.Attempts, "error", err)
		return u.store.FinishEmail(ctx, email.ID, storage.EmailOutcome{Reason: "given_up", Answer: mail.AnswerOf(err)})
	default:
		return u.postpone(ctx, email, err, isDeliveryError)
	}
}

// postpone stores that the email is to be sent again after an attempt that failed with err.
func (u *DeliverMail) postpone(ctx context.Context, email storage.Email, err error, isDeliveryError bool) error {
	now := u.clock.Now()
	isOutage := isDeliveryError && u.outage.recordFailure(email, errors.Is(err, mail.ErrPermanent), now)
	u.logFailure(ctx, email, err, isOutage)
	if errors.Is(err, mail.ErrRecipientRefused) && email.RefusedAt.IsZero() {
		email.RefusedAt = now
	}
	return u.store.PostponeEmail(ctx, email, now.Add(mailBackoff.Delay(email.Attempts)))
}

// isAddressAtFault reports whether the address of the email is the reason why the delivery failed with err; see Do.
func (u *DeliverMail) isAddressAtFault(email storage.Email, err error, now time.Time) bool {
	if errors.Is(err, mail.ErrUnknownMailbox) {
		return true
	}
	return errors.Is(err, mail.ErrRecipientRefused) && !email.RefusedAt.IsZero() &&
		now.Sub(email.RefusedAt) >= refusalInterval && u.outage.hasAcceptedOther(email.Message.To, email.RefusedAt)
}

// logFailure logs the failed attempt, as an error if an operator has to act.
func (u *DeliverMail) logFailure(ctx context.Context, email storage.Email, err error, isOutage bool) {
	args := []any{"email", email.ID, "attempts", email.Attempts, "error", err}
	if isOutage {
		u.log.ErrorContext(ctx, "mail server does not accept emails", args...)
		return
	}
	u.log.WarnContext(ctx, "email not delivered yet", args...)
}

// giveUpAddress deletes an email whose address is at fault, and marks the address as unreachable for the organisation
// that the email is about. Other organisations are not affected, because anyone can register an organisation with
// another person's address.
func (u *DeliverMail) giveUpAddress(ctx context.Context, email storage.Email, err error) error {
	organisationID := email.OrganisationID
	if organisationID == "" {
		user, err := u.store.User(ctx, email.UserID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		organisationID = user.OrganisationID
	}
	u.log.WarnContext(ctx, "recipient refused permanently", "email", email.ID, "org", organisationID, "error", err)
	if organisationID != "" {
		if err := u.store.MarkUnreachable(ctx, organisationID, account.EmailKey(email.Message.To), u.clock.Now()); err != nil {
			return err
		}
	}
	return u.store.FinishEmail(ctx, email.ID, storage.EmailOutcome{Reason: "recipient_refused", Answer: mail.AnswerOf(err)})
}
