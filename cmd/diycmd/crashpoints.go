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
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// crashPoints makes the server kill itself with SIGKILL at the point that DIY_CRASH_AT names. "before Subscribe 2"
// stands for the second time that the server is about to call Subscribe. Every writing method of the storage and payment
// ports has a point before and after it. Database transactions have the point "before commit".
func crashPoints() fx.Option {
	crash, err := parseCrashPoint(os.Getenv("DIY_CRASH_AT"))
	if err != nil {
		return fx.Error(err)
	}
	sqlstorage.SetBeforeCommit(func() { crash.crashIfReached("before", "commit") })
	return fx.Options(fx.Invoke(useDevClock), fx.Decorate(
		func(store storage.Store) storage.Store { return &crashingStore{Store: store, crash: crash} },
		func(provider payment.Provider) payment.Provider { return payment.Intercept(provider, crash.intercept) },
	))
}

// useDevClock makes the store measure the ages of operations with the development clock, so that a test can advance the
// clock instead of waiting until an operation is old enough to be taken over. DIY_CRASH_CLOCK is an offset such as "-720h",
// which simulates a database with another clock.
func useDevClock(store *sqlstorage.Store, clock clock.Clock) error {
	offset, err := time.ParseDuration(cmp.Or(os.Getenv("DIY_CRASH_CLOCK"), "0s"))
	store.UseClock(func() time.Time { return clock.Now().Add(offset) })
	return err
}

// crashPoint is the point at which the server kills itself.
type crashPoint struct {
	timing, method string
	remaining      atomic.Int64 // number of times that the server must still reach the point to crash
}

func parseCrashPoint(text string) (*crashPoint, error) {
	c := &crashPoint{}
	if text == "" {
		return c, nil
	}
	var times int64
	if _, err := fmt.Sscanf(text, "%s %s %d", &c.timing, &c.method, &times); err != nil {
		return nil, fmt.Errorf(`DIY_CRASH_AT must be like "before Subscribe 2", not %q`, text)
	}
	c.remaining.Store(times)
	return c, nil
}

// crashIfReached kills the server if it has reached the crash point.
func (c *crashPoint) crashIfReached(timing, method string) {
	if timing == c.timing && method == c.method && c.remaining.Add(-1) == 0 {
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
		select {} // until the signal arrives
	}
}

// callWithCrashPoints calls do, with a crash point before the call and, if do succeeds, one after the call.
func callWithCrashPoints[T any](c *crashPoint, method string, do func() (T, error)) (T, error) {
	c.crashIfReached("before", method)
	result, err := do()
	if err == nil {
		c.crashIfReached("after", method)
	}
	return result, err
}

