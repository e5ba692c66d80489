// Package fault defines the errors that all layers share. A fault has a Code that callers act on, a
// message that may be shown to users and, for invalid input, a message for each field. Adapters
// convert their errors into faults, and the HTTP API converts faults into responses.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Code classifies an error. Callers act on the code, never on the message.
type Code string

// The codes.
const (
	Invalid         Code = "invalid"         // the input breaks a rule; Fields names the fields
	Duplicate       Code = "duplicate"       // the name or email address is taken
	Conflict        Code = "conflict"        // the input is valid, but the current state forbids the action
	NotFound        Code = "not_found"       // there is no such object, or it belongs to another organisation
	Credentials     Code = "credentials"     // wrong email address or password
	SecondFactor    Code = "second_factor"   // the password is right, and a code is needed too
	WrongCode       Code = "wrong_code"      // the password is right, and the code is not
	Unauthenticated Code = "unauthenticated" // the request is not signed in
	Unverified      Code = "unverified"      // the email address is not verified yet
	Forbidden       Code = "forbidden"       // signed in, but not allowed
	Reauthenticate  Code = "reauthenticate"  // allowed after the user has authenticated again
	Declined        Code = "declined"        // the card was declined; the message is the payment provider's
	RateLimited     Code = "throttled"       // too many attempts
	Unsupported     Code = "unsupported"     // the payment provider does not support the request
	Unavailable     Code = "unavailable"     // another system failed; whether it acted is unknown
	Internal        Code = "internal"        // a defect of this program; the message is never shown
)

// Error is an error with a code. Message is shown to users and must not contain secrets, SQL or
// details of the provider. Unwrap returns the cause, which is for logs only.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	// RetryAfter is the time to wait before another try, or 0 if it is unknown.
	RetryAfter time.Duration
	cause      error
}

// New returns a fault without a cause.
func New(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// Newf returns a fault with a formatted message and without a cause.
func Newf(code Code, format string, args ...any) *Error {
	return New(code, fmt.Sprintf(format, args...))
}

// Wrap returns a fault with err as its cause. The message is for users, the cause for logs.
func Wrap(err error, code Code, message string) *Error {
	return &Error{Code: code, Message: message, cause: err}
}

// Error returns code, message and cause, for logs.
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

// MessageOf returns the message of the first fault in err's chain, or "" if there is none. It may be
// shown to users unless the code is Internal.
func MessageOf(err error) string {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Message
	}
	return ""
}

// RetryAfterOf returns the RetryAfter of the first fault in err's chain, or 0 if there is none.
func RetryAfterOf(err error) time.Duration {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.RetryAfter
	}
	return 0
}

// Is reports whether CodeOf(err) is the code.
func Is(err error, code Code) bool { return CodeOf(err) == code }

// ReplaceNotFound returns the replacement if err is NotFound, otherwise err. The replacement may be
// nil.
func ReplaceNotFound(err, replacement error) error {
	if Is(err, NotFound) {
		return replacement
	}
	return err
}
