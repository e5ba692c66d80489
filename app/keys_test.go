package app

import "github.com/vc-admin/diy/ports/payment"

// keys are those the provider was sent, in order.
func (b *bench) keys() []string {
	var keys []string
	for _, call := range b.provider.Calls {
		if len(call.Arguments) < 2 {
			continue
		}
		if key := keyOf(call.Arguments.Get(1)); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// keyOf is the key of what the provider was asked, "" for a question that changes nothing.
func keyOf(asked any) string {
	switch in := asked.(type) {
	case payment.NewCard:
		return in.Key
	case payment.NewSubscription:
		return in.Key
	case payment.Cancellation:
		return in.Key
	case payment.PlanChange:
		return in.Key
	}
	return ""
}
