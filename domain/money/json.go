package money

import "encoding/json"

// amountJSON is the JSON representation of an amount.
type amountJSON struct {
	Minor    int64  `json:"minor"`
	Currency string `json:"currency"`
}

// MarshalJSON writes the minor units and the currency code.
func (a Amount) MarshalJSON() ([]byte, error) {
	return json.Marshal(amountJSON{a.minor, a.currency})
}

// UnmarshalJSON reads what MarshalJSON has written. A currency that is not known is Invalid.
func (a *Amount) UnmarshalJSON(text []byte) error {
	var stored amountJSON
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}
	if stored == (amountJSON{}) {
		*a = Amount{}
		return nil
	}
	amount, err := New(stored.Minor, stored.Currency)
	if err == nil {
		*a = amount
	}
	return err
}
