package app_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// senderFunc is a function that implements mail.Sender.
type senderFunc func(ctx context.Context, message mail.Message) error

func (f senderFunc) Send(ctx context.Context, message mail.Message) error { return f(ctx, message) }

// newAppWithMailer returns use cases that have only the ports for emails, and their log.
func (f *fixture) newAppWithMailer(send senderFunc) (*app.UseCases, *bytes.Buffer) {
	return f.newAppWithMailerAndProvider(send, f.Provider)
}

func (f *fixture) newAppWithMailerAndProvider(send senderFunc, provider payment.Provider) (*app.UseCases, *bytes.Buffer) {
	log := &bytes.Buffer{}
	return app.New(app.Ports{
		Store: f.Store, Provider: provider, Clock: f.Clock, Mail: send, Log: slog.New(slog.NewTextHandler(log, nil)),
	}), log
}

func TestDeliverMail_SendsEachEmailOnce(t *testing.T) {
	f := newFixture(t)
	for i := range 21 {
		_, err := f.SignUp.Do(t.Context(), apptest.Registration(fmt.Sprintf("ann%c", 'a'+i)), nil)
		require.NoError(t, err)
	}
	deliveries := map[string]int{}
	server, _ := f.newAppWithMailer(func(ctx context.Context, m mail.Message) error {
		deadline, hasDeadline := ctx.Deadline()
		assert.True(t, hasDeadline)
		assert.LessOrEqual(t, time.Until(deadline), time.Minute)
		deliveries[m.To]++
		return nil
	})
	for _, want := range []int{21, 0} {
		deliveredCount, err := server.DeliverMail.Do(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, deliveredCount)
	}
	assert.Len(t, deliveries, 21)
	for recipient, deliveryCount := range deliveries {
		assert.Equal(t, 1, deliveryCount, recipient)
	}
}

// The mail server accepts 20 emails per second. A user registers while the mail server is receiving the notices of 1000
// renewals.
func TestDeliverMail_SendsAVerificationBeforeAThousandNotices(t *testing.T) {
	const noticeCount, interval = 1000, time.Second / 20
	f := newInvoiceFixture(t)
	f.DeliverEmails(f.UseCases)
	notice := storage.QueuedNotice{
		Notice: billing.Notice{Kind: billing.InvoiceIssued, SubjectID: f.account(f.caller).Subscriptions[0].LatestInvoice.ID},
		Emails: make([]mail.Message, noticeCount),
	}
	var memberEmails []string
	for i := range notice.Emails {
		notice.Emails[i].To = fmt.Sprintf("clinic%d@example.com", i)
		memberEmails = append(memberEmails, notice.Emails[i].To)
	}
	_, err := f.Store.UpdateBilling(t.Context(), f.caller.OrganisationID,
		storage.BillingUpdate{Notices: []storage.QueuedNotice{notice}, EmailsDueAt: f.Clock.Now()},
		func(*account.Organisation) error { return nil })
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute) // stores the invoice
	_, err = f.Store.UpdateOrganisation(t.Context(), f.caller.OrganisationID, func(o *account.Organisation) error {
		o.MemberEmails = memberEmails
		return nil
	})
	require.NoError(t, err)
	var recipients []string
	server, _ := f.newAppWithMailer(func(_ context.Context, m mail.Message) error {
		f.Advance(interval)
		recipients = append(recipients, m.To)
		if len(recipients) == noticeCount/2 {
			_, err := f.SignUp.Do(t.Context(), apptest.Registration("bob"), nil)
			require.NoError(t, err)
		}
		return nil
	})
	start := f.Clock.Now()

	for deliveredCount := 1; deliveredCount > 0; {
		deliveredCount, err = server.DeliverMail.Do(t.Context())
		require.NoError(t, err)
	}

	require.GreaterOrEqual(t, len(recipients), noticeCount+1)
	assert.Equal(t, "bob@example.com", recipients[noticeCount/2], "the verification is the next email")
	assert.Equal(t, time.Duration(len(recipients))*interval, f.Clock.Now().Sub(start))
	slices.Sort(recipients)
	assert.Len(t, slices.Compact(recipients), len(recipients), "each email is sent once")
}

func TestDeliverMail_DeletesAMalformedEmail(t *testing.T) {
	f := newFixture(t)
	f.signUpUnverified()
	server, log := f.newAppWithMailer(func(context.Context, mail.Message) error { return fault.New(fault.Invalid, "no text") })
	deliveredCount, err := server.DeliverMail.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, deliveredCount)
	assert.Contains(t, log.String(), "email rejected permanently")
	assert.NotContains(t, log.String(), "example.com", "logs contain no address")
	f.Advance(day)
	f.DeliverEmails(f.UseCases)
	assert.Empty(t, f.Mailbox.Emails())
}

func TestDeliverMail_RepeatsAFailedDeliveryWithBackoff(t *testing.T) {
	f := newFixture(t)
	f.signUpUnverified()
	attemptCount := 0
	server, _ := f.newAppWithMailer(func(context.Context, mail.Message) error {
		attemptCount++
		return fault.New(fault.Unavailable, "not reachable")
	})
	for i, seconds := range []int{15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600} {
		_, err := server.DeliverMail.Do(t.Context())
		require.NoError(t, err)
		require.Equal(t, i+1, attemptCount)
		f.Advance(time.Duration(seconds-1) * time.Second)
		_, err = server.DeliverMail.Do(t.Context())
		require.NoError(t, err)
		require.Equal(t, i+1, attemptCount, "before the next attempt is due")
		f.Advance(time.Second)
	}
	f.DeliverEmails(f.UseCases)
	assert.Len(t, f.Mailbox.Emails(), 1)
}

