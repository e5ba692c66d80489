// Package money counts money in whole minor units of a currency, so that no amount ever passes
// through a floating-point number, and writes it the way the product shows it.
//
// A currency has two numbers of decimals. MinorDigits is the exponent of ISO 4217: amounts are
// counted, stored and charged in it. Digits is how many decimals people are shown, which is fewer
// for a currency whose cents nobody uses: the forint counts two and shows none.
package money
