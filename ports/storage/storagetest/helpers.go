package storagetest

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// workers is how many take part in a race.
const workers = 20

// race lets the workers go at the same moment and waits for all of them.
func race(work func(worker int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for worker := range workers {
		all.Go(func() {
			<-start
			work(worker)
		})
	}
	close(start)
	all.Wait()
}

// requireFault wants the error to be a fault of the code, with a sentence for a person.
func requireFault(t *testing.T, code fault.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, fault.CodeOf(err), "%v", err)
	var known *fault.Error
	require.ErrorAs(t, err, &known)
	assert.NotEmpty(t, known.Message)
}

// update changes an organisation and wants that to succeed.
func update(
	t *testing.T, s storage.Store, id string, change func(*account.Organisation),
) account.Organisation {
	t.Helper()
	stored, err := s.UpdateOrganisation(t.Context(), id, func(o *account.Organisation) error {
		change(o)
		return nil
	})
	require.NoError(t, err)
	return stored
}

// requireOrganisation wants the store to hold exactly this organisation.
func requireOrganisation(t *testing.T, s storage.Store, want account.Organisation) {
	t.Helper()
	got, err := s.Organisation(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// requireUser wants the store to hold exactly this user.
func requireUser(t *testing.T, s storage.Store, want account.User) {
	t.Helper()
	got, err := s.User(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// claim takes emails out of the outbox for an hour.
func claim(t *testing.T, s storage.Store, now time.Time, limit int) []storage.Email {
	t.Helper()
	emails, err := s.ClaimEmails(t.Context(), now, now.Add(time.Hour), limit)
	require.NoError(t, err)
	return emails
}

// recipients names whom the emails go to, in their order.
func recipients(emails []storage.Email) []string {
	to := []string{}
	for _, l := range emails {
		to = append(to, l.Message.To)
	}
	return to
}
