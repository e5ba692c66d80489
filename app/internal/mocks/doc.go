// Package mocks contains mocks for tests of packages billingsync and operation that check the number or the order of calls.
// `make generate` generates its files from .mockery.yaml, except doc.go and memory_store.go.
package mocks
