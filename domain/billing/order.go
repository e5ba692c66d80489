package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// Order is a purchase that waits for the approval of an operator. It has no invoice, and its trial has not begun.
type Order struct {
	SubscriptionID string
	Price          catalogue.PriceRef
	OrderedAt      time.Time
	ExpiresAt      time.Time // when it expires without an approval; zero when unknown
	Reason         string    // why it waits, in the provider's words to the customer
}

// PendingOrder returns the order of an organisation without a live subscription, or nil.
func (a *Account) PendingOrder() *Order {
	open := a.Open()
	if a.Live() != nil || open == nil || !open.awaitsOperator() {
		return nil
	}
	return &Order{
		SubscriptionID: open.ID, Price: open.Price, OrderedAt: open.CreatedAt, ExpiresAt: open.Next.Until,
		Reason: open.Next.Reason,
	}
}

// awaitsOperator reports whether the subscription starts when an operator approves it. It has no invoice until then.
func (s *Subscription) awaitsOperator() bool {
	return s.Status == Incomplete && s.Next.Kind == Wait && s.Next.InvoiceID == ""
}

// checkNoOrder returns Conflict while an order is pending, because another purchase would replace it.
func checkNoOrder(a *Account) error {
	if a.PendingOrder() == nil {
		return nil
	}
	return fault.New(fault.Conflict, "Your order is being checked, and your plan starts when that is done. "+
		"To order another plan, withdraw this order first.")
}
