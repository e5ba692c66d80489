package accounts

import (
	"context"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// secondFactorChecker checks the codes of users whose password was verified and needs a second factor.
type secondFactorChecker struct {
	store interface {
		storage.Credentials
		storage.Organisations
	}
	codes  identity.OneTimeCodes
	clock  clock.Clock
	writer accountemails.Writer
}

// check uses up the code and returns its method, before a session is started. It returns SecondFactor without a code and
// WrongCode for one that is not accepted. In one transaction it compares the code, counts a wrong one, and queues an
// email about a wrong code and about a used recovery code.
func (c secondFactorChecker) check(
	ctx context.Context, user account.User, code string, isKnownBrowser bool,
) (identity.Method, error) {
	if code == "" {
		return "", errSecondFactor()
	}
	org, err := c.store.Organisation(ctx, user.OrganisationID)
	if err != nil {
		return "", fault.ReplaceNotFound(err, errWrongPassword())
	}
	now := c.clock.Now()
	notice := c.writer.SecurityNotice(user, now, org.TimeZone())
	var outcome account.SecondFactor
	_, err = c.store.UpdateCredentials(ctx, user.ID, now, func(stored *account.Credentials) (storage.CredentialsEffects, error) {
		if stored.User.SecurityRevision != user.SecurityRevision {
			return storage.CredentialsEffects{}, errWrongPassword()
		}
		var err error
		outcome, err = stored.CheckSecondFactor(code, now, isKnownBrowser, c.codes.CodeAt)
		effects := storage.CredentialsEffects{Emails: outcomeEmails(outcome, *stored, isKnownBrowser, notice)}
		if !outcome.IsAccepted() {
			effects.Entries = []audit.Entry{account.RefusedSignInEntry(user, isKnownBrowser, string(outcome))}
		}
		return effects, err
	})
	switch {
	case err != nil:
		return "", fault.ReplaceNotFound(err, errWrongPassword())
	case outcome == account.TooManyErrors:
		return "", fault.New(fault.WrongCode, "There were too many wrong codes. Please choose a new password first.")
	case outcome == account.LockedByErrors:
		return "", fault.New(fault.WrongCode, "There were too many wrong codes. Please contact us.")
	case outcome == account.UsedCode:
		return "", fault.New(fault.WrongCode, "This code was used already. Please wait for the next one.")
	case !outcome.IsAccepted():
		return "", fault.New(fault.WrongCode, "The code is not right. Please check it and try again.")
	}
	return identity.Method(outcome), nil
}

// outcomeEmails returns the emails about the outcome.
func outcomeEmails(
	outcome account.SecondFactor, credentials account.Credentials, isKnownBrowser bool, notice emails.SecurityNotice,
) []mail.Message {
	user := credentials.User
	var email mail.Message
	switch {
	case outcome == account.RecoveryCode:
		email = emails.RecoveryCodeUsed(notice, len(credentials.RecoveryCodes))
	case outcome == account.WrongCode && user.MustReportWrongCode(isKnownBrowser):
		email = emails.WrongCode(notice, user.CodeBlock(isKnownBrowser))
	default:
		return nil
	}
	email.To = user.Email
	return []mail.Message{email}
}

func errSecondFactor() error {
	return fault.New(fault.SecondFactor, "Please enter the code that your authenticator app shows.")
}
