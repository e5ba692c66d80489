// Package catalogue holds what is for sale: plans with their capabilities, the rows of the
// comparison, and the price table. It is data, embedded by default and replaceable at start-up;
// the package checks it on load and answers questions about it.
package catalogue
