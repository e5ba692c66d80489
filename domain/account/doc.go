// Package account holds who uses the product: organisations and their people, what a person
// types to register them, and the rules that input keeps.
//
// Every rule is written for two languages at once. The same cases, in testdata/vectors, are run
// here and by the web app, so a rule never leans on what only one of them calls a letter or a
// space; see whitespace.go.
package account
