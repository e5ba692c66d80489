// Package ratelimittest is the suite that every ratelimit.Counters passes. An adapter's own test
// hands Run its Open and is done.
package ratelimittest
