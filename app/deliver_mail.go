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
	mailLease    = 2 * mailPatience // how long nobody else takes the letter
	mailBackoff  = 15 * time.Second
	mailMaxWait  = time.Hour
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
	sent := 0
	for range mailBatch {
		letter, some, err := u.claim(ctx)
		if err != nil || !some {
			return sent, err
		}
		err = u.send(ctx, letter)
		if err == nil {
			sent++
		}
		if err := u.settle(ctx, letter, err); err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// claim takes one letter at a time: the lease is for one delivery, and letters that wait for slow
// ones before them would be sent by somebody else too.
func (u *DeliverMail) claim(ctx context.Context) (letter storage.Letter, some bool, err error) {
	now := u.clock.Now()
	letters, err := u.outbox.ClaimLetters(ctx, now, now.Add(mailLease), 1)
	if err != nil || len(letters) == 0 {
		return storage.Letter{}, false, err
	}
	return letters[0], true, nil
}

func (u *DeliverMail) send(ctx context.Context, letter storage.Letter) error {
	ctx, cancel := context.WithTimeout(ctx, mailPatience)
	defer cancel()
	return u.sender.Send(ctx, letter.Message)
}

// settle notes what became of the letter, even when we are being stopped: a letter that was sent
// must not be sent again.
func (u *DeliverMail) settle(ctx context.Context, letter storage.Letter, err error) error {
	ctx = context.WithoutCancel(ctx)
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
