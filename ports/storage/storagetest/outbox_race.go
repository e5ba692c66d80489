package storagetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/storage"
)

// claimRace has everybody claim until nothing is left.
func claimRace(t *testing.T, h Harness) {
	s, user := emptied(t, h)
	doors := h.doors(t, s)
	var want []string
	for i := range 3 * workers {
		want = append(want, fmt.Sprintf("%03d", i))
		posted(t, s, user, want[i], noon.Add(time.Duration(i)))
	}
	got := make([][]string, workers)
	race(func(worker int) { got[worker] = claimAll(t, doors[worker%len(doors)]) })
	all := slices.Concat(got...)
	slices.Sort(all)
	require.Equal(t, want, all)
}

func claimAll(t *testing.T, s storage.Store) []string {
	var mine []string
	for {
		emails, err := s.ClaimEmails(t.Context(), noon.Add(time.Minute), noon.Add(time.Hour), 2)
		if !assert.NoError(t, err) || len(emails) == 0 {
			return mine
		}
		mine = append(mine, recipients(emails)...)
	}
}
