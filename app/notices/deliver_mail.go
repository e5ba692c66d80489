package notices

import (
	"context"
	"errors"
	"log/slog"
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
	mailTimeout   = time.Minute     // limits one delivery
	mailLease     = 2 * mailTimeout // the time for which a claimed email is reserved for one server
	cardTimeout   = 5 * time.Second // limits how long a reminder about a card waits for the provider
)

var mailBackoff = clock.Backoff{First: 15 * time.Second, Max: time.Hour}

// DeliverMail sends the emails in the outbox. Several servers may run it at the same time.
type DeliverMail struct {
	store interface {
		storage.Outbox
		storage.Organisations
		storage.Invoices
		storage.UnreachableEmails
	}
	customers   customerReader
	mail        mail.Sender
	clock       clock.Clock
	log         *slog.Logger
	preferences preferenceStore
}

// customerReader reads a customer with its default card from the payment provider.
type customerReader interface {
	Customer(ctx context.Context, id string) (billing.Customer, error)
}

// Do sends the emails that are due, emails about accounts first, and returns their number. A failed delivery is repeated
// with exponential backoff. An email that the mail server refuses as Invalid is logged and deleted. If the mail server
// refuses the recipient, the address gets no notices until it is confirmed again. Do deletes a notice that the recipient
// has turned off, and a notice that does not apply any more, for example because the invoice was paid.
func (u *DeliverMail) Do(ctx context.Context) (int, error) {
	count := 0
	for range mailBatchSize {
		email, ok, err := u.claim(ctx)
		if err != nil || !ok {
			return count, err
		}
		isSent, err := u.send(ctx, email)
		if isSent {
			count++
		}
		if err := u.storeOutcome(ctx, email, err); err != nil {
			return count, err
		}
	}
	return count, nil
}

// claim claims the next email that is due. It claims only one, because the lease is not long enough for several
// deliveries. ok is false if no email is due.
func (u *DeliverMail) claim(ctx context.Context) (email storage.Email, ok bool, err error) {
	now := u.clock.Now()
	emails, err := u.store.ClaimEmails(ctx, now, now.Add(mailLease), 1)
	if err != nil || len(emails) == 0 {
		return storage.Email{}, false, err
	}
	return emails[0], true, nil
}

// stillApplies reports whether a notice still applies according to our copy of the organisation. A reminder about a card
// must also apply to the card that the provider reports.
func (u *DeliverMail) stillApplies(ctx context.Context, email storage.Email) (bool, error) {
	org, err := u.store.Organisation(ctx, email.OrganisationID)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	invoices, err := u.store.Invoices(ctx, org.ID)
	if err != nil {
		return false, err
	}
	applies := billing.NoticeApplies(billing.Copy{Account: &org.Billing, Invoices: invoices}, email.Notice, u.clock.Now())
	if applies && email.Notice.Kind == billing.CardExpires {
		applies, err = u.appliesToCard(ctx, org.Billing, email.Notice)
	}
	if err == nil && !applies {
		u.log.InfoContext(ctx, "notice not sent because it does not apply any more", "email", email.ID, "kind",
			email.Notice.Kind, "org", org.ID)
	}
	return applies, err
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
	cardNotice := a.CardNotice(customer.Default, u.clock.Now())
	return cardNotice != nil && cardNotice.Notice == n, nil
}

// isReachable returns false if the address of the notice's recipient is marked as unreachable.
func (u *DeliverMail) isReachable(ctx context.Context, email storage.Email) (bool, error) {
	addresses, err := u.store.Unreachable(ctx, account.EmailKey(email.Message.To))
	if len(addresses) > 0 {
		u.log.InfoContext(ctx, "notice not sent because its recipient can't be reached",
			"email", email.ID, "kind", email.Notice.Kind, "org", email.OrganisationID)
	}
	return len(addresses) == 0, err
}

// isWanted reports whether the recipient accepts the notice.
func (u *DeliverMail) isWanted(ctx context.Context, email storage.Email) (bool, error) {
	isDeclined, err := u.preferences.hasDeclined(ctx, email.OrganisationID, email.Message.To, email.Notice.Kind)
	if isDeclined {
		u.log.InfoContext(ctx, "notice not sent because its recipient has turned it off",
			"email", email.ID, "kind", email.Notice.Kind, "org", email.OrganisationID)
	}
	return !isDeclined, err
}

// send sends the email. It does not send a notice whose recipient is unreachable or has turned it off, nor a notice that
// does not apply any more. Emails about an account, such as a link that confirms an address, are always sent.
func (u *DeliverMail) send(ctx context.Context, email storage.Email) (isSent bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	if email.Notice != (billing.Notice{}) {
		for _, check := range []func(context.Context, storage.Email) (bool, error){u.isReachable, u.isWanted, u.stillApplies} {
			if ok, err := check(ctx, email); err != nil || !ok {
				return false, err
			}
		}
	}
	err = u.mail.Send(ctx, email.Message)
	return err == nil, err
}

// storeOutcome stores the outcome of a delivery that returned err. It continues while the server shuts down, because an
// email that was sent must not be sent again.
func (u *DeliverMail) storeOutcome(ctx context.Context, email storage.Email, err error) error {
	ctx = context.WithoutCancel(ctx)
	switch {
	case err == nil:
		return u.store.FinishEmail(ctx, email.ID)
	case errors.Is(err, mail.ErrRecipientRefused):
		u.log.WarnContext(ctx, "recipient refused permanently", "email", email.ID, "org", email.OrganisationID, "error", err)
		if err := u.store.MarkUnreachable(ctx, account.EmailKey(email.Message.To), u.clock.Now()); err != nil {
			return err
		}
		return u.store.FinishEmail(ctx, email.ID)
	case fault.Is(err, fault.Invalid):
		u.log.ErrorContext(ctx, "email rejected permanently", "email", email.ID, "error", err)
		return u.store.FinishEmail(ctx, email.ID)
	}
	u.log.WarnContext(ctx, "email not delivered yet", "email", email.ID, "attempts", email.Attempts, "error", err)
	return u.store.PostponeEmail(ctx, email.ID, u.clock.Now().Add(mailBackoff.Delay(email.Attempts)))
}
