// Package mailtest is the suite that every adapter of ports/mail passes.
package mailtest

import (
	"testing"

	"github.com/vc-admin/diy/ports/mail"
)

// Harness is an adapter under test and the other end of its line.
type Harness struct {
	Sender mail.Sender
	// Delivered returns the letters that arrived so far, in the order they did, decoded and with
	// lines ending in "\n". Line ends at the very end of a text don't matter.
	Delivered func() []mail.Message
}

// Run proves that the adapter keeps the port's promises. open makes a fresh adapter and cleans up
// through t.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	tests := map[string]func(*testing.T, Harness){
		"whole letters":      wholeLetters,
		"in order":           inOrder,
		"many at once":       manyAtOnce,
		"impossible letters": impossibleLetters,
		"an ended context":   endedContext,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}
