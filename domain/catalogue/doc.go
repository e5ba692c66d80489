// Package catalogue holds the plans that are sold, with their capabilities and prices, and the rows
// of the plan comparison. The data is data/catalogue.json, which is embedded; Load reads a
// replacement. A catalogue is validated when it is loaded and never changes afterwards.
//
// Amounts in the file are JSON numbers in whole units of the currency ("39", "39.50") and are read
// exactly; null means that the price is on application.
package catalogue
