package storagetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func userNotFound(t *testing.T, h Harness) {
	s := h.Open(t)
	signedUp(t, s, "ada")
	_, err := s.User(t.Context(), "nobody")
	requireFault(t, fault.NotFound, err)
	_, err = s.UserByEmail(t.Context(), "nobody@example.test")
	requireFault(t, fault.NotFound, err)
	_, err = s.UpdateUser(t.Context(), "nobody", func(*account.User) error {
		t.Error("there was nobody to change")
		return nil
	})
	requireFault(t, fault.NotFound, err)
}

func userByEmail(t *testing.T, h Harness) {
	s := h.Open(t)
	signedUp(t, s, "bystander")
	want := signedUp(t, s, "ada").User
	for _, email := range []string{"ada@example.test", "ADA@Example.Test", " \tada@example.test\n"} {
		got, err := s.UserByEmail(t.Context(), email)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func userUpdate(t *testing.T, h Harness) {
	s := h.Open(t)
	bystander, want := signedUp(t, s, "bystander").User, signedUp(t, s, "ada").User
	want.FirstName, want.LastName, want.PasswordHash, want.VerifiedAt = "Zoë", "Łuk", "hash", time.Time{}
	stored, err := s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
		*u = want
		u.ID, u.OrganisationID, u.Email, u.CreatedAt = "x", bystander.OrganisationID, "x@example.test", noon.Add(time.Hour)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, want, stored)
	requireUser(t, s, want)
	requireUser(t, s, bystander)
}

func userUpdateRollsBack(t *testing.T, h Harness) {
	s := h.Open(t)
	want := signedUp(t, s, "ada").User
	refusal := errors.New("no")
	_, err := s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
		u.FirstName = "ruined"
		return refusal
	})
	require.Same(t, refusal, err)
	require.Panics(t, func() {
		_, _ = s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
			u.FirstName = "ruined"
			panic("out of luck")
		})
	})
	requireUser(t, s, want)
}

func userUpdateRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	want := signedUp(t, s, "ada").User
	start := want.VerifiedAt
	race(func(worker int) {
		_, err := doors[worker%len(doors)].UpdateUser(t.Context(), want.ID, func(u *account.User) error {
			u.VerifiedAt = u.VerifiedAt.Add(time.Microsecond)
			return nil
		})
		assert.NoError(t, err)
	})
	want.VerifiedAt = start.Add(workers * time.Microsecond)
	requireUser(t, s, want)
}
