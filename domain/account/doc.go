// Package account contains organisations, their users and their billing details, and the validation rules of
// the forms for these data.
//
// The web app validates the same forms with the same rules. Both languages run the test vectors in
// testdata/vectors. The rules define their own classes of characters where Go and JavaScript differ, for
// example for whitespace.
package account
