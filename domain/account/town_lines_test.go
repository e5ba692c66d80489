package account

import (
	"testing"

	"github.com/vc-admin/diy/domain/domaintest"
)

func TestTownLines_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "town-lines", Address.TownLines)
}
