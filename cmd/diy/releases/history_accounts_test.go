package releases

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/adapters/onetimecodes"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/ratelimit"
	"github.com/vc-admin/diy/ports/storage"
	"github.com/vc-admin/diy/ports/trace"
)

// cancellation ends the live subscription of the user at the provider.
func cancellation(user *apptest.User) payment.Cancellation {
	id := user.Account().LiveSubscription().ID
	return payment.Cancellation{Key: "cancel " + id, SubscriptionID: id}
}

func isKnownBrowser(account.User) bool { return true }

// signIn signs the user in with the password of the registration.
func (h *history) signIn(name string) identity.Identity {
	h.t.Helper()
	login := accounts.Login{Email: name + "@example.com", Password: apptest.Registration(name).Password}
	require.NoError(h.t, h.App.SignIn.Do(h.t.Context(), login, isKnownBrowser))
	caller, isSignedIn := h.Session.Current(h.t.Context())
	require.True(h.t, isSignedIn)
	return caller
}

// factors creates a user with two-step verification, a passkey, sessions, and links of all kinds.
func (h *history) factors() {
	h.t.Helper()
	ctx := h.t.Context()
	caller := h.signIn("factors")
	setup, err := h.App.StartTwoStep.Do(ctx, caller, false)
	require.NoError(h.t, err)
	code, err := onetimecodes.Codes{}.CodeAt(setup.Secret, h.Clock.Now().Unix()/30)
	require.NoError(h.t, err)
	_, err = h.App.ConfirmTwoStep.Do(ctx, caller, setup.State, code)
	require.NoError(h.t, err)
	wrong := accounts.Login{Email: "factors@example.com", Password: apptest.Registration("").Password, Code: "000000"}
	require.Error(h.t, h.App.SignIn.Do(ctx, wrong, isKnownBrowser))
	require.Error(h.t, h.App.SignIn.Do(ctx, wrong, func(account.User) bool { return false }))

	_, err = h.Store.UpdateCredentials(audit.WithActor(ctx, audit.User(caller.UserID)), caller.UserID, h.Clock.Now(),
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.Authenticators[0].LastUsedAt = h.Clock.Now()
			challenge := &account.UsedChallenge{Hash: "a hash", ExpiresAt: h.Clock.Now().Add(account.ChallengeLifetime)}
			return storage.CredentialsEffects{Challenge: challenge}, c.AddPasskey(account.Authenticator{
				ID: "auth_passkey", Name: "Laptop", CreatedAt: h.Clock.Now(),
				Passkey: account.Passkey{CredentialID: "Y3JlZGVudGlhbA", PublicKey: []byte("key"), SignCount: 1, Transports: []string{"internal"}},
			})
		})
	require.NoError(h.t, err)
	require.NoError(h.t, h.App.RequestEmailChange.Do(ctx, caller, "moved@example.com"))
	h.undo(caller)
	for i, methods := range [][]identity.Method{
		{identity.PasswordMethod, identity.OneTimeCodeMethod}, {identity.PasskeyMethod}, {identity.PasswordMethod, identity.RecoveryCodeMethod},
	} {
		require.NoError(h.t, h.Store.Sessions().AddSession(ctx, identity.SessionRecord{
			TokenHash: fmt.Sprint("token ", i), Identity: identity.Identity{
				SessionID: fmt.Sprint("ses_", i), UserID: caller.UserID, OrganisationID: caller.OrganisationID, AuthenticatedAt: h.Clock.Now(),
			},
			Methods: methods, CreatedAt: h.Clock.Now(), LastUsedAt: h.Clock.Now(), ExpiresAt: h.Clock.Now().Add(12 * time.Hour), Device: "Firefox on Linux",
		}))
	}
	h.emailRequests(caller)
	require.NoError(h.t, h.Store.UpdateCallerCheck(ctx, caller.OrganisationID, h.Clock.Now(),
		func(c *account.CallerCheck) (storage.CallerCheckEffects, error) {
			entry := audit.Entry{OrganisationID: caller.OrganisationID, Actor: audit.Operator("olga"), Kind: audit.OperatorCheckedCaller, Outcome: audit.Done}
			err := c.Send(caller.UserID, "act_caller", "a hash", h.Clock.Now())
			c.FailedTries = 1
			return storage.CallerCheckEffects{Entry: entry}, err
		}))
}

// undo stores a link that takes the account back.
func (h *history) undo(caller identity.Identity) {
	h.t.Helper()
	_, err := h.Store.UpdateCredentials(audit.WithActor(h.t.Context(), audit.User(caller.UserID)), caller.UserID, h.Clock.Now(),
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.Undos = append(c.Undos, account.Undo{
				TokenHash: "undo", UserID: caller.UserID, Email: c.User.Email, Revision: c.User.SecurityRevision,
				CreatedAt: h.Clock.Now(), ExpiresAt: h.Clock.Now().Add(7 * day),
			})
			return storage.CredentialsEffects{}, nil
		})
	require.NoError(h.t, err)
}

