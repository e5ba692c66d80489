// Package smtpmail implements mail.Sender with SMTP. It sends one email at a time, at a limited rate, and reuses the
// connection.
//
// Connections to other hosts are always encrypted, and the server's certificate is verified. They use STARTTLS for
// smtp:// URLs and implicit TLS for smtps:// URLs. Only connections to localhost may be unencrypted.
//
// A permanent refusal (5xx) of the recipient or the content is Invalid, so that the email is not sent again. All other
// failures are Unavailable, so that the email is sent again later. These are network errors, temporary refusals (4xx),
// and refusals of the login or of the sender's address, which an operator can repair.
//
// Errors contain the SMTP step and the server's code only, because servers quote addresses, user names
// and contents in their responses, and errors are logged.
package smtpmail
