//go:build !crashpoints

package main

import "go.uber.org/fx"

// crashPoints is nothing: only a server built to be killed in tests has them.
func crashPoints() fx.Option { return fx.Options() }
