package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Retire writes the key into the table of answers, so that a request that comes with it later is
// refused. A key that is in the table has acted, and nothing is in progress: requests are carried
// out one after the other.
func (p *Provider) Retire(ctx context.Context, in payment.Retirement) error {
	return p.act(ctx, func(t *tx) error {
		if _, err := t.customer(in.CustomerID); err != nil {
			return err
		}
		if in.Key == "" {
			return fault.New(fault.Invalid, "A request that is to be retired has a key.")
		}
		known, used := t.answers.get(in.Key)
		switch {
		case !used:
			t.answers.put(answer{Key: in.Key, Retired: true})
		case !known.Retired:
			return fault.New(fault.Conflict, "This request has been carried out.")
		}
		return nil
	})
}

// Fencing reports that a request that was answered, or could be retired, is over.
func (p *Provider) Fencing() payment.Fencing { return payment.Fencing{} }
