package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// Order is a purchase that waits for the approval of an operator. It has no invoice, and its trial has not begun.
type Order struct {
	SubscriptionID string
	Price          catalogue.PriceRef
	OrderedAt      time.Time
	ExpiresAt      time.Time    // when it expires without an approval; zero when unknown
	Reason         string       // the provider's message to the customer about why it waits
	Amount         money.Amount // of the price
	InvoiceDays    int          // from the approval, at which the invoice is issued, to its due date; 0 when unknown
}

// PendingOrder returns the order of an organisation without a live subscription, or nil.
func (a *Account) PendingOrder() *Order {
	openSub := a.OpenSubscription()
	if a.LiveSubscription() != nil || openSub == nil || !openSub.awaitsOrderApproval() {
		return nil
	}
	return &Order{
		SubscriptionID: openSub.ID, Price: openSub.Price, OrderedAt: openSub.CreatedAt, ExpiresAt: openSub.Next.Until,
		Reason: openSub.Next.Reason, Amount: openSub.Amount, InvoiceDays: openSub.Next.InvoiceDays,
	}
}

// awaitsOrderApproval reports whether the subscription starts when an operator approves it. It has no invoice until then.
func (s *Subscription) awaitsOrderApproval() bool {
	return s.Status == Incomplete && s.Next.Kind == Wait && s.Next.InvoiceID == ""
}

// checkNoOrder returns Conflict while an order is pending, because another purchase would replace it.
func checkNoOrder(a *Account) error {
	order := a.PendingOrder()
	if order == nil {
		return nil
	}
	err := fault.New(fault.Conflict, "Your order is being checked, and your plan starts when that is done. "+
		"To order another plan, withdraw this order first.")
	return obstacleError{err, OrderObstacle, order.ExpiresAt}
}
