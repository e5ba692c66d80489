// Package catalogue contains the plans with their capabilities and prices, and the rows
// of the plan comparison. The data is data/catalogue.json, which is embedded; Load reads a
// replacement. A catalogue is validated when it is loaded and never changes afterwards.
//
// Amounts in the file are JSON numbers in whole units of the currency ("39", "39.50") and are read
// exactly; null means that the price is on application.
//
// Prices include tax. "taxes" contains the tax of each currency; prices in a currency that is not listed there
// include none. The rates of the embedded catalogue are examples: the standard rates of Australia, New Zealand
// and the United Kingdom and, for euros, 21 %, which is the rate of several member states. A seller has to
// enter the rate of its own registration, or remove the entry if it isn't registered. In production the server
// logs a warning while it uses the example rates.
package catalogue
