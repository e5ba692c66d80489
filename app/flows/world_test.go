package flows

import (
	"testing"

	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
)

const day = flowtest.Day

// world is a world with one server; servers can be added.
type world struct {
	*flowtest.World
	*app.UseCases
	t *testing.T
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return inhabited(t, flowtest.New(t))
}

func inhabited(t *testing.T, bare *flowtest.World) *world {
	t.Helper()
	return &world{World: bare, UseCases: bare.Server(bare.Store, bare.Bank), t: t}
}

// realPasswords has everything hashed as it is in production.
func (w *world) realPasswords() {
	w.Passwords = sessionidentity.NewPasswords()
	w.UseCases = w.Server(w.Store, w.Bank)
}
