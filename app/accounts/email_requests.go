package accounts

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	emailRequestBatchSize = 20
	emailRequestLease     = time.Minute      // the time for which a claimed request is reserved for one server
	emailRequestDelay     = 10 * time.Second // the time until a failed request is repeated
)

// emailRequester stores requests for SendRequestedEmails.
type emailRequester struct {
	store interface {
		storage.EmailRequests
		storage.SignUps
	}
	clock clock.Clock
}

// request stores a request. It ignores an invalid address. A verified user of the address is not looked up.
func (r emailRequester) request(
	ctx context.Context, kind storage.EmailKind, email string, isRegisteringBrowser func(account.User) bool,
) error {
	if !account.ValidEmail(email) {
		return nil
	}
	registrations, err := findRegistrations(ctx, r.store, email, r.clock.Now())
	if err != nil {
		return err
	}
	return r.store.AddEmailRequest(ctx, storage.EmailRequest{
		Kind: kind, Email: account.EmailKey(email), RequestedAt: r.clock.Now(),
		UserID: newestOfBrowser(registrations, isRegisteringBrowser).ID,
	})
}

// SendRequestedEmails looks up the users of requested emails and adds the emails to the outbox. Several
// servers may run it at the same time.
type SendRequestedEmails struct {
	store interface {
		storage.EmailRequests
		storage.Users
		storage.SignUps
		storage.Verifications
		storage.PasswordResets
	}
	clock  clock.Clock
	writer accountemails.Writer
}

// Do processes the requests that are due and returns their number. If a request fails, or the server crashes while it
// processes a request, the request is processed again.
func (u *SendRequestedEmails) Do(ctx context.Context) (int, error) {
	for count := range emailRequestBatchSize {
		now := u.clock.Now()
		req, err := u.store.ClaimEmailRequest(ctx, now, emailRequestLease)
		if fault.Is(err, fault.NotFound) {
			return count, nil
		}
		if err != nil {
			return count, err
		}
		if err = u.addRequestedEmail(ctx, req); err == nil {
			err = u.store.FinishEmailRequest(ctx, req.ID)
		}
		if err != nil {
			ctx := context.WithoutCancel(ctx)
			return count, errors.Join(err, u.store.PostponeEmailRequest(ctx, req.ID, now.Add(emailRequestDelay)))
		}
	}
	return emailRequestBatchSize, nil
}

// addRequestedEmail adds the requested email to the outbox if the address has a user who may receive it.
func (u *SendRequestedEmails) addRequestedEmail(ctx context.Context, req storage.EmailRequest) error {
	user, err := u.store.UserByEmail(ctx, req.Email)
	if err != nil {
		return fault.ReplaceNotFound(err, nil) // nothing is sent to an unknown address
	}
	now := u.clock.Now()
	if user.IsRegistrationExpired(now) {
		return nil
	}
	kind := req.Kind
	if !user.IsVerified() {
		if user, kind, err = u.chooseRegistration(ctx, req, now); err != nil {
			return err
		}
	}
	return fault.ReplaceNotFound(u.addToOutbox(ctx, kind, user, now), nil)
}

// chooseRegistration returns the registration to which a request belongs: the one that was made in the browser of the
// request, otherwise the newest one. It also returns the kind of email to send. If there are several registrations and
// none was made in the browser, the newest one may be that of another person. A password reset would verify it, so the
// verification email is sent instead: its page names the organisation, and can delete the registration.
func (u *SendRequestedEmails) chooseRegistration(
	ctx context.Context, req storage.EmailRequest, now time.Time,
) (account.User, storage.EmailKind, error) {
	registrations, err := findRegistrations(ctx, u.store, req.Email, now)
	if err != nil || len(registrations) == 0 {
		return account.User{}, req.Kind, err
	}
	for _, user := range registrations {
		if user.ID == req.UserID {
			return user, req.Kind, nil
		}
	}
	if len(registrations) > 1 {
		return registrations[0], storage.VerificationEmail, nil
	}
	return registrations[0], req.Kind, nil
}

// addToOutbox adds an email of the kind to the outbox. It adds no verification email for a verified user, and nothing for
// the zero User.
func (u *SendRequestedEmails) addToOutbox(ctx context.Context, kind storage.EmailKind, user account.User, now time.Time) error {
	switch {
	case user.ID == "":
		return nil
	case kind == storage.PasswordResetEmail:
		reset, email := u.writer.NewPasswordReset(user, now)
		return u.store.AddPasswordReset(ctx, reset, email, now)
	case kind == storage.VerificationEmail && !user.IsVerified():
		verification, email := u.writer.NewVerification(user, now)
		return u.store.AddVerification(ctx, verification, email, now)
	}
	return nil
}

// ResendVerification requests another verification email.
type ResendVerification struct{ requester emailRequester }

// Do stores the request for SendRequestedEmails. Of several registrations with the address, the one that was made in this
// browser gets the email. isRegisteringBrowser reports whether a user registered in this browser, and may be nil. The
// result is the same for every address.
func (u *ResendVerification) Do(ctx context.Context, email string, isRegisteringBrowser func(account.User) bool) error {
	return u.requester.request(ctx, storage.VerificationEmail, email, isRegisteringBrowser)
}
