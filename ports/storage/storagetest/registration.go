package storagetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// unverified is a sign-up whose user was never verified.
func unverified(name string) storage.Signup {
	in := signup(name)
	in.User.VerifiedAt = time.Time{}
	return in
}

func registered(t *testing.T, s storage.Store, in storage.Signup) storage.Signup {
	t.Helper()
	require.NoError(t, s.CreateSignup(t.Context(), in))
	return in
}

// requireDeleted wants no part of a sign-up to be there.
func requireDeleted(t *testing.T, s storage.Store, in storage.Signup) {
	t.Helper()
	_, err := s.Organisation(t.Context(), in.Organisation.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.User(t.Context(), in.User.ID)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), in.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
}

func registrationDeleted(t *testing.T, h Harness) {
	s := h.Open(t)
	ada, bob := registered(t, s, unverified("ada")), registered(t, s, unverified("bob"))
	more := account.Verification{TokenHash: "more", UserID: ada.User.ID, ExpiresAt: noon.Add(time.Hour)}
	require.NoError(t, s.AddVerification(t.Context(), more, message(ada.User.Email), noon))
	begun(t, s, operation("customer", ada.Organisation.ID, billing.CustomerOperation, noon))

	deleted, err := s.DeleteRegistration(t.Context(), ada.User.ID)

	require.NoError(t, err)
	require.Equal(t, ada.Organisation, deleted)
	requireDeleted(t, s, ada)
	_, err = s.Verification(t.Context(), "more")
	requireFault(t, fault.NotFound, err)
	require.Empty(t, pending(t, s))
	requireSignup(t, s, bob) // whose email is the only one left
	_, err = s.DeleteRegistration(t.Context(), ada.User.ID)
	requireFault(t, fault.NotFound, err)
	registered(t, s, renamed(unverified("ada again"), ada.Organisation.Name, ada.User.Email))
}

func registrationKept(t *testing.T, h Harness) {
	s := h.Open(t)
	verified, subscribed, licensed := signup("verified"), unverified("subscribed"), unverified("licensed")
	subscribed.Organisation.Billing.Subscriptions = []billing.Subscription{subscription("sub", billing.Canceled, noon)}
	licensed.Organisation.Billing.DevLicense = &billing.License{
		ID: "dev", Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "EUR"}, Status: billing.Active,
	}
	for _, in := range []storage.Signup{verified, subscribed, licensed} {
		registered(t, s, in)
		_, err := s.DeleteRegistration(t.Context(), in.User.ID)
		requireFault(t, fault.Conflict, err)
		swept, err := s.SweepRegistrations(t.Context(), noon.AddDate(1, 0, 0), 10)
		require.NoError(t, err)
		require.Empty(t, swept)
		taken := renamed(unverified("new "+in.User.ID), in.Organisation.Name, in.User.Email)
		taken.ExpiryCutoff = noon.AddDate(1, 0, 0)
		requireDuplicate(t, s.CreateSignup(t.Context(), taken), "org", "email")
		requireUser(t, s, in.User)
	}
}

// registrationsSwept keeps what was created after the cutoff.
func registrationsSwept(t *testing.T, h Harness) {
	s := h.Open(t)
	for i, name := range []string{"third", "first", "second", "later"} {
		in := unverified(name)
		in.User.CreatedAt = noon.Add([]time.Duration{0, -2 * time.Hour, -time.Hour, time.Microsecond}[i])
		registered(t, s, in)
	}
	var names []string
	for range 3 {
		swept, err := s.SweepRegistrations(t.Context(), noon, 2)
		require.NoError(t, err)
		for _, org := range swept {
			names = append(names, org.Name)
		}
	}
	require.Equal(t, []string{"Practice of first", "Practice of second", "Practice of third"}, names)
	requireUser(t, s, func() account.User {
		u := unverified("later").User
		u.CreatedAt = noon.Add(time.Microsecond)
		return u
	}())
}

// expiredGivesWay has a sign-up take the name of one expired registration and the e-mail address of
// another.
func expiredGivesWay(t *testing.T, h Harness) {
	s := h.Open(t)
	name, email, fresh := registered(t, s, unverified("name")), registered(t, s, unverified("email")), unverified("fresh")
	fresh.User.CreatedAt = noon.Add(time.Microsecond)
	registered(t, s, fresh)
	wanted := renamed(unverified("wanted"), name.Organisation.Name, email.User.Email)

	wanted.ExpiryCutoff = noon.Add(-time.Microsecond)
	requireDuplicate(t, s.CreateSignup(t.Context(), wanted), "org", "email")
	requireUser(t, s, name.User)
	wanted.ExpiryCutoff = noon
	requireDuplicate(t, s.CreateSignup(t.Context(), renamed(wanted, "", fresh.User.Email)), "email")
	registered(t, s, wanted)

	requireDeleted(t, s, name)
	requireDeleted(t, s, email)
	requireUser(t, s, fresh.User)
	requireUser(t, s, wanted.User)
}

