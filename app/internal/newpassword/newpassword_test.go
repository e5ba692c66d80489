package newpassword_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

type passwords struct{ identity.Passwords }

func (passwords) IsCommon(p string) bool { return p == "Trustno1" || p == "Clinic2024" || p == "short" }

func TestRules_ReportTheMostImportantProblemOfThePassword(t *testing.T) {
	rules := newpassword.Rules{Passwords: passwords{}, Product: "Vision"}
	user := account.User{FirstName: "Adalyn", LastName: "Lovelace", Email: "frontdesk@example.com"}
	context := newpassword.ContextOf(user, "Riverside Clinic")

	for p, want := range map[string]string{
		"Tide-And-Time-7": "",
		"short": "Password policy not followed: at least 8 characters, at least 1 upper-case letter, " +
			"at least 1 number",
		"Trustno1":      "This password is too common and easily guessed",
		"Clinic2024":    "This password is too common and easily guessed",
		"Riverside2024": "Too easy to guess: contains your clinic's name.",
		"Lovelace-1815": "Too easy to guess: contains your name.",
		"Frontdesk-1":   "Too easy to guess: contains your email address.",
		"Vision2024":    "Too easy to guess: contains the name of this product.",
	} {
		message := ""
		for _, field := range fault.FieldsOf(rules.CheckRepeated(p, p, context)) {
			message = field.Message
			assert.Equal(t, "password", field.Name)
		}
		assert.Equal(t, want, message, p)
	}
}

func TestRules_ReportTheRepeatedPasswordToo(t *testing.T) {
	err := newpassword.Rules{Passwords: passwords{}}.CheckRepeated("Clinic1234", "other", newpassword.ContextOf(account.User{}, ""))

	assert.Equal(t, []fault.Field{
		{Name: "password_repeat", Message: "Passwords did not match"},
		{Name: "password", Message: "Too easy to guess: contains the word clinic."},
	}, fault.FieldsOf(err))
}
