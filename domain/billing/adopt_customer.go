package billing

import "time"

// AdoptCustomer notes the customer that the provider keeps for the organisation, to be asked about
// from now on.
func (a *Account) AdoptCustomer(id string, now time.Time) {
	if a.CustomerID == id {
		return
	}
	a.CustomerID = id
	a.CheckAt = a.NextCheck(now)
}