// emailRequests leaves a link for a new password, and requests for emails, one of which a server processes.
func (h *history) emailRequests(caller identity.Identity) {
	h.t.Helper()
	ctx := h.t.Context()
	require.NoError(h.t, h.App.ForgotPassword.Do(ctx, "factors@example.com", isKnownBrowser))
	_, err := h.App.SendRequestedEmails.Do(ctx)
	require.NoError(h.t, err)
	for _, kind := range []storage.EmailKind{storage.PasswordResetEmail, storage.VerificationEmail} {
		require.NoError(h.t, h.Store.AddEmailRequest(ctx, storage.EmailRequest{
			Kind: kind, Email: "factors@example.com", UserID: caller.UserID, RequestedAt: h.Clock.Now(),
		}))
	}
	_, err = h.Store.ClaimEmailRequest(ctx, h.Clock.Now(), time.Minute)
	require.NoError(h.t, err)
}

// operatorActions creates developer licenses, a requested erasure and an interrupted request.
func (h *history) operatorActions() {
	h.t.Helper()
	ctx := asOperator(h.t.Context())
	for name, reason := range map[string]audit.Reason{"developer": audit.Partner, "former": audit.OtherReason} {
		user := h.SignUp(name)
		err := h.App.GrantDevLicense.Do(ctx, action(user, "act_license_"+name, reason), "professional")
		require.NoError(h.t, err)
		if name == "former" {
			err = h.App.EndDevLicense.Do(ctx, action(user, "act_end_license", audit.SecurityReason))
			require.NoError(h.t, err)
		}
	}
	erasing := h.fresh(h.SignUp("erasing"))
	_, err := h.App.RequestErasure.Do(ctx, erasing.Identity, "Practice of erasing")
	require.NoError(h.t, err)
	req := security.OperatorRequest{Email: "developer@example.com", Operator: "olga", Reason: "stolen laptop"}
	require.NoError(h.t, h.App.EndUserSessions.Do(trace.WithID(ctx, "01JREQUEST"), req))
	h.interruptions()
}

// interruptions leaves requests whose outcome is unknown, and failures of the workers.
func (h *history) interruptions() {
	h.t.Helper()
	server := h.NewApp(h.Store, flakypayment.New(h.Provider, func(c flakypayment.Call) flakypayment.Fault {
		if c.Method == "Subscribe" || c.Method == "AddCredit" {
			return flakypayment.TimeoutBeforeExecution.Fault()
		}
		return nil
	}))

	interrupted := h.SignUp("interrupted")
	_, err := server.Subscribe.Do(h.t.Context(), interrupted.Identity,
		app.SubscribeRequest{MethodID: h.CreateCard(apptest.Visa), Price: professionalMonthly})
	require.Error(h.t, err)
	credited := h.SignUp("credited")
	credited.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	err = server.GrantFreeMonth.Do(asOperator(h.t.Context()), action(credited, "act_interrupted", audit.BillingError))
	require.Error(h.t, err)
}

// servers creates what the servers share, and an email that was refused once.
func (h *history) servers() {
	h.t.Helper()
	ctx := h.t.Context()
	_, err := h.Store.Secret(ctx, "xsrf")
	require.NoError(h.t, err)
	stop := errors.New("stopped")
	_, err = h.Store.RunLeased(ctx, "payments", time.Minute, func(context.Context) error { return stop })
	require.ErrorIs(h.t, err, stop)
	_, err = h.Store.RateLimits().Take(ctx, h.Clock.Now(), ratelimit.Try{Key: "a hash", Limit: ratelimit.Limit{Burst: 5, Period: time.Hour}})
	require.NoError(h.t, err)
	for _, outcome := range []storage.EventOutcome{storage.EventApplied, storage.EventIgnored, storage.EventFailed, storage.EventUnsigned} {
		require.NoError(h.t, h.Store.RecordEvent(ctx, storage.ReceivedEvent{
			ID: "evt_" + string(outcome), Type: "invoice.paid", OrganisationID: h.reported.OrganisationID, Outcome: outcome, ReceivedAt: h.Clock.Now(),
		}))
	}
	check, err := h.Store.ClaimBillingCheck(ctx, h.Clock.Now().Add(400*day), time.Minute)
	require.NoError(h.t, err)
	require.NotEmpty(h.t, check)
	emails, err := h.Store.ClaimEmails(ctx, h.Clock.Now(), time.Minute, 2)
	require.NoError(h.t, err)
	require.Len(h.t, emails, 2)
	emails[0].RefusedAt = h.Clock.Now()
	require.NoError(h.t, h.Store.PostponeEmail(ctx, emails[0], h.Clock.Now().Add(time.Minute)))
}
