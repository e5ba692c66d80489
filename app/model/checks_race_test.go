//go:build race

package model

const defaultChecks = 12 // about ten seconds with the race detector
