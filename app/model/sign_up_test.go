package model

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/ports/identity"
)

const mostOrgs = 2

// signUp registers one more organisation and verifies it. Whatever the provider does, it never costs a
// verification, unless the server itself dies on the way, when the person has to sign in.
func (h *house) signUp(t *rapid.T) {
	if len(h.orgs) == mostOrgs {
		t.Skip("there are enough of them")
	}
	name := string(rune('a' + len(h.orgs)))
	email := name + "@example.com"
	_, err := h.someServer(t).SignUp.Do(t.Context(), flowtest.Registration(name))
	require.NoError(t, err)
	token := h.VerificationToken(email)
	h.awaitTrouble(t)
	server := h.someServer(t)
	died, _ := inPeace(func() error {
		_, _, err := server.VerifyEmail.Do(t.Context(), token, func(string) bool { return true })
		return err
	})
	h.trouble.arm(nil, 0)
	user, err := h.Store.UserByEmail(t.Context(), email)
	require.NoError(t, err)
	require.True(t, user.Verified(), "died: %t", died)
	h.orgs = append(h.orgs, &org{who: identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID}})
	h.hear()
}

// inPeace does something that may die on the way.
func inPeace(do func() error) (died bool, err error) {
	ended := make(chan error, 1)
	go func() {
		defer close(ended) // dead or alive
		ended <- do()
	}()
	err, alive := <-ended
	return !alive, err
}

// hear has the events of what has happened wait for their delivery.
func (h *house) hear() { h.news = append(h.news, h.Arrived()...) }
