package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// claims hands out the emails, one for each question.
func (b *bench) claims(err error, emails ...storage.Email) {
	b.store.EXPECT().ClaimEmails(mock.Anything, noon, noon.Add(mailLease), 1).Return(emails, err).Once()
}

func email(id string, attempts int) storage.Email {
	return storage.Email{ID: id, Attempts: attempts, Message: mail.Message{To: id + "@example.com", Subject: id}}
}

func (b *bench) sends(id string, err error) {
	b.sender.EXPECT().Send(mock.MatchedBy(endsWithin(mailTimeout)), email(id, 1).Message).Return(err).Once()
}

func (b *bench) finishes(id string, err error) {
	b.store.EXPECT().FinishEmail(mock.Anything, id).Return(err).Once()
}

func (b *bench) postpones(id string, wait time.Duration, err error) {
	b.store.EXPECT().PostponeEmail(mock.Anything, id, noon.Add(wait)).Return(err).Once()
}

func TestDeliverMailSendsOneAfterTheOther(t *testing.T) {
	b := newBench(t)
	for _, id := range []string{"1", "2"} {
		b.claims(nil, email(id, 1))
		b.sends(id, nil)
		b.finishes(id, nil)
	}
	b.claims(nil)

	sent, err := b.DeliverMail.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, 2, sent)
}

func TestDeliverMailEndsARoundAfterABatch(t *testing.T) {
	b := newBench(t)
	b.store.EXPECT().ClaimEmails(mock.Anything, noon, noon.Add(mailLease), 1).Return([]storage.Email{email("1", 1)}, nil).Times(mailBatch)
	b.sender.EXPECT().Send(mock.Anything, mock.Anything).Return(nil).Times(mailBatch)
	b.store.EXPECT().FinishEmail(mock.Anything, "1").Return(nil).Times(mailBatch)

	sent, err := b.DeliverMail.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, mailBatch, sent)
}

func TestDeliverMailDropsWhatIsRefusedForGood(t *testing.T) {
	b := newBench(t)
	b.claims(nil, email("1", 1))
	b.sends("1", fault.New(fault.Invalid, "no such mailbox"))
	b.finishes("1", nil)
	b.claims(nil)

	sent, err := b.DeliverMail.Do(t.Context())

	require.NoError(t, err)
	assert.Zero(t, sent)
	assert.Contains(t, b.log.String(), "email=1")
	assert.NotContains(t, b.log.String(), "example.com", "no address in the logs")
}

func TestDeliverMailTriesAgainLaterAndLater(t *testing.T) {
	waits := map[int]time.Duration{
		0: 15 * time.Second, 1: 15 * time.Second, 2: 30 * time.Second, 3: time.Minute, 8: 32 * time.Minute,
		9: time.Hour, 10: time.Hour, 1_000_000: time.Hour,
	}
	for _, failure := range []error{errOutage, context.DeadlineExceeded} {
		for attempts, wait := range waits {
			b := newBench(t)
			b.claims(nil, email("1", attempts))
			b.sends("1", failure)
			b.postpones("1", wait, nil)
			b.claims(nil)

			sent, err := b.DeliverMail.Do(t.Context())

			require.NoError(t, err, "an email that has to wait holds up nobody")
			assert.Zero(t, sent)
		}
	}
}

func TestDeliverMailFailsWithTheDatabase(t *testing.T) {
	tests := map[string]struct {
		expect func(*bench)
		sent   int
	}{
		"claiming": {func(b *bench) { b.claims(errOutage) }, 0},
		"finishing": {func(b *bench) {
			b.claims(nil, email("1", 1))
			b.sends("1", nil)
			b.finishes("1", errOutage)
		}, 1},
		"postponing": {func(b *bench) {
			b.claims(nil, email("1", 1))
			b.sends("1", errOutage)
			b.postpones("1", mailBackoff, errOutage)
		}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			tt.expect(b)
			sent, err := b.DeliverMail.Do(t.Context())
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
			assert.Equal(t, tt.sent, sent)
		})
	}
}

func TestDeliverMailRemembersWhatWasSentWhileStopping(t *testing.T) {
	b := newBench(t)
	ctx, stop := context.WithCancel(t.Context())
	b.claims(nil, email("1", 1))
	b.sender.EXPECT().Send(mock.Anything, mock.Anything).
		RunAndReturn(func(context.Context, mail.Message) error { stop(); return nil }).Once()
	b.store.EXPECT().FinishEmail(mock.Anything, "1").
		RunAndReturn(func(ctx context.Context, _ string) error { return ctx.Err() }).Once()
	b.claims(errOutage)

	sent, err := b.DeliverMail.Do(ctx)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "no email is claimed any more")
	assert.Equal(t, 1, sent)
}
