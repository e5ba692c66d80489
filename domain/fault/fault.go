// Package fault says what went wrong in terms every layer understands: a Code to act on, a
// message a person may read and, for invalid input, a message for each field. Adapters turn
// their own errors into faults; the HTTP face turns faults into answers. Nobody compares texts.
package fault

import (
	"errors"
	"fmt"
)

// Code classifies a failure. Callers decide by code, never by message.
type Code string

// The codes, from the most to the least the caller can do about it.
const (
	Invalid         Code = "invalid"         // the input breaks a rule; Fields says which
	Duplicate       Code = "duplicate"       // the name or e-mail is taken
	Conflict        Code = "conflict"        // the input is fine, the present state refuses it
	NotFound        Code = "not_found"       // no such thing, or not yours
	Credentials     Code = "credentials"     // wrong e-mail or password
	Unauthenticated Code = "unauthenticated" // nobody is signed in
	Unverified      Code = "unverified"      // the e-mail address is not verified yet
	Forbidden       Code = "forbidden"       // signed in, but not allowed
	Declined        Code = "declined"        // the card was refused; the message is the provider's
	Throttled       Code = "throttled"       // too many tries
	Unavailable     Code = "unavailable"     // an outside system failed; whether it acted is unknown
	Internal        Code = "internal"        // our own defect; the message is never shown
)

// Error is a failure with a code. Message is a sentence for a person and must hold no secret,
// SQL or provider internals; the cause, for logs only, is what Unwrap returns.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	cause   error
}

// New makes a fault without a cause.
func New(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// Newf is New with a formatted message.
func Newf(code Code, format string, args ...any) *Error {
	return New(code, fmt.Sprintf(format, args...))
}

// Wrap makes a fault whose cause is err. The cause goes to the logs, the message to the person.
func Wrap(err error, code Code, message string) *Error {
	return &Error{Code: code, Message: message, cause: err}
}

// Error names the code, the message and the cause: the text for logs.
func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Message
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// CodeOf returns the code of the first fault in err's chain, Internal for any other error and
// "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Code
	}
	return Internal
}

// MessageOf returns the message of the first fault in err's chain: what a person may read, unless
// the code is Internal. Any other error has none.
func MessageOf(err error) string {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Message
	}
	return ""
}

// Is reports whether err carries the code.
func Is(err error, code Code) bool { return CodeOf(err) == code }
