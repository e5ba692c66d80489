package money

// Amount is a sum in one currency, counted in whole minor units. It is a value: two amounts are
// equal when == says so. The zero Amount has no currency; only New and Parse make useful ones.
type Amount struct {
	minor    int64
	currency string
}

// New makes an amount of minor units (cents for AUD, whole yen for JPY). A currency that is not
// known is Invalid.
func New(minor int64, code string) (Amount, error) {
	c, err := lookup(code)
	if err != nil {
		return Amount{}, err
	}
	return Amount{minor: minor, currency: c.Code}, nil
}

// Minor is the number of minor units.
func (a Amount) Minor() int64 { return a.minor }

// Currency is what the amount is in.
func (a Amount) Currency() Currency {
	c, _ := ByCode(a.currency)
	return c
}

// Exact reports whether the amount can be both shown and paid as it is: it needs no more
// decimals than the currency shows, and is a multiple of the currency's rounding step.
func (a Amount) Exact() bool {
	c := a.Currency()
	return a.minor%pow10(c.MinorDigits-c.Digits) == 0 && a.minor%max(c.Rounding, 1) == 0
}
