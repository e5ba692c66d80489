//go:build crashpoints

package diycmd

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// crashPoints makes the server kill itself with SIGKILL at the point that DIY_CRASH_AT names: "before Subscribe 2"
// is the second time that it is about to call Subscribe. The points are "before" and "after" every method of the
// storage and payment ports that changes something, and "before commit" in a database transaction.
func crashPoints() fx.Option {
	crash, err := parseCrashAt(os.Getenv("DIY_CRASH_AT"))
	if err != nil {
		return fx.Error(err)
	}
	sqlstorage.SetBeforeCommit(func() { crash.reach("before", "commit") })
	return fx.Options(fx.Invoke(useDevClock), fx.Decorate(
		func(store storage.Store) storage.Store { return &crashingStore{Store: store, crash: crash} },
		func(provider payment.Provider) payment.Provider { return payment.Intercept(provider, crash.around) },
	))
}

// useDevClock makes the store measure the ages of operations with the development clock, so that tests
// need not wait until one may be taken over. DIY_CRASH_CLOCK is an offset such as "-720h": it simulates
// a database whose clock differs.
func useDevClock(store *sqlstorage.Store, clock clock.Clock) error {
	offset, err := time.ParseDuration(cmp.Or(os.Getenv("DIY_CRASH_CLOCK"), "0s"))
	store.UseClock(func() time.Time { return clock.Now().Add(offset) })
	return err
}

// crash is the point at which the server kills itself.
type crash struct {
	when, what string
	left       atomic.Int64 // times that the point is reached until the crash
}

func parseCrashAt(text string) (*crash, error) {
	c := &crash{}
	if text == "" {
		return c, nil
	}
	var times int64
	if _, err := fmt.Sscanf(text, "%s %s %d", &c.when, &c.what, &times); err != nil {
		return nil, fmt.Errorf(`DIY_CRASH_AT must be like "before Subscribe 2", not %q`, text)
	}
	c.left.Store(times)
	return c, nil
}

// reach records that the server reached a point. It does not return if that is the crash point.
func (c *crash) reach(when, what string) {
	if when == c.when && what == c.what && c.left.Add(-1) == 0 {
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
		select {}
	}
}

// call runs do between its two points. There is no point after a call that failed.
func call[T any](c *crash, what string, do func() (T, error)) (T, error) {
	c.reach("before", what)
	result, err := do()
	if err == nil {
		c.reach("after", what)
	}
	return result, err
}

// callErr is call for functions that return only an error.
func callErr(c *crash, what string, do func() error) error {
	_, err := call(c, what, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// around is a payment.Interceptor with crash points around the calls that change something.
func (c *crash) around(ctx context.Context, call payment.Call, next func(context.Context) error) error {
	if call.Key == "" && call.Method != "Retire" {
		return next(ctx)
	}
	return callErr(c, call.Method, func() error { return next(ctx) })
}

// crashingStore has crash points around every method that writes.
type crashingStore struct {
	storage.Store
	crash *crash
}

func (s *crashingStore) CreateSignup(ctx context.Context, signup storage.Signup) error {
	return callErr(s.crash, "CreateSignup", func() error { return s.Store.CreateSignup(ctx, signup) })
}

func (s *crashingStore) UpdateOrganisation(
	ctx context.Context, id string, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	return call(s.crash, "UpdateOrganisation", func() (account.Organisation, error) {
		return s.Store.UpdateOrganisation(ctx, id, fn)
	})
}

func (s *crashingStore) ClaimCheck(ctx context.Context, now, until time.Time) (string, error) {
	return call(s.crash, "ClaimCheck", func() (string, error) { return s.Store.ClaimCheck(ctx, now, until) })
}

func (s *crashingStore) RecordReport(
	ctx context.Context, id string, r storage.Report, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	return call(s.crash, "RecordReport", func() (account.Organisation, error) { return s.Store.RecordReport(ctx, id, r, fn) })
}

func (s *crashingStore) RecordSignIn(
	ctx context.Context, id string, at time.Time, fn func(*account.User) (*mail.Message, error),
) error {
	return callErr(s.crash, "RecordSignIn", func() error { return s.Store.RecordSignIn(ctx, id, at, fn) })
}

func (s *crashingStore) UpdateUser(ctx context.Context, id string, fn func(*account.User) error) (account.User, error) {
	return call(s.crash, "UpdateUser", func() (account.User, error) { return s.Store.UpdateUser(ctx, id, fn) })
}

func (s *crashingStore) AddVerification(ctx context.Context, v account.Verification, email mail.Message, at time.Time) error {
	return callErr(s.crash, "AddVerification", func() error { return s.Store.AddVerification(ctx, v, email, at) })
}

func (s *crashingStore) SweepVerifications(ctx context.Context, before time.Time) error {
	return callErr(s.crash, "SweepVerifications", func() error { return s.Store.SweepVerifications(ctx, before) })
}

func (s *crashingStore) DeleteRegistration(ctx context.Context, userID string) (account.Organisation, error) {
	return call(s.crash, "DeleteRegistration", func() (account.Organisation, error) {
		return s.Store.DeleteRegistration(ctx, userID)
	})
}

func (s *crashingStore) SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error) {
	return call(s.crash, "SweepRegistrations", func() ([]account.Organisation, error) {
		return s.Store.SweepRegistrations(ctx, cutoff, limit)
	})
}

func (s *crashingStore) AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, at time.Time) error {
	return callErr(s.crash, "AddPasswordReset", func() error { return s.Store.AddPasswordReset(ctx, r, email, at) })
}

