// Package storagetest is the suite that every storage.Store passes. An adapter's own test hands
// Run a Harness and is done; what the adapter's backend can't do, its harness declares by leaving
// the function out, and the suite says so in its log.
//
// The suite asks only for what the port promises. Each file holds one promise.
package storagetest
