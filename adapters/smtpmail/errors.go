package smtpmail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"regexp"
	"slices"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
)

func unavailableError(cause error) error {
	return fault.Wrap(cause, fault.Unavailable, "The mail server did not accept the email.")
}

// connectError returns the error for a failed connection or login. It contains no secrets.
func connectError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("smtp: connecting: %w", ctx.Err())
	}
	var reply *textproto.Error
	switch {
	case errors.As(err, &reply):
		return fmt.Errorf("smtp: greeting or authentication: the server responded with %d", reply.Code)
	case isNetworkError(err):
		return fmt.Errorf("smtp: connecting: %w", err)
	case strings.Contains(err.Error(), "STARTTLS"):
		return errors.New("smtp: the server does not offer STARTTLS")
	case strings.Contains(err.Error(), "AUTH"):
		return errors.New("smtp: the server offers no supported authentication mechanism")
	}
	return errors.New("smtp: the server does not speak SMTP as expected")
}

// isNetworkError reports whether err is an error of the network or of TLS. Its text may contain host names but no secrets.
func isNetworkError(err error) bool {
	var netErr net.Error
	var certificateErr *tls.CertificateVerificationError
	var recordErr tls.RecordHeaderError
	return errors.As(err, &netErr) || errors.As(err, &certificateErr) || errors.As(err, &recordErr) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// sendError converts the error of a failed delivery into a fault.
func sendError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return unavailableError(fmt.Errorf("smtp: sending: %w", ctx.Err()))
	}
	var failure *gomail.SendError
	if !errors.As(err, &failure) {
		return unavailableError(errors.New("smtp: sending failed"))
	}
	cause := stepError(failure)
	if isPermanent(failure) && isAboutRecipient(failure) {
		cause = fmt.Errorf("%w: %w", mail.ErrRecipientRefused, cause)
	}
	if isPermanent(failure) {
		return fault.Wrap(cause, fault.Invalid, "The mail server refused the email permanently.")
	}
	return unavailableError(cause)
}

// stepError describes a failed SMTP step by its name and the server's code.
func stepError(failure *gomail.SendError) error {
	if failure.ErrorCode() == 0 {
		return fmt.Errorf("smtp: %s: the connection failed", failure.Reason)
	}
	return fmt.Errorf("smtp: %s: the server responded with %d %s",
		failure.Reason, failure.ErrorCode(), failure.EnhancedStatusCode())
}

// sessionCodes are permanent codes about the session rather than the email, such as a missing login.
var sessionCodes = []int{502, 503, 504, 530, 534, 535, 538}

// isPermanent reports whether the server refused the recipient or the content of this email permanently.
func isPermanent(failure *gomail.SendError) bool {
	steps := []gomail.SendErrReason{gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrSMTPDataClose}
	code := failure.ErrorCode()
	return !failure.IsTemp() && code >= 500 && code < 600 &&
		slices.Contains(steps, failure.Reason) && !slices.Contains(sessionCodes, code)
}

// recipientStatusPattern matches the enhanced status codes about the recipient (RFC 3463). 5.1.1 to 5.1.6 and 5.1.10 are
// about the address, 5.2.1 means a disabled mailbox, and 5.4.4 a domain without a mail server. Microsoft's servers use
// 5.4.1 for an unknown mailbox.
var recipientStatusPattern = regexp.MustCompile(`^5\.(1\.([1-6]|10)|2\.1|4\.[14])$`)

// isAboutRecipient reports whether a permanent refusal is about the recipient rather than the sender, its reputation or
// the content. A refusal of RCPT TO without an enhanced status code counts as one about the recipient.
func isAboutRecipient(failure *gomail.SendError) bool {
	if status := failure.EnhancedStatusCode(); status != "" {
		return recipientStatusPattern.MatchString(status)
	}
	return failure.Reason == gomail.ErrSMTPRcptTo
}
