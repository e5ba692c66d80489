// Package smtpmail implements mail.Sender with SMTP. It sends one email at a time, at a limited rate, and reuses the
// connection.
//
// Connections to other hosts are always encrypted, and the server's certificate is verified. They use STARTTLS for
// smtp:// URLs and implicit TLS for smtps:// URLs. Only connections to localhost may be unencrypted.
//
// A refusal of the recipient that names the mailbox as unknown is Invalid and wraps mail.ErrUnknownMailbox. All other
// failures are Unavailable, so that the email is sent again later. Those that an operator has to repair wrap
// mail.ErrPermanent: permanent refusals (5xx) of the session, the login, the sender, the recipient or the content, and
// invalid certificates. Network errors and temporary refusals (4xx) do not.
//
// Errors contain the SMTP step and the server's code only, because servers quote addresses, user names
// and contents in their responses, and errors are logged.
package smtpmail
