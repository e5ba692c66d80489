// Package devmail is the mail of development: nothing leaves the house. Letters land in a mailbox
// that people read as a page and tests as JSON. It keeps the newest 200, over a restart too when
// it is given a file. It is not for production: whoever sees the mailbox can follow every link.
package devmail
