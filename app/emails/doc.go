// Package emails renders the emails that the product sends. Every message has a plain text part and
// an HTML part with the same content, in the colours of the web app. The package does no I/O: the
// caller sets mail.Message.To and delivers the message.
package emails
