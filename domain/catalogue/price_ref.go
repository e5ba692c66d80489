package catalogue

// PriceRef names one amount of the price table: a plan, how often it is paid, and in what.
type PriceRef struct {
	Product  string // a plan's id, such as "professional"
	Interval Interval
	Currency string // ISO 4217, upper case
}

// PriceID is the name of the price without its currency, such as "professional_yearly". At the
// payment provider the same string is the price's lookup key.
func (p PriceRef) PriceID() string { return p.Product + "_" + string(p.Interval) }
