// Package account contains organisations, their users and their billing details, and the validation rules of
// the forms in which they are entered.
//
// The web app validates the same forms with the same rules. Both languages run the test vectors in
// testdata/vectors, so the rules define their own classes of characters where Go and JavaScript
// differ, for example in what counts as whitespace.
package account
