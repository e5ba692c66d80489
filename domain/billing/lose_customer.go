package billing

// LoseCustomer lets go of a customer that was deleted at the provider: its subscriptions are over.
// The currency is free again, because the next customer has none; the trial stays used.
func (a *Account) LoseCustomer() {
	a.CustomerID, a.Currency = "", ""
	a.Revision++
	for i := range a.Subscriptions {
		if !a.Subscriptions[i].Status.Ended() {
			a.Subscriptions[i].Status = Canceled
			a.Subscriptions[i].PendingSetup = nil
		}
	}
}