// execWithCrashPoints is like callWithCrashPoints for a function that returns only an error.
func execWithCrashPoints(c *crashPoint, method string, do func() error) error {
	_, err := callWithCrashPoints(c, method, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// intercept implements payment.Interceptor. Only calls that change something have crash points.
func (c *crashPoint) intercept(ctx context.Context, call payment.Call, next func(context.Context) error) error {
	if call.Key == "" && call.Method != "Retire" {
		return next(ctx)
	}
	return execWithCrashPoints(c, call.Method, func() error { return next(ctx) })
}

// crashingStore adds crash points to all methods that write.
type crashingStore struct {
	storage.Store
	crash *crashPoint
}

func (s *crashingStore) CreateSignUp(ctx context.Context, signUp storage.SignUp) error {
	return execWithCrashPoints(s.crash, "CreateSignUp", func() error { return s.Store.CreateSignUp(ctx, signUp) })
}

func (s *crashingStore) UpdateOrganisation(
	ctx context.Context, id string, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	return callWithCrashPoints(s.crash, "UpdateOrganisation", func() (account.Organisation, error) {
		return s.Store.UpdateOrganisation(ctx, id, fn)
	})
}

func (s *crashingStore) ClaimBillingCheck(ctx context.Context, now time.Time, lease time.Duration) (storage.Check, error) {
	return callWithCrashPoints(s.crash, "ClaimBillingCheck", func() (storage.Check, error) {
		return s.Store.ClaimBillingCheck(ctx, now, lease)
	})
}

func (s *crashingStore) ReleaseBillingCheck(ctx context.Context, c storage.Check, next time.Time) error {
	return execWithCrashPoints(s.crash, "ReleaseBillingCheck", func() error { return s.Store.ReleaseBillingCheck(ctx, c, next) })
}

func (s *crashingStore) UpdateBilling(
	ctx context.Context, id string, r storage.BillingUpdate, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	return callWithCrashPoints(s.crash, "UpdateBilling", func() (account.Organisation, error) {
		return s.Store.UpdateBilling(ctx, id, r, fn)
	})
}

func (s *crashingStore) RecordSignIn(
	ctx context.Context, id string, entry audit.Entry, at time.Time, fn func(*account.User) (*mail.Message, error),
) error {
	return execWithCrashPoints(s.crash, "RecordSignIn", func() error { return s.Store.RecordSignIn(ctx, id, entry, at, fn) })
}

func (s *crashingStore) UpdateUser(ctx context.Context, id string, fn func(*account.User) error) (account.User, error) {
	return callWithCrashPoints(s.crash, "UpdateUser", func() (account.User, error) { return s.Store.UpdateUser(ctx, id, fn) })
}

func (s *crashingStore) AddVerification(ctx context.Context, v account.Verification, email mail.Message, at time.Time) error {
	return execWithCrashPoints(s.crash, "AddVerification", func() error { return s.Store.AddVerification(ctx, v, email, at) })
}

func (s *crashingStore) SweepVerifications(ctx context.Context, before, latest time.Time) error {
	return execWithCrashPoints(s.crash, "SweepVerifications", func() error { return s.Store.SweepVerifications(ctx, before, latest) })
}

func (s *crashingStore) DeleteRegistration(ctx context.Context, userID string) (account.Organisation, error) {
	return callWithCrashPoints(s.crash, "DeleteRegistration", func() (account.Organisation, error) {
		return s.Store.DeleteRegistration(ctx, userID)
	})
}

func (s *crashingStore) SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error) {
	return callWithCrashPoints(s.crash, "SweepRegistrations", func() ([]account.Organisation, error) {
		return s.Store.SweepRegistrations(ctx, cutoff, limit)
	})
}

func (s *crashingStore) AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, at time.Time) error {
	return execWithCrashPoints(s.crash, "AddPasswordReset", func() error { return s.Store.AddPasswordReset(ctx, r, email, at) })
}

func (s *crashingStore) UpdateCredentials(
	ctx context.Context, userID string, at time.Time,
	fn func(*account.Credentials) (storage.CredentialsEffects, error),
) (account.User, error) {
	return callWithCrashPoints(s.crash, "UpdateCredentials", func() (account.User, error) {
		return s.Store.UpdateCredentials(ctx, userID, at, fn)
	})
}

func (s *crashingStore) SweepEmailChanges(ctx context.Context, before, latest time.Time) error {
	return execWithCrashPoints(s.crash, "SweepEmailChanges", func() error { return s.Store.SweepEmailChanges(ctx, before, latest) })
}

func (s *crashingStore) SweepUndos(ctx context.Context, before, latest time.Time) error {
	return execWithCrashPoints(s.crash, "SweepUndos", func() error { return s.Store.SweepUndos(ctx, before, latest) })
}

func (s *crashingStore) SweepChallenges(ctx context.Context, before time.Time) error {
	return execWithCrashPoints(s.crash, "SweepChallenges", func() error { return s.Store.SweepChallenges(ctx, before) })
}

func (s *crashingStore) SweepPasswordResets(ctx context.Context, before, latest time.Time) error {
	return execWithCrashPoints(s.crash, "SweepPasswordResets", func() error { return s.Store.SweepPasswordResets(ctx, before, latest) })
}

