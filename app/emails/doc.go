// Package emails writes the e-mails the product sends: plain text and an HTML twin that says the
// same, both complete, in the calm tone and the colours of the web app. It is pure: the caller
// adds the address and sees to the delivery.
package emails
