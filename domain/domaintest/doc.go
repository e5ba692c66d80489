// Package domaintest loads testdata/vectors, the rulebook that Go and the web app both run.
// It is for tests only; testdata/vectors/README.md says what each file holds.
package domaintest