func (s *crashingStore) UsePasswordReset(
	ctx context.Context, tokenHash string, email mail.Message, at time.Time, fn func(*account.User) error,
) (account.User, error) {
	return call(s.crash, "UsePasswordReset", func() (account.User, error) {
		return s.Store.UsePasswordReset(ctx, tokenHash, email, at, fn)
	})
}

func (s *crashingStore) SweepPasswordResets(ctx context.Context, before time.Time) error {
	return callErr(s.crash, "SweepPasswordResets", func() error { return s.Store.SweepPasswordResets(ctx, before) })
}

func (s *crashingStore) AddEmailRequest(ctx context.Context, r storage.EmailRequest) error {
	return callErr(s.crash, "AddEmailRequest", func() error { return s.Store.AddEmailRequest(ctx, r) })
}

func (s *crashingStore) ClaimEmailRequest(ctx context.Context, now, until time.Time) (storage.EmailRequest, error) {
	return call(s.crash, "ClaimEmailRequest", func() (storage.EmailRequest, error) {
		return s.Store.ClaimEmailRequest(ctx, now, until)
	})
}

func (s *crashingStore) FinishEmailRequest(ctx context.Context, id string) error {
	return callErr(s.crash, "FinishEmailRequest", func() error { return s.Store.FinishEmailRequest(ctx, id) })
}

func (s *crashingStore) BeginOperation(ctx context.Context, op billing.Operation) (billing.Operation, error) {
	return call(s.crash, "BeginOperation", func() (billing.Operation, error) { return s.Store.BeginOperation(ctx, op) })
}

func (s *crashingStore) SettleOperation(ctx context.Context, key, result string, at time.Time) (bool, error) {
	return call(s.crash, "SettleOperation", func() (bool, error) { return s.Store.SettleOperation(ctx, key, result, at) })
}

func (s *crashingStore) BeginPaymentAttempt(
	ctx context.Context, a billing.PaymentAttempt, check func([]billing.PaymentAttempt) error,
) error {
	return callErr(s.crash, "BeginPaymentAttempt", func() error { return s.Store.BeginPaymentAttempt(ctx, a, check) })
}

func (s *crashingStore) RecordHardDecline(ctx context.Context, key string) error {
	return callErr(s.crash, "RecordHardDecline", func() error { return s.Store.RecordHardDecline(ctx, key) })
}

func (s *crashingStore) SweepPaymentAttempts(ctx context.Context, before time.Time) error {
	return callErr(s.crash, "SweepPaymentAttempts", func() error { return s.Store.SweepPaymentAttempts(ctx, before) })
}

func (s *crashingStore) RecordEnding(ctx context.Context, e billing.Ending) error {
	return callErr(s.crash, "RecordEnding", func() error { return s.Store.RecordEnding(ctx, e) })
}

func (s *crashingStore) SaveNewCard(ctx context.Context, c billing.NewCard) error {
	return callErr(s.crash, "SaveNewCard", func() error { return s.Store.SaveNewCard(ctx, c) })
}

func (s *crashingStore) DeleteNewCard(ctx context.Context, organisationID, cardID string) error {
	return callErr(s.crash, "DeleteNewCard", func() error { return s.Store.DeleteNewCard(ctx, organisationID, cardID) })
}

func (s *crashingStore) ClaimNewCardCheck(ctx context.Context, now, until time.Time) (string, error) {
	return call(s.crash, "ClaimNewCardCheck", func() (string, error) { return s.Store.ClaimNewCardCheck(ctx, now, until) })
}

func (s *crashingStore) ClaimEmails(ctx context.Context, now, until time.Time, limit int) ([]storage.Email, error) {
	claimed, err := s.Store.ClaimEmails(ctx, now, until, limit)
	if len(claimed) > 0 { // polling without a result is not a crash point
		s.crash.reach("after", "ClaimEmails")
	}
	return claimed, err
}

func (s *crashingStore) FinishEmail(ctx context.Context, id string) error {
	return callErr(s.crash, "FinishEmail", func() error { return s.Store.FinishEmail(ctx, id) })
}

func (s *crashingStore) PostponeEmail(ctx context.Context, id string, due time.Time) error {
	return callErr(s.crash, "PostponeEmail", func() error { return s.Store.PostponeEmail(ctx, id, due) })
}

func (s *crashingStore) RecordEvent(ctx context.Context, id, kind string, at time.Time) error {
	return callErr(s.crash, "RecordEvent", func() error { return s.Store.RecordEvent(ctx, id, kind, at) })
}

func (s *crashingStore) SweepEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	return call(s.crash, "SweepEvents", func() (int, error) { return s.Store.SweepEvents(ctx, before, limit) })
}
