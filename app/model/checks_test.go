//go:build !race

package model

// usualChecks are some ten seconds' worth of draws.
const usualChecks = 200
