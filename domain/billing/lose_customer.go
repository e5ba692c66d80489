package billing

import "time"

// LoseCustomer lets go of a customer that was deleted at the provider: its subscriptions are over.
// The currency is free again, because the next customer has none; the trial stays used. There is nothing left to ask for.
func (a *Account) LoseCustomer() {
	a.CustomerID, a.Currency, a.CheckAt = "", "", time.Time{}
	a.Revision++
	for i := range a.Subscriptions {
		if !a.Subscriptions[i].Status.Ended() {
			a.Subscriptions[i].Status = Canceled
			a.Subscriptions[i].PendingSetup = nil
			a.Subscriptions[i].Pending = nil
			a.Subscriptions[i].Next = NextAction{}
		}
	}
}
