// Package mail is the port through which letters leave the house.
package mail

import "context"

// Message is one letter: plain text with an HTML twin, both complete.
type Message struct {
	To      string
	Subject string
	Text    string
	HTML    string
}

// Sender delivers letters.
type Sender interface {
	// Send hands the letter over for delivery. What Check refuses is refused before anybody hears
	// of it; an ended ctx is Unavailable. An Unavailable fault means it may be tried again
	// later; an Invalid one that this letter will never be accepted. A nil error means that
	// somebody else has taken responsibility for it.
	Send(ctx context.Context, m Message) error
}
