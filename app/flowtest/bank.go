package flowtest

import (
	"context"
	"slices"
	"sync"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// Bank is the embedded provider. It notes what is made there, whether or not anybody hears of it.
type Bank struct {
	*fakepayment.Provider
	mu            sync.Mutex
	customers     []string
	subscriptions []string
}

// CreateCustomer notes the customer.
func (b *Bank) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	made, err := b.Provider.CreateCustomer(ctx, in)
	b.note(&b.customers, made.ID)
	return made, err
}

// Subscribe notes the subscription.
func (b *Bank) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	made, err := b.Provider.Subscribe(ctx, in)
	b.note(&b.subscriptions, made.ID)
	return made, err
}

// Customers are the ids of the customers made so far, oldest first.
func (b *Bank) Customers() []string { return b.noted(&b.customers) }

// Subscriptions are the ids of the subscriptions made so far, oldest first.
func (b *Bank) Subscriptions() []string { return b.noted(&b.subscriptions) }

func (b *Bank) note(list *[]string, id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if id != "" && !slices.Contains(*list, id) {
		*list = append(*list, id)
	}
}

func (b *Bank) noted(list *[]string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(*list)
}
