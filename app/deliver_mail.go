package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	mailBatch    = 20
	mailPatience = time.Minute      // how long a delivery may take
	mailLease    = 2 * mailPatience // how long nobody else takes the email
	mailBackoff  = 15 * time.Second
	mailMaxWait  = time.Hour
)

// DeliverMail sends the emails that wait in the outbox. Any number of servers may run it at once.
type DeliverMail struct {
	outbox storage.Outbox
	sender mail.Sender
	clock  clock.Clock
	log    *slog.Logger
}

// Do sends what is due and returns how many emails left. An email that can't be delivered now
// comes again later, with growing pauses; one that never can is dropped and logged by its id.
func (u *DeliverMail) Do(ctx context.Context) (int, error) {
	sent := 0
	for range mailBatch {
		email, some, err := u.claim(ctx)
		if err != nil || !some {
			return sent, err
		}
		err = u.send(ctx, email)
		if err == nil {
			sent++
		}
		if err := u.settle(ctx, email, err); err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// claim takes one email at a time: the lease is for one delivery, and emails that wait for slow
// ones before them would be sent by somebody else too.
func (u *DeliverMail) claim(ctx context.Context) (email storage.Email, some bool, err error) {
	now := u.clock.Now()
	emails, err := u.outbox.ClaimEmails(ctx, now, now.Add(mailLease), 1)
	if err != nil || len(emails) == 0 {
		return storage.Email{}, false, err
	}
	return emails[0], true, nil
}

func (u *DeliverMail) send(ctx context.Context, email storage.Email) error {
	ctx, cancel := context.WithTimeout(ctx, mailPatience)
	defer cancel()
	return u.sender.Send(ctx, email.Message)
}

// settle notes what became of the email, even when we are being stopped: an email that was sent
// must not be sent again.
func (u *DeliverMail) settle(ctx context.Context, email storage.Email, err error) error {
	ctx = context.WithoutCancel(ctx)
	switch {
	case err == nil:
		return u.outbox.FinishEmail(ctx, email.ID)
	case fault.Is(err, fault.Invalid):
		u.log.ErrorContext(ctx, "email refused for good", "email", email.ID, "error", err)
		return u.outbox.FinishEmail(ctx, email.ID)
	}
	u.log.WarnContext(ctx, "email not delivered yet", "email", email.ID, "attempts", email.Attempts, "error", err)
	return u.outbox.PostponeEmail(ctx, email.ID, u.clock.Now().Add(pause(email.Attempts)))
}

// pause doubles with every attempt, up to an hour.
func pause(attempts int) time.Duration {
	wait := mailBackoff
	for range attempts - 1 {
		if wait *= 2; wait >= mailMaxWait {
			return mailMaxWait
		}
	}
	return wait
}
