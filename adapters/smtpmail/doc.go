// Package smtpmail sends emails over SMTP, one after another within a rate, on a connection that is kept for the next
// email.
//
// Connections to other hosts are always encrypted with a verified certificate: with STARTTLS for
// smtp:// URLs and with implicit TLS for smtps:// URLs. Only connections to localhost may be plain.
//
// A permanent refusal (5xx) of the recipient or the content is Invalid: the email is never sent again.
// All other failures are Unavailable: network errors, temporary refusals (4xx), and refusals of the
// login or of the sender's address, which an operator repairs, after which the email is sent.
//
// Errors contain the SMTP step and the server's code only, because servers quote addresses, user names
// and contents in their responses, and errors are logged.
package smtpmail