func (s *crashingStore) AddEmailRequest(ctx context.Context, r storage.EmailRequest) error {
	return execWithCrashPoints(s.crash, "AddEmailRequest", func() error { return s.Store.AddEmailRequest(ctx, r) })
}

func (s *crashingStore) ClaimEmailRequest(ctx context.Context, now time.Time, lease time.Duration) (storage.EmailRequest, error) {
	return callWithCrashPoints(s.crash, "ClaimEmailRequest", func() (storage.EmailRequest, error) {
		return s.Store.ClaimEmailRequest(ctx, now, lease)
	})
}

func (s *crashingStore) FinishEmailRequest(ctx context.Context, id string) error {
	return execWithCrashPoints(s.crash, "FinishEmailRequest", func() error { return s.Store.FinishEmailRequest(ctx, id) })
}

func (s *crashingStore) BeginOperation(
	ctx context.Context, op billing.Operation, revision int64,
) (storage.PendingOperation, error) {
	return callWithCrashPoints(s.crash, "BeginOperation", func() (storage.PendingOperation, error) {
		return s.Store.BeginOperation(ctx, op, revision)
	})
}

func (s *crashingStore) SettleOperation(
	ctx context.Context, key string, settlement billing.Settlement, at time.Time,
) (bool, error) {
	return callWithCrashPoints(s.crash, "SettleOperation", func() (bool, error) {
		return s.Store.SettleOperation(ctx, key, settlement, at)
	})
}

func (s *crashingStore) BeginPaymentAttempt(
	ctx context.Context, a billing.PaymentAttempt, check func([]billing.PaymentAttempt) error,
) error {
	return execWithCrashPoints(s.crash, "BeginPaymentAttempt", func() error { return s.Store.BeginPaymentAttempt(ctx, a, check) })
}

func (s *crashingStore) RecordHardDecline(ctx context.Context, key string) error {
	return execWithCrashPoints(s.crash, "RecordHardDecline", func() error { return s.Store.RecordHardDecline(ctx, key) })
}

func (s *crashingStore) SweepPaymentAttempts(ctx context.Context, before time.Time) error {
	return execWithCrashPoints(s.crash, "SweepPaymentAttempts", func() error { return s.Store.SweepPaymentAttempts(ctx, before) })
}

func (s *crashingStore) RecordEndFeedback(ctx context.Context, e billing.EndFeedback) error {
	return execWithCrashPoints(s.crash, "RecordEndFeedback", func() error { return s.Store.RecordEndFeedback(ctx, e) })
}

func (s *crashingStore) ClaimEmails(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]storage.Email, error) {
	emails, err := s.Store.ClaimEmails(ctx, now, lease, limit)
	if len(emails) > 0 { // polling without a result is not a crash point
		s.crash.crashIfReached("after", "ClaimEmails")
	}
	return emails, err
}

func (s *crashingStore) FinishEmail(ctx context.Context, id string, outcome storage.EmailOutcome) error {
	return execWithCrashPoints(s.crash, "FinishEmail", func() error { return s.Store.FinishEmail(ctx, id, outcome) })
}

func (s *crashingStore) PostponeEmail(ctx context.Context, e storage.Email, dueAt time.Time) error {
	return execWithCrashPoints(s.crash, "PostponeEmail", func() error { return s.Store.PostponeEmail(ctx, e, dueAt) })
}

func (s *crashingStore) RecordEvent(ctx context.Context, e storage.ReceivedEvent) error {
	return execWithCrashPoints(s.crash, "RecordEvent", func() error { return s.Store.RecordEvent(ctx, e) })
}

func (s *crashingStore) SweepEvents(ctx context.Context, before time.Time, limit int) (int, error) {
	return callWithCrashPoints(s.crash, "SweepEvents", func() (int, error) { return s.Store.SweepEvents(ctx, before, limit) })
}