func TestDeliverMail_DropsALinkThatHasExpired(t *testing.T) {
	f, _ := newSignedUpFixture(t)
	f.DeliverEmails(f.UseCases)
	emailCount := len(f.Mailbox.Emails())
	require.NoError(t, f.ForgotPassword.Do(t.Context(), "ann@example.com", nil))
	_, err := f.SendRequestedEmails.Do(t.Context())
	require.NoError(t, err)
	isDown := true
	server, log := f.newAppWithMailer(func(ctx context.Context, m mail.Message) error {
		if isDown {
			return fault.New(fault.Unavailable, "not reachable")
		}
		return f.Mailbox.Send(ctx, m)
	})
	_, err = server.DeliverMail.Do(t.Context())
	require.NoError(t, err)
	isDown = false
	f.Advance(account.PasswordResetLifetime)

	deliveredCount, err := server.DeliverMail.Do(t.Context())

	require.NoError(t, err)
	assert.Zero(t, deliveredCount)
	assert.Len(t, f.Mailbox.Emails(), emailCount)
	assert.Contains(t, log.String(), "email not sent because its link has expired")
}

// No server sends emails between the first and the second attempt.
func TestDeliverMail_GivesUpAfter30DaysAndAHundredAttempts(t *testing.T) {
	f := newFixture(t)
	f.signUpUnverified()
	attemptCount := 0
	server, log := f.newAppWithMailer(func(context.Context, mail.Message) error {
		attemptCount++
		return fault.New(fault.Unavailable, "not reachable")
	})
	for range 120 {
		_, err := server.DeliverMail.Do(t.Context())
		require.NoError(t, err)
		f.Advance(time.Hour)
		if attemptCount == 1 {
			f.Advance(40 * day)
		}
	}
	assert.Equal(t, 100, attemptCount)
	assert.Equal(t, 1, strings.Count(log.String(), "email given up"))
}

func TestDeliverMail_SkipsANoticeThatItsRecipientHasTurnedOff(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.DeliverEmails(f.UseCases)
	notice := storage.QueuedNotice{
		Notice: billing.Notice{Kind: billing.CardExpires, SubjectID: "sub_1"},
		Emails: []mail.Message{{To: f.User(caller).Organisation().ContactEmail}, {To: bookkeeperEmail}},
	}
	_, err := f.Store.UpdateBilling(t.Context(), caller.OrganisationID,
		storage.BillingUpdate{Notices: []storage.QueuedNotice{notice}, EmailsDueAt: f.Clock.Now()},
		func(*account.Organisation) error { return nil })
	require.NoError(t, err)
	require.NoError(t, f.Store.DeclineNotice(t.Context(), caller.OrganisationID, bookkeeperEmail, billing.CardExpires))
	server, log := f.newAppWithMailer(func(context.Context, mail.Message) error { return nil })

	_, err = server.DeliverMail.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(log.String(), "notice not sent because its recipient has turned it off"))
	assert.Equal(t, 1, strings.Count(log.String(), "notice not sent because it does not apply any more"),
		"the other recipient has not turned it off")
}

func TestDeliverMail_StoresTheOutcomeDuringShutdown(t *testing.T) {
	f := newFixture(t)
	f.signUpUnverified()
	ctx, stop := context.WithCancel(t.Context())
	server, _ := f.newAppWithMailer(func(context.Context, mail.Message) error { stop(); return nil })
	deliveredCount, err := server.DeliverMail.Do(ctx)
	require.ErrorIs(t, err, context.Canceled, "no further email is claimed")
	assert.Equal(t, 1, deliveredCount)
	f.Advance(time.Hour)
	f.DeliverEmails(f.UseCases)
	assert.Empty(t, f.Mailbox.Emails(), "the delivered email is not sent again")
}

func TestDeliverMail_ReturnsUnavailableWhenTheOutcomeCannotBeStored(t *testing.T) {
	for _, sendErr := range []error{nil, fault.New(fault.Unavailable, "not reachable")} {
		f := newFixture(t)
		f.signUpUnverified()
		server, _ := f.newAppWithMailer(func(context.Context, mail.Message) error {
			assert.NoError(t, f.Store.Close())
			return sendErr
		})
		_, err := server.DeliverMail.Do(t.Context())
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	}
}

func TestDeliverMail_SkipsANoticeToAMemberWhoReceivesNoneAnyMore(t *testing.T) {
	f := newInvoiceFixture(t)
	f.DeliverEmails(f.UseCases)
	f.advanceInSteps(1, time.Minute) // stores the invoice
	notice := storage.QueuedNotice{
		Notice: billing.Notice{Kind: billing.InvoiceIssued, SubjectID: f.account(f.caller).Subscriptions[0].LatestInvoice.ID, Period: "again"},
		Emails: []mail.Message{{To: "removed@example.com"}, {To: f.User(f.caller).Organisation().ContactEmail}},
	}
	_, err := f.Store.UpdateBilling(t.Context(), f.caller.OrganisationID,
		storage.BillingUpdate{Notices: []storage.QueuedNotice{notice}, EmailsDueAt: f.Clock.Now()},
		func(*account.Organisation) error { return nil })
	require.NoError(t, err)
	server, log := f.newAppWithMailer(func(_ context.Context, m mail.Message) error {
		assert.NotEqual(t, "removed@example.com", m.To)
		return nil
	})
	_, err = server.DeliverMail.Do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(log.String(), "notice not sent because its recipient receives no emails about billing any more"))
}
