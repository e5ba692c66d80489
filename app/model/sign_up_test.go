package model

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/ports/identity"
)

const mostOrgs = 2

// signUp registers one more organisation. Whatever the provider does, it never costs a sign-up,
// unless the server itself dies on the way, when the person has to sign in.
func (h *house) signUp(t *rapid.T) {
	if len(h.orgs) == mostOrgs {
		t.Skip("there are enough of them")
	}
	name := string(rune('a' + len(h.orgs)))
	h.awaitTrouble(t)
	server := h.someServer(t)
	died, _ := inPeace(func() error {
		_, err := server.SignUp.Do(t.Context(), flowtest.Registration(name))
		return err
	})
	h.trouble.arm(nil, 0)
	user, err := h.Store.UserByEmail(t.Context(), name+"@example.com")
	require.NoError(t, err, "died: %t", died)
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
