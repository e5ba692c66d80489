package storagetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// signupRefusesTakenNames has a first sign-up whose name and e-mail others then come close to.
func signupRefusesTakenNames(t *testing.T, h Harness) {
	s := h.Open(t)
	first := signup("first")
	first.Organisation.Name, first.User.Email = "École Żabka", "zoe@example.test"
	require.NoError(t, s.CreateSignup(t.Context(), first))

	for _, c := range []struct {
		name, org, email string
		taken            []string
	}{
		{"the same name", "École Żabka", "", []string{"org"}},
		{"the name in capitals", "ÉCOLE ŻABKA", "", []string{"org"}},
		{"the name in small letters", "école żabka", "", []string{"org"}},
		{"the name between spaces", " \t\u00a0École Żabka\u2003\n", "", []string{"org"}},
		{"the same e-mail", "", "zoe@example.test", []string{"email"}},
		{"the e-mail in capitals", "", "ZOE@Example.TEST", []string{"email"}},
		{"the e-mail between spaces", "", "  zoe@example.test ", []string{"email"}},
		{"both", "école Żabka", "Zoe@example.test", []string{"org", "email"}},
		{"a name without its accents", "Ecole Zabka", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := s.CreateSignup(t.Context(), renamed(signup(c.name), c.org, c.email))
			if c.taken == nil {
				require.NoError(t, err)
				return
			}
			requireDuplicate(t, err, c.taken...)
		})
	}
}

// renamed gives a sign-up another name and another e-mail, where they are not empty.
func renamed(in storage.Signup, org, email string) storage.Signup {
	if org != "" {
		in.Organisation.Name = org
	}
	if email != "" {
		in.User.Email = email
	}
	return in
}

// requireDuplicate wants the fields to be the taken ones, and the message to mention them and
// no others.
func requireDuplicate(t *testing.T, err error, taken ...string) {
	t.Helper()
	requireFault(t, fault.Duplicate, err)
	var fields []string
	for _, f := range fault.FieldsOf(err) {
		assert.NotEmpty(t, f.Message)
		fields = append(fields, f.Name)
	}
	require.Equal(t, taken, fields)
	var known *fault.Error
	require.ErrorAs(t, err, &known)
	for _, word := range []string{"org", "email"} {
		mentioned := strings.Contains(known.Message, word)
		assert.Equal(t, slices.Contains(taken, word), mentioned, "%q and %q", known.Message, word)
	}
}
