//go:build !crashpoints

package diycmd

import "go.uber.org/fx"

// crashPoints returns no options without the build tag crashpoints, which only tests use.
func crashPoints() fx.Option { return fx.Options() }
