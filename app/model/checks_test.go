//go:build !race

package model

const defaultChecks = 200 // about ten seconds
