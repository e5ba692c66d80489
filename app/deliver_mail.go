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
	mailBatch   = 20
	mailLease   = 2 * time.Minute // longer than a delivery may take
	mailBackoff = 15 * time.Second
	mailMaxWait = time.Hour
)

// DeliverMail sends the letters that wait in the outbox. Any number of servers may run it at once.
type DeliverMail struct {
	outbox storage.Outbox
	sender mail.Sender
	clock  clock.Clock
	log    *slog.Logger
}

// Do sends what is due and returns how many letters left. A letter that can't be delivered now
// comes again later, with growing pauses; one that never can is dropped and logged by its id.
func (u *DeliverMail) Do(ctx context.Context) (int, error) {
	now := u.clock.Now()
	letters, err := u.outbox.ClaimLetters(ctx, now, now.Add(mailLease), mailBatch)
	if err != nil {
		return 0, err
	}
	sent := 0
	for _, letter := range letters {
		err := u.sender.Send(ctx, letter.Message)
		if err == nil {
			sent++
		}
		if err := u.settle(ctx, letter, err); err != nil {
			return sent, err
		}
	}
	return sent, nil
}

func (u *DeliverMail) settle(ctx context.Context, letter storage.Letter, err error) error {
	switch {
	case err == nil:
		return u.outbox.FinishLetter(ctx, letter.ID)
	case fault.Is(err, fault.Invalid):
		u.log.ErrorContext(ctx, "letter refused for good", "letter", letter.ID, "error", err)
		return u.outbox.FinishLetter(ctx, letter.ID)
	}
	u.log.WarnContext(ctx, "letter not delivered yet", "letter", letter.ID, "attempts", letter.Attempts, "error", err)
	return u.outbox.PostponeLetter(ctx, letter.ID, u.clock.Now().Add(pause(letter.Attempts)))
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
