package smtpmail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"slices"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"github.com/vc-admin/diy/domain/fault"
)

func unavailable(cause error) error {
	return fault.Wrap(cause, fault.Unavailable, "The mail server did not take the letter.")
}

// connecting tells why there was no session to send a letter in, in words that hold no secret.
func connecting(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("smtp: connecting: %w", ctx.Err())
	}
	var reply *textproto.Error
	switch {
	case errors.As(err, &reply):
		return fmt.Errorf("smtp: greeting or signing in: the server answered %d", reply.Code)
	case isNetwork(err):
		return fmt.Errorf("smtp: connecting: %w", err)
	case strings.Contains(err.Error(), "STARTTLS"):
		return errors.New("smtp: the server does not offer STARTTLS")
	case strings.Contains(err.Error(), "AUTH"):
		return errors.New("smtp: the server offers no way to sign in that we know")
	}
	return errors.New("smtp: the server does not speak SMTP as expected")
}

// isNetwork reports whether an error is about the connection, whose texts name hosts at most.
func isNetwork(err error) bool {
	var network net.Error
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	return errors.As(err, &network) || errors.As(err, &certificate) || errors.As(err, &record) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// refused tells what a failed delivery means for the letter.
func refused(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return unavailable(fmt.Errorf("smtp: sending: %w", ctx.Err()))
	}
	var failure *gomail.SendError
	if !errors.As(err, &failure) {
		return unavailable(errors.New("smtp: sending failed"))
	}
	cause := describe(failure)
	if permanent(failure) {
		return fault.Wrap(cause, fault.Invalid, "The mail server will never take this letter.")
	}
	return unavailable(cause)
}

func describe(failure *gomail.SendError) error {
	if failure.ErrorCode() == 0 {
		return fmt.Errorf("smtp: %s: the connection failed", failure.Reason)
	}
	return fmt.Errorf("smtp: %s: the server answered %d %s", failure.Reason, failure.ErrorCode(), failure.EnhancedStatusCode())
}

// aboutUs are permanent answers that any letter would get: sign in first, and its relatives.
var aboutUs = []int{502, 503, 504, 530, 534, 535, 538}

// permanent reports whether the server refused this letter for good, rather than refusing us, or
// not being heard any more.
func permanent(failure *gomail.SendError) bool {
	letters := []gomail.SendErrReason{gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrSMTPDataClose}
	code := failure.ErrorCode()
	return !failure.IsTemp() && code >= 500 && code < 600 &&
		slices.Contains(letters, failure.Reason) && !slices.Contains(aboutUs, code)
}
