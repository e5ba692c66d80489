package emails

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// testNotice is the data of an email about an event at a user's account.
var testNotice = SecurityNotice{
	Sender: Sender{Brand: "Vision"}, FirstName: "Zoë", Link: "https://vision.example/vc-admin/auth/forgot",
	At: "5 March 2026 at 10:30 am AEDT",
}

func TestPasswordChangedByLink_ContainsTimeAndLink(t *testing.T) {
	m := PasswordChangedByLink(testNotice)

	assert.Equal(t, "Your password for Vision was changed", m.Subject)
	assertBothPartsContain(t, m, "Hello Zoë,", "changed on 5 March 2026 at 10:30 am AEDT", "If it was not you", testNotice.Link)
}

func TestPasswordChangedInSession_SaysThatOtherBrowsersAreSignedOut(t *testing.T) {
	m := PasswordChangedInSession(testNotice)

	assert.Equal(t, "Your password for Vision was changed", m.Subject)
	assertBothPartsContain(t, m, "Hello Zoë,", "changed on 5 March 2026 at 10:30 am AEDT",
		"You were signed out in all other browsers.", "If it was not you", testNotice.Link)
}

func TestNewSignIn_ContainsTimeAndLink(t *testing.T) {
	m := NewSignIn(testNotice)

	assert.Equal(t, "New sign-in to your Vision account", m.Subject)
	assertBothPartsContain(t, m, "Hello Zoë,", "signed in to on 5 March 2026 at 10:30 am AEDT", "If it was not", testNotice.Link)
}