// expiredRace has everybody register the e-mail address of an expired registration while others
// sweep it.
func expiredRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	expired := registered(t, s, renamed(unverified("ada"), "", "wanted@example.test"))
	errs := make([]error, workers)
	race(func(worker int) {
		door := doors[worker%len(doors)]
		if worker%4 == 0 {
			_, errs[worker] = door.SweepRegistrations(t.Context(), noon, 10)
			return
		}
		in := contender(worker)
		in.User.VerifiedAt, in.User.CreatedAt, in.ExpiryCutoff = time.Time{}, noon.Add(time.Hour), noon
		errs[worker] = door.CreateSignup(t.Context(), in)
	})

	won := 0
	for worker, err := range errs {
		switch {
		case worker%4 == 0:
			require.NoError(t, err)
		case err == nil:
			won++
		default:
			requireDuplicate(t, err, "email")
		}
	}
	require.Equal(t, 1, won)
	requireDeleted(t, s, expired)
}

// deletionRace has some delete a registration while others verify it: the first one decides.
func deletionRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	in := registered(t, s, unverified("ada"))
	errs := make([]error, workers)
	race(func(worker int) {
		door := doors[worker%len(doors)]
		if worker%2 == 0 {
			_, errs[worker] = door.DeleteRegistration(t.Context(), in.User.ID)
			return
		}
		_, errs[worker] = door.UpdateUser(t.Context(), in.User.ID, func(u *account.User) error {
			u.Verify(noon)
			return nil
		})
	})

	user, err := s.User(t.Context(), in.User.ID)
	verified := err == nil
	deleted := 0
	for worker, err := range errs {
		switch {
		case err == nil && worker%2 == 0:
			deleted++
		case worker%2 == 0 && verified:
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		case err != nil:
			assert.Equal(t, fault.NotFound, fault.CodeOf(err))
		default:
			assert.True(t, verified, "a verification that succeeded is kept")
		}
	}
	if verified {
		assert.True(t, user.Verified())
		assert.Zero(t, deleted)
		return
	}
	assert.Equal(t, 1, deleted)
	requireDeleted(t, s, in)
}

func emailRequestQueue(t *testing.T, h Harness) {
	s := h.Open(t)
	for i, email := range []string{"second@example.test", "first@example.test"} {
		require.NoError(t, s.AddEmailRequest(t.Context(), storage.EmailRequest{
			Kind: storage.VerificationEmail, Email: email, RequestedAt: noon.Add(-time.Duration(i) * time.Second),
		}))
	}
	claim := func(now time.Time) (storage.EmailRequest, error) {
		return s.ClaimEmailRequest(t.Context(), now, now.Add(time.Minute))
	}

	first, err := claim(noon)
	require.NoError(t, err)
	require.NotEmpty(t, first.ID)
	require.Equal(t, storage.EmailRequest{
		ID: first.ID, Kind: storage.VerificationEmail, Email: "first@example.test", RequestedAt: noon.Add(-time.Second),
	}, first)
	_, err = claim(noon.Add(-time.Microsecond))
	requireFault(t, fault.NotFound, err)
	second, err := claim(noon)
	require.NoError(t, err)
	require.Equal(t, "second@example.test", second.Email)
	_, err = claim(noon)
	requireFault(t, fault.NotFound, err)

	require.NoError(t, s.FinishEmailRequest(t.Context(), first.ID))
	require.NoError(t, s.FinishEmailRequest(t.Context(), first.ID))
	again, err := claim(noon.Add(time.Minute))
	require.NoError(t, err)
	require.Equal(t, second, again, "what nobody finished comes again")
}

// emailRequestRace wants every request to be claimed once.
func emailRequestRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	for range workers {
		require.NoError(t, s.AddEmailRequest(t.Context(), storage.EmailRequest{Kind: storage.VerificationEmail, RequestedAt: noon}))
	}
	claimed := make([]string, workers)
	race(func(worker int) {
		claimed[worker] = claimOne(t.Context(), doors[worker%len(doors)])
	})
	seen := map[string]bool{}
	for _, id := range claimed {
		assert.False(t, id != "" && seen[id], "claimed twice")
		seen[id] = true
	}
}

func claimOne(ctx context.Context, s storage.Store) string {
	r, err := s.ClaimEmailRequest(ctx, noon, noon.Add(time.Hour))
	if err != nil {
		return ""
	}
	return r.ID
}
