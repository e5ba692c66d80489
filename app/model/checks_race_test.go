//go:build race

package model

// usualChecks are some ten seconds' worth of draws, each of which takes twenty times as long with
// the race detector.
const usualChecks = 12
