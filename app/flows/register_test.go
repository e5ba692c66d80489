package flows

import (
	"context"
	"slices"
	"sync"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// register notes what is made at the provider, whether or not anybody hears of it.
type register struct {
	*fakepayment.Provider
	mu            sync.Mutex
	customers     []string
	subscriptions []string
}

// CreateCustomer notes the customer.
func (r *register) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	made, err := r.Provider.CreateCustomer(ctx, in)
	r.note(&r.customers, made.ID)
	return made, err
}

// Subscribe notes the subscription.
func (r *register) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	made, err := r.Provider.Subscribe(ctx, in)
	r.note(&r.subscriptions, made.ID)
	return made, err
}

func (r *register) note(list *[]string, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if id != "" && !slices.Contains(*list, id) {
		*list = append(*list, id)
	}
}
