// Package mocks contains mocks for tests of package app that check the number or the order of calls. `make generate`
// generates every file but this one from .mockery.yaml.
package mocks
