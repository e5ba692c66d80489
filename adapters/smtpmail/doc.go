// Package smtpmail hands letters to a mail server over SMTP, one connection a letter.
//
// Between us and a server that is not on this very computer everything is encrypted and the
// server's certificate is checked: with STARTTLS for smtp://, from the first byte for smtps://.
//
// What a failure means for the letter decides its fault. Invalid, never to be tried again, is a
// server's permanent refusal (5xx) of the recipient or of the letter's content. All else is
// Unavailable: the network, a temporary refusal (4xx), and also a server that refuses us rather
// than the letter (the sign-in, our sender's address), because that gets repaired by whoever runs
// the product, and the letter goes out then.
//
// Errors name the step and the server's code and nothing else: servers quote addresses, sign-in
// names and contents in their answers, and errors end up in logs.
package smtpmail
