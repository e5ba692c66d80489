// Package account holds organisations, their users, and the registration form with its validation
// rules.
//
// The web app validates the same form with the same rules. Both languages run the test vectors in
// testdata/vectors, so the rules define their own classes of characters where Go and JavaScript
// differ, for example in what counts as whitespace.
package account
