package identitytest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
)

func nobodyAtFirst(t *testing.T, s Sessions) {
	s.seesNobody(t, "laptop")
	s.seesNobody(t, "laptop")
}

func signIn(t *testing.T, s Sessions) {
	s.Visit("laptop", func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, ann))
		s.current(ctx, t, ann)
	})
	s.sees(t, "laptop", ann)
	s.sees(t, "laptop", ann)
}

func signOut(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.Visit("laptop", func(ctx context.Context) {
		assert.NoError(t, s.End(ctx))
		s.currentNobody(ctx, t)
	})
	s.seesNobody(t, "laptop")
	s.start(t, "laptop", bob)
	s.sees(t, "laptop", bob)
}

func signOutOfNothing(t *testing.T, s Sessions) {
	s.end(t, "laptop")
	s.start(t, "laptop", ann)
	s.end(t, "laptop")
	s.end(t, "laptop")
	s.Visit("laptop", func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, ann))
		assert.NoError(t, s.End(ctx))
		s.currentNobody(ctx, t)
	})
	s.seesNobody(t, "laptop")
}

func signInAnew(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "laptop", bob)
	s.sees(t, "laptop", bob)
	s.Visit("laptop", func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, bob))
		assert.NoError(t, s.Start(ctx, ann))
		s.current(ctx, t, ann)
	})
	s.sees(t, "laptop", ann)
}

func twoBrowsers(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "phone", ann)
	s.start(t, "tablet", bob)
	s.seesNobody(t, "kiosk")
	s.end(t, "laptop")
	s.seesNobody(t, "laptop")
	s.sees(t, "phone", ann)
	s.sees(t, "tablet", bob)
}

func restart(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "phone", ann)
	s.end(t, "phone")

	again := s.Restart()
	again.sees(t, "laptop", ann)
	again.seesNobody(t, "phone")
	again.end(t, "laptop")
	s.seesNobody(t, "laptop")
}
