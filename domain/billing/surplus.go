package billing

import "slices"

// licenseAmong is the id of the subscription that is to be the license once those reported, newest
// first, are recorded: the one that was it, unless it has ended, else the oldest live one.
func (a *Account) licenseAmong(reported []Subscription) string {
	if known := a.Live(); known != nil {
		i := slices.IndexFunc(reported, func(s Subscription) bool { return s.ID == known.ID })
		if i < 0 || reported[i].Status.Live() {
			return known.ID
		}
	}
	for _, s := range slices.Backward(reported) {
		if s.Status.Live() {
			return s.ID
		}
	}
	return ""
}
