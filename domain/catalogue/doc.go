// Package catalogue holds what is for sale: plans with their capabilities, the rows of the
// comparison, and the price table. It is data, embedded by default and replaceable at start-up;
// the package checks it on load and answers questions about it.
//
// The data is data/catalogue.json. Amounts in it are JSON numbers in whole units of the currency
// ("39", "39.50"), read exactly, or null where a price is on application.
package catalogue
