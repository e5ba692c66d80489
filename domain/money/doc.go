// Package money represents amounts of money as whole minor units of a currency, so that no amount
// is ever a floating-point number, and formats them the way the product shows them.
//
// A currency has two numbers of decimals. MinorDigits is the ISO 4217 exponent: amounts are stored
// and charged with that many decimals. Digits is the number of decimals that are shown. It is
// smaller for currencies with a minor unit that is out of use: the Hungarian forint has two and shows none.
package money
