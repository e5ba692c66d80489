package storagetest

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/storage"
)

// signupRace has everybody register the same e-mail at the same moment.
func signupRace(t *testing.T, h Harness) {
	s := h.Open(t)
	doors := h.doors(t, s)
	errs := make([]error, workers)
	race(func(worker int) {
		errs[worker] = doors[worker%len(doors)].CreateSignup(t.Context(), contender(worker))
	})

	var winners []storage.Signup
	for worker, err := range errs {
		if err == nil {
			winners = append(winners, contender(worker))
			continue
		}
		requireDuplicate(t, err, "email")
	}
	require.Len(t, winners, 1)
	requireSignup(t, s, winners[0])
}

func contender(worker int) storage.Signup {
	in := signup("worker-" + strconv.Itoa(worker))
	in.User.Email = "wanted@example.test"
	return in
}
