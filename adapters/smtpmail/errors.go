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

// connectError returns the error for a failed connection or login. It contains no secrets. It wraps mail.ErrPermanent if
// the server responded with a permanent code, or can't be used with the required encryption or authentication.
func connectError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("smtp: connecting: %w", ctx.Err())
	}
	var reply *textproto.Error
	switch {
	case errors.As(err, &reply) && reply.Code >= 500:
		return fmt.Errorf("smtp: greeting or authentication: refused permanently with %d: %w", reply.Code, mail.ErrPermanent)
	case errors.As(err, &reply):
		return fmt.Errorf("smtp: greeting or authentication: the server responded with %d", reply.Code)
	case isCertificateError(err):
		return fmt.Errorf("smtp: connecting: %w: %w", err, mail.ErrPermanent)
	case isNetworkError(err):
		return fmt.Errorf("smtp: connecting: %w", err)
	case strings.Contains(err.Error(), "STARTTLS"):
		return fmt.Errorf("smtp: the server does not offer STARTTLS: %w", mail.ErrPermanent)
	case strings.Contains(err.Error(), "AUTH"):
		return fmt.Errorf("smtp: the server offers no supported authentication mechanism: %w", mail.ErrPermanent)
	}
	return fmt.Errorf("smtp: the server does not speak SMTP as expected: %w", mail.ErrPermanent)
}

// isCertificateError reports whether err means that the server's certificate is not valid or that the server does not
// speak TLS. Its text may contain host names but no secrets.
func isCertificateError(err error) bool {
	var certificateErr *tls.CertificateVerificationError
	var recordErr tls.RecordHeaderError
	var alert tls.AlertError
	return errors.As(err, &certificateErr) || errors.As(err, &recordErr) || errors.As(err, &alert)
}

// isNetworkError reports whether err is an error of the network. Its text may contain host names but no secrets.
func isNetworkError(err error) bool {
	var netErr net.Error
	return errors.As(err, &netErr) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
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
	return newResponse(failure).fault()
}

// response is the response of the server to a step of a delivery.
type response struct {
	step   gomail.SendErrReason
	code   int    // 0 if the connection failed
	status string // the enhanced status code (RFC 3463); "" for none
}

// statusPattern matches the enhanced status code that follows the response code (RFC 2034, section 4). A status elsewhere
// in the text can be part of an IP address or of a quoted response. textproto.Error quotes the text after the code.
var statusPattern = regexp.MustCompile(`^[A-Za-z ]+: [45]\d\d "?([45]\.\d{1,3}\.\d{1,3})(?:[\s"\\]|$)`)

func newResponse(failure *gomail.SendError) response {
	r := response{step: failure.Reason, code: failure.ErrorCode()}
	if match := statusPattern.FindStringSubmatch(failure.Error()); match != nil {
		r.status = match[1]
	}
	return r
}

// fault converts the response to an error.
func (r response) fault() error {
	answer := fmt.Sprintf("%d %s", r.code, r.status)
	isRecipientRefused := r.step == gomail.ErrSMTPRcptTo
	switch {
	case r.code == 0:
		return unavailableError(fmt.Errorf("smtp: %s: the connection failed", r.step))
	case r.code < 500:
		return unavailableError(mail.WithAnswer(fmt.Errorf("smtp: %s: the server responded with %s", r.step, answer), answer))
	}
	cause := mail.WithAnswer(fmt.Errorf("smtp: %s: refused permanently with %s", r.step, answer), answer)
	switch {
	case isRecipientRefused && mailboxStatusPattern.MatchString(r.status):
		return fault.Wrap(fmt.Errorf("%w: %w", mail.ErrUnknownMailbox, cause), fault.Invalid, "The mailbox does not exist.")
	case isRecipientRefused && r.mayBeAboutRecipient():
		cause = fmt.Errorf("%w: %w", mail.ErrRecipientRefused, cause)
	}
	return unavailableError(fmt.Errorf("%w: %w", mail.ErrPermanent, cause))
}

// mailboxStatusPattern matches the enhanced status codes of RFC 3463 and RFC 7505 that name the mailbox as the reason:
// 5.1.1 (no such mailbox), 5.1.3 (invalid syntax of the address), 5.1.6 (the mailbox has moved), 5.1.10 (the domain
// accepts no emails) and 5.2.1 (the mailbox is disabled).
//
// The pattern does not match the other codes about addresses: 5.1.0 has no specific reason, 5.1.2 and 5.4.4 also occur if
// the mail server can't resolve names, 5.1.4 is an ambiguous address, and 5.1.7 and 5.1.8 are about the sender.
var mailboxStatusPattern = regexp.MustCompile(`^5\.(1\.(1|3|6|10)|2\.1)$`)

// unclearStatusPattern matches the enhanced status codes for which either the recipient or the mail server is at fault.
// Microsoft's servers use 5.4.1 for an unknown mailbox. A response without a status is unclear, too: Exim uses 550 both for
// an unknown mailbox and for "relay not permitted".
var unclearStatusPattern = regexp.MustCompile(`^(5\.0\.0|5\.1\.[024]|5\.4\.[14]|)$`)

// mayBeAboutRecipient reports whether a permanent refusal of RCPT TO can be about the recipient. The response codes are
// those that RFC 5321 and RFC 7504 define for the mailbox, so that a missing login (530), a full mailbox (552) and a
// refusal of the session (554) are not.
func (r response) mayBeAboutRecipient() bool {
	return slices.Contains([]int{550, 551, 553, 556}, r.code) && unclearStatusPattern.MatchString(r.status)
}
