// Package money represents amounts of money as whole minor units of a currency, without floating-point
// numbers, and formats them for display.
//
// A currency has two numbers of decimals. MinorDigits is the ISO 4217 exponent: amounts are stored and
// charged with that many decimals. Digits is the number of decimals that are shown. Digits is smaller than
// MinorDigits for currencies whose minor unit is out of use. For example, the Hungarian forint has two
// MinorDigits and no Digits.
package money
