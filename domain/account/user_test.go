package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestVerification_ExpiresAfter48Hours(t *testing.T) {
	sentAt := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	link := account.Verification{ExpiresAt: sentAt.Add(account.VerificationLifetime)}

	assert.False(t, link.IsExpired(sentAt))
	assert.False(t, link.IsExpired(sentAt.Add(48*time.Hour-time.Microsecond)))
	assert.True(t, link.IsExpired(sentAt.Add(48*time.Hour)))
	assert.True(t, link.IsExpired(sentAt.AddDate(1, 0, 0)))
}

func TestVerify_SecondCallKeepsFirstTime(t *testing.T) {
	first := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	var user account.User
	assert.False(t, user.IsVerified())
	user.Verify(first)
	assert.True(t, user.IsVerified())
	user.Verify(first.Add(time.Hour))
	assert.Equal(t, first, user.VerifiedAt)
}

func TestRegistrationExpired_After48HoursUnlessVerified(t *testing.T) {
	createdAt := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	user := account.User{CreatedAt: createdAt}

	assert.False(t, user.IsRegistrationExpired(createdAt.Add(48*time.Hour-time.Microsecond)))
	assert.True(t, user.IsRegistrationExpired(createdAt.Add(48*time.Hour)))
	user.Verify(createdAt.Add(time.Hour))
	assert.False(t, user.IsRegistrationExpired(createdAt.AddDate(1, 0, 0)))
}

func TestResetPassword_VerifiesEmailAddressAndRaisesTheRevision(t *testing.T) {
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	user := account.User{PasswordHash: "old", SecurityRevision: 3}
	user.ResetPassword("new", now)
	assert.Equal(t, account.User{PasswordHash: "new", SecurityRevision: 4, VerifiedAt: now}, user)
}

func TestSignIn_NotifiesOfUnknownBrowserAfterFirstSignIn(t *testing.T) {
	first := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	var user account.User
	assert.False(t, user.SignIn(first, false))
	assert.False(t, user.SignIn(first.Add(time.Hour), true))
	assert.True(t, user.SignIn(first.Add(time.Hour), false))
	assert.Equal(t, first, user.FirstSignInAt)
}

func TestChangePassword_ForgetsWrongCodes(t *testing.T) {
	user := account.User{WrongCodes: account.MaxWrongCodes, WrongCodesOfKnownBrowsers: account.MaxWrongCodes}
	user.ChangePassword("new")
	assert.Zero(t, user.WrongCodes)
	assert.Zero(t, user.WrongCodesOfKnownBrowsers)
}

func TestProfile_IsNormalised(t *testing.T) {
	p, err := account.Profile{FirstName: "  Ann\u200b ", LastName: "“Lee”", Phone: "tel:+61 2\u20119000 0000"}.Normalise()

	require.NoError(t, err)
	assert.Equal(t, account.Profile{FirstName: "Ann", LastName: "Lee", Phone: "+61 2-9000 0000"}, p)
}

func TestProfile_PhoneIsOptional(t *testing.T) {
	_, err := account.Profile{FirstName: "Ann", LastName: "Lee"}.Normalise()
	require.NoError(t, err)
}

func TestProfile_ReportsInvalidFields(t *testing.T) {
	_, err := account.Profile{FirstName: "4nn", Phone: "12"}.Normalise()

	assert.Equal(t, []fault.Field{
		{Name: "firstName", Message: "Invalid first name"},
		{Name: "lastName", Message: "Last name is required"},
		{Name: "phone", Message: "Invalid contact details"},
	}, fault.FieldsOf(err))
}

func TestPasswordReset_ExpiresAfterOneHour(t *testing.T) {
	sentAt := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	link := account.PasswordReset{ExpiresAt: sentAt.Add(account.PasswordResetLifetime)}

	assert.False(t, link.IsExpired(sentAt.Add(time.Hour-time.Microsecond)))
	assert.True(t, link.IsExpired(sentAt.Add(time.Hour)))
}

func TestValidateNewPassword_RequiresPolicyAndRepetition(t *testing.T) {
	tests := []struct {
		name, password, repeat string
		want                   []fault.Field
	}{
		{"valid", "Tide-And-Time-7", "Tide-And-Time-7", nil},
		{"policy", "secret", "secret", []fault.Field{{Name: "password",
			Message: "Password policy not followed: at least 8 characters, at least 1 upper-case letter, at least 1 number"}}},
		{"not repeated", "Tide-And-Time-7", "",
			[]fault.Field{{Name: "password_repeat", Message: "Confirmation of Password is required"}}},
		{"repeated differently", "Tide-And-Time-7", "Secret124",
			[]fault.Field{{Name: "password_repeat", Message: "Passwords did not match"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, fault.FieldsOf(account.ValidateNewPassword(tt.password, tt.repeat)))
		})
	}
}
